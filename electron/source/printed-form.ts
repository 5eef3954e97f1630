/** Finds the form of a source text that a compiler printed in a message. Pure. */
import type { Source } from './reader';
import { isForm, type SyntaxNode, walk } from './syntax-tree';

/** The printed form may be longer than messages show; they end it with this. */
const CUT = /(?:\.\.\.|…)\s*\)*$/;

/**
 * Returns the first form between two offsets that prints like this. Case, blanks and packages are no difference:
 * a printer chooses them.
 */
export function printedForm(
  { text, tree }: Source,
  printed: string,
  from = 0,
  to = text.length,
): SyntaxNode | null {
  const isCut = CUT.test(printed);
  const wanted = plain(printed.replace(CUT, ''));
  if (wanted === '') return null;
  for (const { node } of walk(tree)) {
    if (!isForm(node) || node.start < from || node.end > to) continue;
    const own = plain(text.slice(node.start, node.end));
    if (own === wanted || (isCut && own.startsWith(wanted))) return node;
  }
  return null;
}

function plain(form: string): string {
  return form
    .toUpperCase()
    .replace(/(?<![^\s()'"`,;:|])[^\s()'"`,;:|]+::?(?=[^\s():])/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([()]) ?/g, '$1')
    .trim();
}
