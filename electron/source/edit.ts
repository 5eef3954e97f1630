/**
 * Edits source text by its forms. All other text keeps its bytes, including line ends. An edit that would
 * leave the text unbalanced is refused with a diagnosis.
 */
import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import { HarborError } from '../contract/errors';
import { clojureLexeme } from './clojure-lexer';
import { diagnosisOf, diagnosisText, problemOffset } from './diagnosis';
import type { Dialect } from './dialect';
import { endOfByteOrderMark } from './lexeme';
import { type FormQuery, formTitle, locate } from './locate';
import { readFile, usesOwnSyntax } from './own-syntax';
import { read, type Source } from './reader';
import { type Branch, formsOf, type SyntaxNode, walk } from './syntax-tree';
import { Positions } from './text';
import type { TopLevelForm } from './top-level-forms';

export type Edit = FormQuery &
  (
    | { operation: 'replace' | 'insert_before' | 'insert_after'; content: string }
    | { operation: 'delete' }
    | { operation: 'patch'; oldText: string; newText: string }
  );

export interface EditResult {
  text: string;
  /** Title of the edited form. */
  form: string;
}

/**
 * Returns the text with the edit.
 * @throws HarborError `bad_arguments`: the form does not exist or is not unique, the text to patch does not
 *   occur exactly once, or delimiters do not match in the text, the new content or the result
 */
export function applyEdit(source: Source, edit: Edit): EditResult {
  if (source.problem !== null)
    throw unbalanced(
      'The file cannot be edited by form because its delimiters do not match. Write it again with correct delimiters:',
      source,
    );
  const form = locate(source, edit);
  const { text } = source;
  const { start, end, put } = change(source, form, edit);
  const result = text.slice(0, start) + put + text.slice(end);
  const after = readFile(result, source.dialect);
  if (after.problem !== null)
    throw edit.operation === 'patch'
      ? unbalancedPatch(after, { start, end: start + put.length }, text.slice(start, end))
      : unbalanced('The edit would leave the file unbalanced:', after);
  const added =
    edit.operation === 'patch' ? 0 : formsIn(put, source) - formsIn(text.slice(start, end), source);
  if (form.depth === 0 && formsOf(after.tree).length !== formsOf(source.tree).length + added)
    throw new HarborError(
      'bad_arguments',
      'The edit would merge with adjacent text. If it ends with a comment, end that with a newline.',
    );
  return { text: result, form: formTitle(form, source.dialect) };
}

interface Change extends Range {
  put: string;
}

function change(source: Source, form: TopLevelForm, edit: Edit): Change {
  switch (edit.operation) {
    case 'replace':
      return { start: form.form.start, end: form.form.end, put: wholeForms(edit.content, source) };
    case 'delete':
      return { ...rangeToDelete(source, form), put: '' };
    case 'patch':
      return patched(source, form, edit.oldText, edit.newText);
    case 'insert_before':
    case 'insert_after': {
      const content = wholeForms(edit.content, source);
      const eol = lineEnd(source.text);
      const gap =
        edit.operation === 'insert_before' ? gapBefore(source, form, eol) : gapAfter(source, form, eol);
      return { start: gap.at, end: gap.at, put: gap.before + content + gap.after };
    }
  }
}

/** @throws HarborError `bad_arguments` unless it contains one form or more */
function wholeForms(content: string, { text, dialect }: Source): string {
  const trimmed = content.replace(/^\uFEFF?(?:[ \t]*\r?\n)*/, '').trimEnd();
  const inside = read(trimmed, dialect);
  if (inside.problem !== null && !usesOwnSyntax(trimmed, dialect))
    throw unbalanced('content is incomplete:', read(content.trimEnd(), dialect));
  if (formsOf(inside.tree).length === 0)
    throw new HarborError('bad_arguments', 'content has no form. To remove a form, use delete.');
  return withLineEnds(trimmed, text);
}

/** @throws HarborError `bad_arguments` */
function patched({ text }: Source, { whole }: TopLevelForm, oldText: string, newText: string): Change {
  const own = text.slice(whole.start, whole.end);
  const wanted = withLineEnds(oldText, text);
  const start = whole.start + onlyPlace(own, wanted, { where: 'the form', text, from: whole.start });
  return { start, end: start + wanted.length, put: withLineEnds(newText, text) };
}

/**
 * Returns the text with the only occurrence of `oldText` replaced. Delimiters that were unbalanced before may
 * stay so.
 * @param dialect null for text that is no Lisp
 * @throws HarborError `bad_arguments`, also if it would leave Lisp text unbalanced
 */
export function patchText(text: string, oldText: string, newText: string, dialect: Dialect | null): string {
  const wanted = withLineEnds(oldText, text);
  const start = onlyPlace(text, wanted, { where: 'the file', text, from: 0 });
  const put = withLineEnds(newText, text);
  const result = text.slice(0, start) + put + text.slice(start + wanted.length);
  const after = dialect && readFile(result, dialect);
  if (after?.problem && readFile(text, after.dialect).problem === null)
    throw unbalancedPatch(after, { start, end: start + put.length }, wanted);
  return result;
}

