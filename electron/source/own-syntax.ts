/**
 * Reads source files of Common Lisp that use reader macros of their own. Nobody but their Lisp knows how these are
 * read, so a form that has one is known only by its beginning and its extent: from a parenthesis at the start of a
 * line to the next one.
 */
import type { Dialect } from './dialect';
import { read, type Source } from './reader';
import { type Branch, formsOf, isBranch, isForm, type SyntaxNode, walk } from './syntax-tree';
import { operatorOf, topLevelForms } from './top-level-forms';

export interface FileSource extends Source {
  /** Top-level forms with syntax that is not known here, in text order; absent: the file uses none. */
  unknown?: readonly SyntaxNode[];
}

/** `#` with a standard dispatch character (CLHS 2.4.8), except `#.`, which may change the readtable. */
const STANDARD_DISPATCH = /^#\d*['(\\|:+\-*=#bBoOxXrRaAcCpPsS]/;
/** Names of operators that change how the following code is read. */
const CHANGES_SYNTAX = /readtable|macro-character|syntax/i;
/** Text by which a file changes the readtable for its other forms. */
const CHANGES_READTABLE =
  /in-readtable|\*readtable\*|set-(?:dispatch-)?macro-character|make-dispatch-macro-character|set-syntax-from-char|enable-[\w-]*syntax/i;
/** Characters that are usually macro characters when they occur in a name. */
const BRACKETS = /[[\]{}]|(?!\p{ASCII})[^\p{L}\p{M}\p{N}]/u;
/** A name of only punctuation directly before a list or a string is a custom prefix: `$"…"`, `@(…)`. */
const SIGNS = /^[!$%&?@^_~]+$/;
const ESCAPED = /\\[\s\S]|\|[^|]*\|/g;

/** Reports whether a custom readtable may read the text differently. */
export function mayMeanElse({ tree, text }: Pick<Source, 'tree' | 'text'>): boolean {
  return (
    text.includes('"""') ||
    someToken(tree, text, (name, next) => CHANGES_SYNTAX.test(name) || isOwn(name, next))
  );
}

/** Reports whether a form has syntax of its own. Only dispatches count in a file that changes no readtable. */
function hasOwnSyntax(form: Branch, text: string, changes: boolean): boolean {
  const written = text.slice(form.start, form.end);
  if (written.includes('"""')) return true;
  return someToken(form, text, (name, next) => (changes ? isOwn(name, next) : isOwnDispatch(name)));
}

/** Tests the tokens and prefixes of a tree without their escaped characters; `next` is the character after one. */
function someToken(tree: Branch, text: string, test: (name: string, next: string) => boolean): boolean {
  for (const { node } of walk(tree)) {
    const begins = isBranch(node) ? node.kind === 'prefixed' : node.kind === 'token';
    if (!begins) continue;
    const name = text.slice(node.start, isBranch(node) ? node.inner : node.end);
    if (test(name.replaceAll(ESCAPED, ''), text.charAt(node.end))) return true;
  }
  return false;
}

function isOwnDispatch(name: string): boolean {
  return name.startsWith('#') && !STANDARD_DISPATCH.test(name) && !name.startsWith('#.');
}

function isOwn(name: string, next: string): boolean {
  if (name.startsWith('#') && !STANDARD_DISPATCH.test(name)) return true;
  return BRACKETS.test(name) || (SIGNS.test(name) && (next === '(' || next === '"'));
}

/** Reads the text of a file. A form with unknown syntax is a list of which only the beginning is divided. */
export function readFile(text: string, dialect: Dialect): FileSource {
  const strict = read(text, dialect);
  if (dialect === 'clojure') return strict;
  const changes = CHANGES_READTABLE.test(text);
  if (!changes && !hasOwnSyntax(strict.tree, text, false)) return strict;
  const isWhole = strict.problem === null && !hidesForms(strict);
  const tree = isWhole ? strict.tree : treeByLines(text, dialect);
  const unknown = formsOf(tree).filter(
    (form) => isOpaque(form) || (isBranch(form) && hasOwnSyntax(form, text, changes)),
  );
  return { text, dialect, tree, problem: null, unknown };
}

/** Reports whether text that is not balanced for the standard reader may be so for its own. */
export function usesOwnSyntax(text: string, dialect: Dialect): boolean {
  return dialect === 'common-lisp' && hasOwnSyntax(read(text, dialect).tree, text, true);
}

/** Reports whether a form at the start of a line is inside another one that holds no definitions. */
function hidesForms(source: Source): boolean {
  const { text, tree } = source;
  const wrappers = new Set(
    topLevelForms(source).flatMap(({ form, depth, type }) =>
      depth === 0 && !/^def/i.test(type) ? [form] : [],
    ),
  );
  for (const { node, parents } of walk(tree)) {
    const [, top] = parents;
    if (node.kind === 'list' && top && text[node.start - 1] === '\n' && !wrappers.has(top)) return true;
  }
  return false;
}

