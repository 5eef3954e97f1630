/**
 * Structural editing of Lisp text. Each edit takes the text and the cursor and returns the replacements, or
 * null if the structure does not allow it. The syntax tree comes from electron/source.
 */

import { closeBrackets } from '@codemirror/autocomplete';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Dialect } from '../../electron/source/dialect';
import { formatSource } from '../../electron/source/format/format';
import type { ArgumentPlace } from '../../electron/source/lambda-list';
import type { Lexeme } from '../../electron/source/lexeme';
import { LEXERS, read } from '../../electron/source/reader';
import {
  type Branch,
  formsOf,
  isBranch,
  isForm,
  type SyntaxNode,
  walk,
} from '../../electron/source/syntax-tree';

/** Maximum length of a text that is parsed on each key press, in characters. */
export const STRUCTURED = 100_000;

/** Replacements of ranges, and the new cursor. */
interface Edit {
  changes: readonly { from: number; to: number; insert: string }[];
  cursor: number;
}

export type StructuralEdit = (text: string, at: number, dialect: Dialect) => Edit | null;

/** Moves the form after the enclosing list into it. */
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

/** Moves the last form of the enclosing list out of it. */
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
    // The cursor does not follow the form that left the list.
    cursor: Math.min(at, end),
  };
};

/** Wraps the form after or around the cursor in a list. */
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

/** Replaces the enclosing list by the form at the cursor. */
export const raise: StructuralEdit = (text, at, dialect) => {
  const form = formAt(text, at, dialect);
  const around = form && listsAround(text, form.start, dialect).find(({ node }) => node !== form);
  if (!form || !around) return null;
  const { start, end } = around.node;
  return { changes: [{ from: start, to: end, insert: text.slice(form.start, form.end) }], cursor: start };
};

/** Removes the delimiters of the enclosing list, so that its forms belong to the list outside. */
export const splice: StructuralEdit = (text, at, dialect) => {
  const [list] = listsAround(text, at, dialect);
  if (!list) return null;
  const { start, inner, end } = list.node;
  return {
    changes: [
      { from: start, to: inner, insert: '' },
      { from: end - 1, to: end, insert: '' },
    ],
    cursor: Math.min(at, end - 1) - (inner - start),
  };
};

/** Exchanges the form before the cursor with the one around or after it, and moves behind both. */
export const transpose: StructuralEdit = (text, at, dialect) => {
  const forms = siblings(text, at, dialect);
  const place = forms.findIndex(({ end }) => end > at);
  const [before, after] = [forms[place - 1], forms[place]];
  if (!before || !after) return null;
  const written = ({ start, end }: SyntaxNode) => text.slice(start, end);
  return {
    changes: [
      { from: before.start, to: before.end, insert: written(after) },
      { from: after.start, to: after.end, insert: written(before) },
    ],
    cursor: after.end,
  };
};

/** Deletes the form after the cursor. */
export const killForm: StructuralEdit = (text, at, dialect) => {
  const form = formAt(text, at, dialect);
  if (!form) return null;
  return {
    changes: [{ from: Math.min(at, form.start), to: form.end, insert: '' }],
    cursor: Math.min(at, form.start),
  };
};

/** Returns the end of the form after the cursor; null at the end of a list. */
export function endOfForm(text: string, at: number, dialect: Dialect): number | null {
  return siblings(text, at, dialect).find(({ end }) => end > at)?.end ?? null;
}

/** Returns the start of the form before the cursor; null at the start of a list. */
export function startOfForm(text: string, at: number, dialect: Dialect): number | null {
  return siblings(text, at, dialect).findLast(({ start }) => start < at)?.start ?? null;
}

/** The call around the cursor: its operator, and which argument is there. */
export interface CallAtCursor extends ArgumentPlace {
  operator: string;
}

/** Returns null outside of calls. While the operator is being typed, its lambda list is not needed. */
export function callAt(text: string, at: number, dialect: Dialect): CallAtCursor | null {
  const { tree } = read(text, dialect);
  for (const { node } of around(tree, at, (branch) => branch.kind === 'list')) {
    const [operator, ...rest] = formsOf(node);
    if (operator?.kind !== 'token' || text[node.start] !== '(' || operator.end >= at) continue;
    const before = rest.filter(({ end }) => end < at).map(({ start, end }) => text.slice(start, end));
    const keyword = before.at(-1)?.startsWith(':') ? before.at(-1) : undefined;
    return { operator: text.slice(operator.start, operator.end), argument: before.length, keyword };
  }
  return null;
}

interface Found {
  node: Branch;
  parents: readonly Branch[];
}

/** Returns the closed lists around the cursor, innermost first. */
function listsAround(text: string, at: number, dialect: Dialect): Found[] {
  const { tree } = read(text, dialect);
  return around(tree, at, ({ kind, closed }) => kind === 'list' && closed);
}