/** The part of a file to search: its description, the text of the file, and the offset of the part. */
interface SearchedPart {
  where: string;
  text: string;
  from: number;
}

/**
 * Returns the offset of `wanted` in `part`. @throws HarborError `bad_arguments` unless it occurs exactly once
 */
function onlyPlace(part: string, wanted: string, { where, text, from }: SearchedPart): number {
  const places = wanted === '' ? [] : placesOf(part, wanted);
  const [place] = places;
  if (place === undefined)
    throw new HarborError(
      'bad_arguments',
      `old_text does not occur in ${where}. It must match exactly, including blanks and newlines.`,
    );
  if (places.length === 1) return place;
  const positions = new Positions(text);
  const lines = [...new Set(places.map((each) => positions.line(from + each)))];
  throw new HarborError(
    'bad_arguments',
    `old_text occurs ${places.length} times in ${where}, at line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}. Include more of the surrounding text.`,
  );
}

/** Returns the offsets of `wanted` in `text`, without overlaps. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function formsIn(text: string, { dialect }: Source): number {
  return formsOf(read(text, dialect).tree).length;
}

/** Converts line ends to those of the file. */
export function withLineEnds(text: string, file: string): string {
  return text.replace(/\r?\n/g, lineEnd(file));
}

export function lineEnd(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

function unbalanced(what: string, source: Source): HarborError {
  const diagnosis = diagnosisOf(source);
  return new HarborError('bad_arguments', [what, ...(diagnosis ? [diagnosisText(diagnosis)] : [])].join(' '));
}

/**
 * Returns the error for a patch after which the text is unbalanced, in lines and columns of `new_text` if the
 * problem is in it. A patch may replace a part of a form, so `new_text` alone need not be balanced.
 */
function unbalancedPatch(after: Source, put: Range, oldText: string): HarborError {
  const { text, dialect, problem } = after;
  const newText = text.slice(put.start, put.end);
  const [was, is] = [read(oldText, dialect), read(newText, dialect)];
  const own = was.problem === null ? diagnosisOf(is) : null;
  if (own) return new HarborError('bad_arguments', `new_text is unbalanced: ${diagnosisText(own)}`);
  const { message } = unbalanced('The edit would leave the file unbalanced:', after);
  const [before, now] = [openIn(was), openIn(is)];
  if (before !== now)
    return new HarborError(
      'bad_arguments',
      `${message} old_text opens ${before} more than it closes, new_text ${now}.`,
    );
  const at = problem === null ? -1 : problemOffset(problem) - put.start;
  if (at < 0 || at >= newText.length) return new HarborError('bad_arguments', message);
  const { line, column } = new Positions(newText).of(at);
  return new HarborError('bad_arguments', `${message} In new_text that is line ${line}, column ${column}.`);
}

/** Returns the number of delimiters that the text opens and does not close; negative for the opposite. */
function openIn({ problem, text, dialect }: Source): number {
  if (problem === null) return 0;
  if (problem.kind === 'unclosed') return problem.openers.length;
  if (problem.kind !== 'stray') return 0;
  return openIn(read(text.slice(problem.closer + 1), dialect)) - 1;
}

/** Time limit of a comparison in milliseconds. */
const LONGEST_MS = 500;

/**
 * Returns a unified diff: empty for equal texts, null if the comparison takes too long. Carriage returns are
 * included.
 */
export function unifiedDiff(file: string, before: string, after: string): string | null {
  if (before === after) return '';
  const options = { headerOptions: OMIT_HEADERS, context: 3, timeout: LONGEST_MS };
  const changes = createTwoFilesPatch(file, file, before, after, undefined, undefined, options);
  // The library's headers follow git, which writes non-ASCII file names in octal.
  return changes === undefined ? null : `--- ${file}\n+++ ${file}\n${changes}`;
}

/** Result of replacing expressions in Clojure source. Blanks and comments do not count in a match. */
interface ReplacedExpressions {
  text: string;
  /** Lines, from 1, of the expressions that were replaced, and of those that were not. */
  replaced: number[];
  left: number[];
}

/**
 * Replaces an expression.
 * @param expression one or more adjacent forms
 * @param by replacement: forms, or nothing
 * @param all whether to replace all occurrences, or the first one
 * @throws HarborError `bad_arguments`: it does not occur, or delimiters do not match in the expression, the
 *   replacement or the text
 */
export function replaceExpressions(
  text: string,
  expression: string,
  by: string,
  all: boolean,
): ReplacedExpressions {
  for (const [what, code] of Object.entries({ expression, replacement: by, file: text })) {
    const diagnosis = diagnosisOf(read(code, 'clojure'));
    if (diagnosis)
      throw new HarborError(
        'bad_arguments',
        `The delimiters of the ${what} do not match. ${diagnosisText(diagnosis)}`,
      );
  }
  const places = occurrences(text, expression);
  if (places.length === 0)
    throw new HarborError(
      'bad_arguments',
      'The expression does not occur in the file. Only blanks and comments may differ.',
    );
  const chosen = all ? places : places.slice(0, 1);
  const positions = new Positions(text);
  const lines = (of: readonly Place[]) => of.map(({ start }) => positions.line(start));
  const put = chosen
    .toReversed()
    .reduce((now, { start, end }) => now.slice(0, start) + by.trim() + now.slice(end), text);
  return { text: put, replaced: lines(chosen), left: lines(places.slice(chosen.length)) };
}

interface Place {
  start: number;
  end: number;
}

/** Returns occurrences without overlaps. */
function occurrences(text: string, expression: string): Place[] {
  const sought = lexemes(expression).map(({ written }) => written);
  const there = lexemes(text);
  const places: Place[] = [];
  if (sought.length === 0) return places;
  for (let at = 0; at + sought.length <= there.length; at += 1) {
    if (!sought.every((written, index) => there[at + index]?.written === written)) continue;
    const last = at + sought.length - 1;
    places.push({ start: there[at]?.start ?? 0, end: there[last]?.end ?? 0 });
    at = last;
  }
  return places;
}

/**
 * Returns the significant lexemes as written. Delimiters match in the expression, so a match of its lexemes
 * consists of whole forms.
 */
function lexemes(text: string): (Place & { written: string })[] {
  const found: (Place & { written: string })[] = [];
  for (let start = 0; start < text.length; ) {
    const { kind, end } = clojureLexeme(text, start);
    if (kind !== 'blank' && kind !== 'comment') found.push({ start, end, written: text.slice(start, end) });
    start = end;
  }
  return found;
}

/** A range of the text around a form. */
interface Range {
  start: number;
  end: number;
}

/** A place for new text, and the separators before and after it. */
interface Gap {
  at: number;
  before: string;
  after: string;
}

/** Returns the place above the form and the comments directly above it. */
function gapBefore(source: Source, { whole, depth }: TopLevelForm, eol: string): Gap {
  const { text } = source;
  const at = startWithComments(whole, source);
  const indent = indentation(text, at);
  return { at, before: '', after: depth > 0 ? eol + indent : eol + eol + indent };
}

/**
 * Returns the place below the form and a comment after it in its line, or directly after it if its line
 * continues.
 */
function gapAfter({ text }: Source, { whole, depth }: TopLevelForm, eol: string): Gap {
  const rest = /^[ \t]*(?:;[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(whole.end, endOfLine(text, whole.end) + 1));
  const at = whole.end + (rest?.[0].trimEnd().length ?? 0);
  const ends = rest !== null || /^[ \t]*[)\]}]/.test(text.slice(at, at + 100));
  const indent = indentation(text, whole.start);
  return { at, before: depth > 0 ? eol + indent : eol + eol, after: ends ? '' : eol };
}