/** Kinds of problems after which a text may only go on. */
const CONTINUES: ReadonlySet<string> = new Set(['unterminated', 'dangling']);

/** Reads each piece that begins with a parenthesis at the start of a line by itself. */
function treeByLines(text: string, dialect: Dialect): Branch {
  const starts = [0, ...Array.from(text.matchAll(/^\(/gm), ({ index }) => index).filter((at) => at > 0)];
  const children: SyntaxNode[] = [];
  for (let place = 0; place < starts.length; ) {
    const start = starts[place] ?? 0;
    const [source, next] = pieceFrom(text, dialect, starts, place);
    if (source.problem === null) children.push(...source.tree.children);
    else children.push(...opaquePiece(source, start));
    place = next;
  }
  return { kind: 'text', start: 0, end: text.length, inner: 0, closed: true, children };
}

/** Returns the piece at `place`, with the following ones that its strings and prefixes reach into, and the next place. */
function pieceFrom(
  text: string,
  dialect: Dialect,
  starts: readonly number[],
  place: number,
): [Source, number] {
  const from = starts[place] ?? 0;
  const piece = (next: number) => read(text.slice(0, starts[next] ?? text.length), dialect, from);
  const first = piece(place + 1);
  if (first.problem === null || !CONTINUES.has(first.problem.kind)) return [first, place + 1];
  for (let next = place + 2; next <= starts.length && next <= place + MOST_JOINED; next += 1) {
    const joined = piece(next);
    if (joined.problem === null) return [joined, next];
  }
  return [first, place + 1];
}

/** Maximum number of pieces in one form. */
const MOST_JOINED = 20;

/** Returns the nodes of a piece that is not balanced: what precedes its form, the form, and the comments after it. */
function opaquePiece({ text, tree }: Source, start: number): SyntaxNode[] {
  const list = tree.children.find(({ kind }) => kind === 'list');
  const from = list?.start ?? start;
  const before = tree.children.filter((node) => node.end <= from);
  const rest = /(?:\s|\n[ \t]*;[^\n]*)*$/.exec(text.slice(from))?.[0] ?? '';
  const end = text.length - rest.length;
  const after: SyntaxNode[] = rest === '' ? [] : [{ kind: 'comment', start: end, end: text.length }];
  if (list === undefined || !isBranch(list))
    return [...before, { kind: 'string', start: from, end }, ...after];
  const known: SyntaxNode[] = [];
  for (const node of list.children) {
    if (isBranch(node) ? !node.closed : node.end > end) break;
    if (known.filter(isForm).length === 3) break;
    known.push(node);
  }
  const inside = known.at(-1)?.end ?? list.inner;
  const opaque: Branch = {
    ...{ kind: 'list', start: from, end, inner: list.inner, closed: true },
    children: [...known, { kind: 'string', start: inside, end }],
  };
  OPAQUE.add(opaque);
  return [...before, opaque, ...after];
}

const OPAQUE = new WeakSet<SyntaxNode>();

function isOpaque(node: SyntaxNode): boolean {
  return OPAQUE.has(node);
}

/** Replaces the forms that are not known by strings of the same extent, and puts them back into the result. */
export function aroundUnknown(source: FileSource, change: (text: string) => string | null): string | null {
  const { text, unknown = [] } = source;
  let [masked, at] = ['', 0];
  for (const { start, end } of unknown) {
    masked += text.slice(at, start) + maskOf(text.slice(start, end));
    at = end;
  }
  const changed = change(masked + text.slice(at));
  if (changed === null || unknown.length === 0) return changed;
  let [result, from] = ['', 0];
  for (const { start, end } of unknown) {
    const form = text.slice(start, end);
    const place = changed.indexOf(maskOf(form), from);
    if (place < 0) return null;
    result += changed.slice(from, place) + form;
    from = place + form.length;
  }
  return result + changed.slice(from);
}

/** Returns a string literal with the same line ends, which no formatter changes. */
function maskOf(form: string): string {
  return `"${form.slice(1, -1).replace(/["\\]/g, 'x')}"`;
}

/** Returns the lines, from 1, of the forms that are not known. */
export function unknownForms({ text, dialect, tree, problem, unknown = [] }: FileSource): string[] {
  const source = { text, dialect, tree, problem };
  return unknown.map((form) => {
    const line = text.slice(0, form.start).split('\n').length;
    return `${operatorOf(form, source) ?? 'form'} at line ${line}`;
  });
}