/** Returns the innermost closed list around the cursor; null outside of lists. */
export function listAround(text: string, at: number, dialect: Dialect): SyntaxNode | null {
  return listsAround(text, at, dialect)[0]?.node ?? null;
}

/** Returns the branches around the cursor, innermost first. */
function around(tree: Branch, at: number, wanted: (branch: Branch) => boolean): Found[] {
  const found: Found[] = [];
  for (const { node, parents } of walk(tree)) {
    if (!isBranch(node) || !wanted(node) || node.inner > at) continue;
    if (at < node.end || (!node.closed && at === node.end)) found.unshift({ node, parents: [...parents] });
  }
  return found;
}

/** Returns the forms of the innermost list around the cursor, or of the text. */
function siblings(text: string, at: number, dialect: Dialect): SyntaxNode[] {
  const { tree } = read(text, dialect);
  const [inner] = around(tree, at, ({ kind }) => kind === 'list');
  return formsOf(inner?.node ?? tree);
}

/** Returns the form around or right after the cursor, or else the next one in the same list. */
function formAt(text: string, at: number, dialect: Dialect): SyntaxNode | null {
  const candidates = siblings(text, at, dialect);
  return (
    candidates.find(({ start, end }) => start <= at && at < end) ??
    candidates.find(({ start }) => start >= at) ??
    null
  );
}

// Delimiters and quotes that the editor closes automatically, except where a closing one cannot be meant.

const CLOSED = ['(', '[', '{', '"'];

/** @param isPlain reports whether the input is a line for code that reads, not Lisp */
export function closing(dialect: Dialect, isPlain: () => boolean): Extension {
  const bracketsAt = (state: EditorState, at: number) =>
    isPlain() || !closesAfter(state.sliceDoc(0, at), dialect) ? [] : CLOSED;
  // A getter, because the editor requests other language data on nearly every key press, and parsing is
  // needed only for this.
  const data = (state: EditorState, at: number) => [
    {
      get closeBrackets() {
        return { brackets: bracketsAt(state, at) };
      },
    },
  ];
  // Overrides the data of the language modes.
  return [Prec.high(EditorState.languageData.of(data)), closeBrackets()];
}

/**
 * Reports whether a delimiter typed after the text is a delimiter. It is not in `#\(`, `\(`, `|a (|` and `#|
 * ( |#`.
 */
export function closesAfter(text: string, dialect: Dialect): boolean {
  if (isEscaped(text)) return false;
  const last = lastLexeme(text, dialect);
  return last === null || !('whole' in last) || last.whole || last.kind === 'string';
}

/** Reports whether the next character is escaped. Of two backslashes the first escapes the second. */
function isEscaped(text: string): boolean {
  const [backslashes = ''] = /\\*$/.exec(text) ?? [];
  return backslashes.length % 2 === 1;
}

function lastLexeme(text: string, dialect: Dialect): Lexeme | null {
  let last: Lexeme | null = null;
  for (let at = 0; at < text.length; at = last.end) last = LEXERS[dialect](text, at);
  return last;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Returns the column of the next line, as the formatter would indent it; null inside a string or comment.
 * @param before the text before the line, without its newline
 */
export function columnAfter(before: string, dialect: Dialect): number | null {
  // The x takes the place of the line's first form. Open lists are closed after it.
  const { problem } = read(`${before}\nx`, dialect);
  if (problem !== null && problem.kind !== 'unclosed') return problem.kind === 'unterminated' ? null : 0;
  const openers = problem?.openers ?? [];
  const closers = openers.toReversed().map((at) => closerOf(before, at));
  const lines = formatSource(`${before}\nx${closers.join('')}`, dialect).split('\n');
  return lines.at(-1)?.indexOf('x') ?? 0;
}

/** An opening delimiter may have a prefix, as in `#{`. */
function closerOf(text: string, opener: number): string {
  const [sign = '('] = /[([{]/.exec(text.slice(opener)) ?? [];
  return CLOSERS[sign] ?? ')';
}

/** Lets the next Tab leave the editor, within two seconds. */
export function leaveByTab(view: EditorView): boolean {
  view.setTabFocusMode(2_000);
  return true;
}

export function moveTo(view: EditorView, at: number): boolean {
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true, userEvent: 'select' });
  return true;
}

export function moveLine(view: EditorView, forward: boolean): boolean {
  return moveTo(view, view.moveVertically(view.state.selection.main, forward).head);
}

/** Returns the end of the line. At the end of a line, returns the position after the newline. */
export function endOfLine(view: EditorView): number {
  const { head } = view.state.selection.main;
  const { to } = view.state.doc.lineAt(head);
  return head === to ? Math.min(to + 1, view.state.doc.length) : to;
}

/** Moves to the end or start of the visual line. */
export function moveToBoundary(view: EditorView, forward: boolean): boolean {
  return moveTo(view, view.moveToLineBoundary(view.state.selection.main, forward).head);
}
