/**
 * Finds the list of a text that a Common Lisp compiler reports as running: by its printed form, and by its
 * number in the definition. Returns nothing unless it is certain.
 */
import { read, type Source } from './reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from './syntax-tree';
import { isDefiner, operatorOf } from './top-level-forms';

export interface Extent {
  start: number;
  end: number;
}

interface CountedList {
  node: Branch;
  /** Its index in the whole text, and in the enclosing definitions, itself included. */
  index: number;
  bases: readonly number[];
}

/** @param number as in `FrameSource.number`; a compiler may count one additional list around its input */
export function findRunningForm(text: string, form: string, number: number | undefined): Extent | null {
  const source = read(text, 'common-lisp');
  const sought = outlineOf(form);
  if (sought === null) return null;
  const alike = countedLists(source).filter(({ node }) => {
    const { operator, length } = outline(node, source);
    return operator === sought.operator && length === sought.length;
  });
  const numbered = alike.filter(
    ({ index, bases }) =>
      number !== undefined && bases.some((base) => index - base === number || index - base === number - 1),
  );
  const [found, ...others] = alike.length === 1 ? alike : numbered;
  return found && others.length === 0 ? { start: found.node.start, end: found.node.end } : null;
}

interface Outline {
  operator: string;
  length: number;
}

function outlineOf(form: string): Outline | null {
  const source = read(form, 'common-lisp');
  const [node] = formsOf(source.tree);
  return node && isBranch(node) && node.kind === 'list' ? outline(node, source) : null;
}

function outline(node: Branch, source: Source): Outline {
  const operator = operatorOf(node, source)?.toUpperCase() ?? '';
  return { operator, length: formsOf(node).length };
}

/**
 * Returns the lists of a text in the order in which SBCL numbers conses: outer before inner, a quoted list as
 * one.
 */
function countedLists(source: Source): CountedList[] {
  const lists: CountedList[] = [];
  const hidden = new Set<SyntaxNode>();
  const numbers = new Map<SyntaxNode, number>();
  for (const { node, parents } of walk(source.tree)) {
    if (parents.some((parent) => hidden.has(parent)) || !isBranch(node)) continue;
    const opener = source.text.slice(node.start, node.inner);
    if (hides(opener)) hidden.add(node);
    if (!isCounted(node, opener)) continue;
    const index = numbers.size;
    numbers.set(node, index);
    if (node.kind !== 'list') continue;
    const definitions = [...parents, node].filter(
      (each, depth) => depth === 1 || isDefiner(operatorOf(each, source) ?? ''),
    );
    lists.push({ node, index, bases: definitions.flatMap((each) => numbers.get(each) ?? []) });
  }
  return lists;
}

/** `'x`, `` `x `` and `#'x` are lists for the reader. */
function isCounted(node: Branch, opener: string): boolean {
  return node.kind === 'list' ? opener === '(' && formsOf(node).length > 0 : /^(?:'|`|#')$/.test(opener);
}

/** The compiler does not look into constants. */
function hides(opener: string): boolean {
  return opener === "'" || /^#(?!'|[+-])/.test(opener);
}