/**
 * Returns the form with its lines, if nothing else is in them, and the blank lines after them; at the end of
 * the file, those before.
 */
function rangeToDelete(source: Source, { whole }: TopLevelForm): Range {
  const { text } = source;
  const lineStart = startOfLine(text, whole.start);
  const alone = text.slice(lineStart, whole.start).trim() === '';
  const blank = /^[ \t]*(?:\r?\n|$)(?:[ \t]*\r?\n)*/.exec(text.slice(whole.end))?.[0];
  if (alone && blank !== undefined) {
    const end = whole.end + blank.length;
    return { start: end === text.length ? startOfBlankLines(text, lineStart) : lineStart, end };
  }
  const before = siblingBefore(whole, source);
  // A comment before it would include what follows.
  const start = before?.kind === 'blank' && !endsComment(text, before) ? before.start : whole.start;
  return { start, end: whole.end };
}

/** Returns the start of the blank lines directly above the line at `offset`. */
function startOfBlankLines(text: string, offset: number): number {
  const above = text.slice(0, offset);
  const written = above.trimEnd().length;
  return written === 0 ? endOfByteOrderMark(text, 0) : Math.min(endOfLine(text, written) + 1, offset);
}

function endsComment(text: string, { start }: SyntaxNode): boolean {
  return text.slice(startOfLine(text, start), start).includes(';');
}

/** Returns the start of the comments above a form without an empty line between. */
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
  return text.slice(startOfLine(text, offset), offset).trim() === '';
}

/** Returns the blanks before it in its line; empty if anything else is there. */
function indentation(text: string, offset: number): string {
  const before = text.slice(startOfLine(text, offset), offset);
  return before.trim() === '' ? before : '';
}

/** Returns the start of the line at `offset`, after a byte order mark. */
function startOfLine(text: string, offset: number): number {
  return endOfByteOrderMark(text, text.lastIndexOf('\n', offset - 1) + 1);
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
