/**
 * Reads source files of Common Lisp that use reader macros of their own. Nobody but their Lisp knows how these are
 * read, so a form that has one is known only by its beginning and its extent: from a parenthesis at the start of a
 * line to the next one.
 */
import type { Dialect } from './dialect';
import { withoutEnd } from './lexeme';
import { read, readWhole, type Source } from './reader';
import { type Branch, firstForm, formsOf, isBranch, isForm, type SyntaxNode, walk } from './syntax-tree';
import { Positions } from './text';
import { operatorOf, topLevelForms } from './top-level-forms';

export interface FileSource extends Source {
  /** Top-level forms with syntax that is not known here, in text order; absent: the file uses none. */
  unknown?: readonly SyntaxNode[];
  /**
   * The standard reading, if it has a problem or hides forms, and nothing in the file proves that it is wrong: a
   * dispatch that is not standard may be a mistake or the syntax of another file. Nothing may change such text.
   */
  disputed?: Source;
}

/** `#` with a standard dispatch character (CLHS 2.4.8), except `#.`, which may change the readtable. */
const STANDARD_DISPATCH = /^#\d*['(\\|:+\-*=#bBoOxXrRaAcCpPsS]/;
/** Names of operators that change how the following code is read. */
const CHANGES_SYNTAX = /readtable|macro-character|syntax/i;
/** Operators that change the readtable for the forms after them. */
const CHANGES_READTABLE =
  /^(?:[^:]+::?)?(?:in-readtable|set-(?:dispatch-)?macro-character|make-dispatch-macro-character|set-syntax-from-char|(?:enable-(?:.*-)?|use-)syntax)$/i;
const SETS = /^set[fq]$/i;
const READTABLE = /^(?:[^:]+::?)?\*readtable\*$/i;
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
function hasOwnSyntax(form: SyntaxNode, text: string, changes: boolean): boolean {
  const written = text.slice(form.start, form.end);
  if (written.includes('"""')) return true;
  return someToken(form, text, (name, next) => (changes ? isOwn(name, next) : isOwnDispatch(name)));
}

/** Tests the tokens and prefixes in a node without their escaped characters; `next` is the character after one. */
function someToken(within: SyntaxNode, text: string, test: (name: string, next: string) => boolean): boolean {
  const around: Branch = { ...within, kind: 'text', inner: within.start, closed: true, children: [within] };
  for (const { node } of walk(around)) {
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

/**
 * Reads the text of a file, and decides whether it has syntax of its own. A form with unknown syntax is a list of
 * which only the beginning is divided.
 */
export function readFile(text: string, dialect: Dialect): FileSource {
  const strict = read(text, dialect);
  if (dialect === 'clojure') return strict;
  const changes = changesReadtable(strict);
  if (!changes && !hasOwnSyntax(strict.tree, text, false)) return strict;
  const isWhole = strict.problem === null && !hidesForms(strict);
  const tree = isWhole ? strict.tree : treeByLines(text, dialect);
  const unknown = formsOf(tree).filter((form) => OPAQUE.has(form) || hasOwnSyntax(form, text, changes));
  const source = { text, dialect, tree, problem: null, unknown };
  return isWhole || changes ? source : { ...source, disputed: strict };
}

/**
 * Reports whether the text changes the readtable for its own forms. The text before that has standard syntax, so
 * the standard reading shows it.
 */
function changesReadtable(source: Source): boolean {
  const { tree, text } = source;
  for (const { node, parents } of walk(tree)) {
    const list = parents.at(-1);
    if (node.kind !== 'token' || list?.kind !== 'list') continue;
    const name = text.slice(node.start, node.end);
    if (CHANGES_READTABLE.test(name) && firstForm(list) === node) return true;
    if (READTABLE.test(name) && SETS.test(operatorOf(list, source) ?? '')) return true;
  }
  return false;
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
  const ends = starts.slice(place + 1, place + 1 + MOST_JOINED);
  if (ends.length < MOST_JOINED) ends.push(text.length);
  const first = read(text.slice(0, ends[0]), dialect, from);
  if (first.problem === null || !CONTINUES.has(first.problem.kind)) return [first, place + 1];
  const joined = readWhole(text, dialect, from, ends);
  return joined === null ? [first, place + 1] : [joined.source, place + 1 + joined.place];
}

/** Maximum number of pieces in one form. */
const MOST_JOINED = 20;

/** Returns the nodes of a piece that is not balanced: what precedes its form, the form, and the comments after it. */
function opaquePiece({ text, dialect, tree }: Source, start: number): SyntaxNode[] {
  const list = tree.children.find(({ kind }) => kind === 'list');
  const from = list?.start ?? start;
  const before = tree.children.filter((node) => node.end <= from);
  const end = endWithoutComments(text, from);
  const after = read(text, dialect, end).tree.children;
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

/** Returns the end of the text without the blank lines and the lines of comments at its end. */
function endWithoutComments(text: string, from: number): number {
  let end = text.length;
  for (;;) {
    end = from + withoutEnd(text.slice(from, end), WHITESPACE).length;
    const line = text.lastIndexOf('\n', end - 1);
    if (line < from || !/^[ \t]*;/.test(text.slice(line + 1, end))) return end;
    end = line;
  }
}

const WHITESPACE = ' \t\n\r\f\v';

/** Forms of which only the beginning is divided. */
const OPAQUE = new WeakSet<SyntaxNode>();

/**
 * Returns the tree with a leaf instead of each form that is not known. Only a list has a known end; what begins in
 * another way reaches to the next parenthesis at the start of a line.
 */
export function knownTree({ text, tree, unknown = [] }: FileSource): Branch {
  const hidden = new Set(unknown);
  const children: SyntaxNode[] = [];
  for (let place = 0; place < tree.children.length; place += 1) {
    const node = tree.children[place] as SyntaxNode;
    if (!hidden.has(node)) {
      children.push(node);
      continue;
    }
    let last = place;
    if (node.kind !== 'list')
      for (let next = place + 1; next < tree.children.length; next += 1) {
        const { kind, start } = tree.children[next] as SyntaxNode;
        if (kind === 'list' && text[start - 1] === '\n') break;
        if (kind !== 'blank' && kind !== 'comment') last = next;
      }
    children.push({ kind: 'string', start: node.start, end: tree.children[last]?.end ?? node.end });
    place = last;
  }
  return { ...tree, children };
}

/** Returns the operators and lines of the forms that are not known. */
export function unknownForms(source: FileSource): string[] {
  const { text, unknown = [] } = source;
  const positions = new Positions(text);
  return unknown.map((form) => `${operatorOf(form, source) ?? 'form'} at line ${positions.line(form.start)}`);
}
