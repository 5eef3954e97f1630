/** What is wrong with the delimiters of Clojure source, in words for whoever wrote it. Lines and columns count from 1. */
import type { Condition } from '../../contract/model';
import { CLOSER, type Flaw } from './form-ends';

export function flawText(code: string, flaw: Flaw): string {
  switch (flaw.kind) {
    case 'stray':
      return `The ${at(code, flaw.closer)} closes nothing.`;
    case 'mismatched':
      return `The ${at(code, flaw.opener)} is closed by the ${at(code, flaw.closer)}, where ${CLOSER[code[flaw.opener] ?? '']} was expected.`;
    case 'unclosed':
      return unclosedText(code, flaw.openers);
  }
}

/** The condition of code that was not evaluated because of `problem`. */
export function unbalanced(problem: string): Condition {
  return {
    type: 'unbalanced delimiters',
    message: `${problem} Nothing was evaluated.`,
    level: 1,
    restarts: [],
    frames: [],
  };
}

/** The innermost one is where a reader gives up; the outermost one tells which form it is that does not end. */
function unclosedText(code: string, openers: readonly number[]): string {
  const [outermost = 0, ...inner] = openers;
  const innermost = inner.at(-1);
  const last = `The ${at(code, innermost ?? outermost)} is not closed`;
  const begun = beginningInside(code, outermost);
  return [
    innermost === undefined ? `${last}.` : `${last}, nor is the ${at(code, outermost)}.`,
    ...(begun === null ? [] : [`Line ${begun} begins another form, so look before it.`]),
  ].join(' ');
}

/** The first line after `opener` that begins with a bracket in its first column, as top-level forms do by custom. */
function beginningInside(code: string, opener: number): number | null {
  if (code[opener] === '"') return null;
  const begun = code.indexOf('\n(', opener);
  return begun === -1 ? null : position(code, begun + 1).line;
}

function at(code: string, offset: number): string {
  const { line, column } = position(code, offset);
  return `${code[offset]} at line ${line}, column ${column}`;
}

function position(code: string, offset: number): { line: number; column: number } {
  const before = code.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
