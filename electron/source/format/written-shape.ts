/**
 * How a form is indented already. Of an operator that nobody here knows, that tells whether it has a body: who wrote it
 * knew, and a macro's body is better left than moved under its first argument.
 */
import type { Source } from '../reader';
import { formsOf, type SyntaxNode } from '../syntax-tree';
import { columnAfter } from './columns';
import { BODY, type Shape, type Step } from './shape';
import type { OpenList } from './style';

const ARGUMENT = 4;

/** Arguments before a body are indented by four, the body by two. */
export function writtenShape(list: OpenList, source: Source): Shape {
  for (const [place, node] of formsOf(list.branch).entries()) {
    const indent = place === 0 ? null : writtenIndent(node, list, source);
    if (indent === BODY) return { bodyAfter: place - 1 };
    if (indent !== null && indent !== ARGUMENT) break;
  }
  return 'call';
}

/** What is written for that place of a form that defines something: a lambda list, or the beginning of a body. */
export function writtenStep(list: OpenList, place: number, source: Source): Step {
  const node = formsOf(list.branch)[place];
  return node !== undefined && writtenIndent(node, list, source) === ARGUMENT ? ARGUMENT : BODY;
}

/** Whether the first argument is written where a body begins, as in `(without-interrupts` alone in its line. */
export function isAllBody(list: OpenList, source: Source): boolean {
  const first = formsOf(list.branch)[1];
  return first !== undefined && writtenIndent(first, list, source) === BODY;
}

/** From the list; null for what does not begin a line. */
function writtenIndent({ start }: SyntaxNode, list: OpenList, { text }: Source): number | null {
  let begin = start;
  while (text[begin - 1] === ' ' || text[begin - 1] === '\t') begin -= 1;
  if (begin > 0 && text[begin - 1] !== '\n') return null;
  return columnAfter(text.slice(begin, start), 0) - list.written;
}
