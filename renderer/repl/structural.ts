/**
 * Edits of the structure of Lisp text: each takes the text and where the cursor stands, and answers what to replace, or
 * null where the structure does not allow it. Pure; the tree is that of the one reader of source.
 */
import type { Dialect } from '../../electron/source/dialect';
import { read } from '../../electron/source/reader';
import {
  type Branch,
  formsOf,
  isBranch,
  isForm,
  type SyntaxNode,
  walk,
} from '../../electron/source/syntax-tree';

/** Characters of the longest text that is read at each key. */
export const STRUCTURED = 100_000;

/** Replaces the text from `from` to `to`, and sets the cursor. */
export interface Edit {
  changes: readonly { from: number; to: number; insert: string }[];
  cursor: number;
}

export type StructuralEdit = (text: string, at: number, dialect: Dialect) => Edit | null;

/** The form behind the list around the cursor moves into it. */
export const slurp: StructuralEdit = (text, at, dialect) => {
  for (const list of listsAround(text, at, dialect)) {
    const next = list.parents.at(-1)?.children.find((node) => isForm(node) && node.start >= list.node.end);
    if (!next) continue;
    const closer = text.slice(list.node.end - 1, list.node.end);
    return {
      changes: [
        { from: list.node.end - 1, to: list.node.end, insert: '' },
        { from: next.end, to: next.end, insert: closer },
      ],
      cursor: at,
    };
  }
  return null;
};

/** The last form of the list around the cursor moves out of it. */
export const barf: StructuralEdit = (text, at, dialect) => {
  const [list] = listsAround(text, at, dialect);
  const forms = list ? formsOf(list.node) : [];
  const last = forms.at(-1);
  if (!list || !last) return null;
  const end = forms.at(-2)?.end ?? list.node.inner;
  const closer = text.slice(list.node.end - 1, list.node.end);
  return {
    changes: [
      { from: end, to: end, insert: closer },
      { from: list.node.end - 1, to: list.node.end, insert: '' },
    ],
    // What has left the list is not followed.
    cursor: Math.min(at, end),
  };
};

/** The form behind the cursor, or around it, gets a list around it. */
export const wrap: StructuralEdit = (text, at, dialect) => {
  const form = formAt(text, at, dialect);
  if (!form) return { changes: [{ from: at, to: at, insert: '()' }], cursor: at + 1 };
  const { start, end } = form;
  return {
    changes: [
      { from: start, to: start, insert: '(' },
      { from: end, to: end, insert: ')' },
    ],
    cursor: start + 1,
  };
};

/** The form at the cursor takes the place of the list around it. */
export const raise: StructuralEdit = (text, at, dialect) => {
  const form = formAt(text, at, dialect);
  const around = form && listsAround(text, form.start, dialect).find(({ node }) => node !== form);
  if (!form || !around) return null;
  const { start, end } = around.node;
  return { changes: [{ from: start, to: end, insert: text.slice(form.start, form.end) }], cursor: start };
};

/** The form behind the cursor goes. */
export const killForm: StructuralEdit = (text, at, dialect) => {
  const form = formAt(text, at, dialect);
  if (!form) return null;
  return {
    changes: [{ from: Math.min(at, form.start), to: form.end, insert: '' }],
    cursor: Math.min(at, form.start),
  };
};

/** Where the form behind the cursor ends; null at the end of a list. */
export function endOfForm(text: string, at: number, dialect: Dialect): number | null {
  return siblings(text, at, dialect).find(({ end }) => end > at)?.end ?? null;
}

/** Where the form before the cursor begins; null at the beginning of a list. */
export function startOfForm(text: string, at: number, dialect: Dialect): number | null {
  return siblings(text, at, dialect).findLast(({ start }) => start < at)?.start ?? null;
}

/** The name of the operator of the call that the cursor stands in; null where it stands in none. */
export function operatorAt(text: string, at: number, dialect: Dialect): string | null {
  const { tree } = read(text, dialect);
  for (const { node } of around(tree, at, (branch) => branch.kind === 'list')) {
    const [operator] = formsOf(node);
    if (operator?.kind !== 'token' || text[node.start] !== '(') continue;
    // While its name is being typed, nobody asks how it is called.
    if (operator.end < at) return text.slice(operator.start, operator.end);
  }
  return null;
}

interface Found {
  node: Branch;
  parents: readonly Branch[];
}

/** The lists around the cursor that have their closing delimiter, innermost first. */
function listsAround(text: string, at: number, dialect: Dialect): Found[] {
  const { tree } = read(text, dialect);
  return around(tree, at, ({ kind, closed }) => kind === 'list' && closed);
}

/** The branches that the cursor stands in, innermost first. */
function around(tree: Branch, at: number, wanted: (branch: Branch) => boolean): Found[] {
  const found: Found[] = [];
  for (const { node, parents } of walk(tree)) {
    if (!isBranch(node) || !wanted(node) || node.inner > at) continue;
    if (at < node.end || (!node.closed && at === node.end)) found.unshift({ node, parents: [...parents] });
  }
  return found;
}

/** What stands in the innermost list, or in the text, beside the cursor. */
function siblings(text: string, at: number, dialect: Dialect): SyntaxNode[] {
  const { tree } = read(text, dialect);
  const [inner] = around(tree, at, ({ kind }) => kind === 'list');
  return formsOf(inner?.node ?? tree);
}

/** The form that the cursor stands in or right before, or else the next one beside it. */
function formAt(text: string, at: number, dialect: Dialect): SyntaxNode | null {
  const beside = siblings(text, at, dialect);
  return (
    beside.find(({ start, end }) => start <= at && at < end) ??
    beside.find(({ start }) => start >= at) ??
    null
  );
}
