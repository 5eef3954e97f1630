/**
 * Whether text holds only complete forms, so that a listener knows when to evaluate and when to ask for more. What is wrong
 * and stays wrong whatever follows is complete: the engine's own reader reports it.
 */
import type { Dialect } from './dialect';
import { type Problem, read } from './reader';
import { formsOf } from './syntax-tree';

/** `incomplete` wants more text; `complete` can be given to the reader, which also reports a stray `)`. */
export type Completeness = 'empty' | 'incomplete' | 'complete';

export function completeness(text: string, dialect: Dialect): Completeness {
  const { tree, problem } = read(text, dialect);
  if (problem !== null) return wantsMore(problem) ? 'incomplete' : 'complete';
  return formsOf(tree).length === 0 ? 'empty' : 'complete';
}

function wantsMore(problem: Problem): boolean {
  if (problem.kind === 'dangling') return problem.closer === null;
  return problem.kind === 'unclosed' || problem.kind === 'unterminated';
}
