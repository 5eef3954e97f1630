/** What is around a form in the text: where something new goes before or after it, and what goes when the form does. */
import type { Source } from './reader';
import { type Branch, type SyntaxNode, walk } from './syntax-tree';
import type { TopLevelForm } from './top-level';

export interface Range {
  start: number;
  end: number;
}

/** A place for new text, and what separates that from what is there. */
export interface Gap {
  at: number;
  before: string;
  after: string;
}

/** Above the form and the comments that stand right above it. */
export function gapBefore(source: Source, { whole, depth }: TopLevelForm, eol: string): Gap {
  const { text } = source;
  const at = startWithComments(whole, source);
  const indent = indentation(text, at);
  return { at, before: '', after: depth > 0 ? eol + indent : eol + eol + indent };
}

/** Below the form and a comment behind it in its line; right behind it where its line goes on. */
export function gapAfter({ text }: Source, { whole, depth }: TopLevelForm, eol: string): Gap {
  const rest = /^[ \t]*(?:;[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(whole.end, endOfLine(text, whole.end) + 1));
  const at = whole.end + (rest?.[0].trimEnd().length ?? 0);
  const ends = rest !== null || /^[ \t]*[)\]}]/.test(text.slice(at, at + 100));
  const indent = indentation(text, whole.start);
  return { at, before: depth > 0 ? eol + indent : eol + eol, after: ends ? '' : eol };
}

/** With its lines, where nothing else stands in them, and the blank lines after them; at the end of the file those before. */
export function rangeToDelete(source: Source, { whole }: TopLevelForm): Range {
  const { text } = source;
  const lineStart = text.lastIndexOf('\n', whole.start - 1) + 1;
  const alone = text.slice(lineStart, whole.start).trim() === '';
  const blank = /^[ \t]*(?:\r?\n|$)(?:[ \t]*\r?\n)*/.exec(text.slice(whole.end))?.[0];
  if (alone && blank !== undefined) {
    const end = whole.end + blank.length;
    return { start: end === text.length ? startOfBlankLines(text, lineStart) : lineStart, end };
  }
  const before = siblingBefore(whole, source);
  // A comment in front of it would swallow what follows.
  const start = before?.kind === 'blank' && !endsComment(text, before) ? before.start : whole.start;
  return { start, end: whole.end };
}

/** Of those right above the line that begins at `offset`. */
function startOfBlankLines(text: string, offset: number): number {
  const above = text.slice(0, offset);
  const written = above.trimEnd().length;
  return written === 0 ? 0 : Math.min(endOfLine(text, written) + 1, offset);
}

function endsComment(text: string, { start }: SyntaxNode): boolean {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).includes(';');
}

/** Where the comments begin that are above a form without an empty line between. */
function startWithComments(form: SyntaxNode, source: Source): number {
  const { children } = parentOf(form, source);
  let start = form.start;
  for (let place = children.indexOf(form) - 1; place >= 0; place -= 2) {
    const [blank, comment] = [children[place], children[place - 1]];
    if (blank?.kind !== 'blank' || comment?.kind !== 'comment') break;
    const newlines = source.text.slice(blank.start, blank.end).split('\n').length - 1;
    if (newlines !== 1 || !beginsLine(source.text, comment.start)) break;
    start = comment.start;
  }
  return start;
}

function siblingBefore(form: SyntaxNode, source: Source): SyntaxNode | undefined {
  const { children } = parentOf(form, source);
  return children[children.indexOf(form) - 1];
}

function parentOf(form: SyntaxNode, { tree }: Source): Branch {
  for (const { node, parents } of walk(tree)) if (node === form) return parents.at(-1) ?? tree;
  return tree;
}

function beginsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** Blanks in front of it in its line; none where anything else is there. */
function indentation(text: string, offset: number): string {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return before.trim() === '' ? before : '';
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
