/**
 * Edits a source text by its forms. All that is not named keeps its bytes, line ends included, and what would leave the text
 * unbalanced is refused with what is wrong, never mended.
 */
import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import { HarborError } from '../contract/errors';
import { diagnosisOf, diagnosisText } from './diagnosis';
import type { Dialect } from './dialect';
import { type FormQuery, formTitle, locate } from './locate';
import { gapAfter, gapBefore, type Range, rangeToDelete } from './margins';
import { Positions } from './positions';
import { read, type Source } from './reader';
import { formsOf } from './syntax-tree';
import type { TopLevelForm } from './top-level';

export type Edit = FormQuery &
  (
    | { operation: 'replace' | 'insert_before' | 'insert_after'; content: string }
    | { operation: 'delete' }
    | { operation: 'patch'; oldText: string; newText: string }
  );

export interface Edited {
  text: string;
  /** What the form is called that the edit was about. */
  form: string;
}

/**
 * The text with the edit in it.
 * @throws HarborError `bad_arguments`: the form is not there or not the only one, the text to patch is not in it exactly
 * once, or delimiters do not match, in the text, in what is put in or in the result
 */
export function edited(source: Source, edit: Edit): Edited {
  if (source.problem !== null)
    throw unbalanced(
      'The file cannot be edited by its forms before it is written anew, mended, because its delimiters do not match:',
      source,
    );
  const form = locate(source, edit);
  const { text } = source;
  const { start, end, put } = change(source, form, edit);
  const result = text.slice(0, start) + put + text.slice(end);
  const after = read(result, source.dialect);
  if (after.problem !== null) throw unbalanced('The edit would leave the file unbalanced:', after);
  const added =
    edit.operation === 'patch' ? 0 : formsIn(put, source) - formsIn(text.slice(start, end), source);
  if (form.depth === 0 && formsOf(after.tree).length !== formsOf(source.tree).length + added)
    throw new HarborError(
      'bad_arguments',
      'The edit would run into the text beside it. Has a comment swallowed what follows? End it with a newline.',
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

/** @throws HarborError `bad_arguments` unless it is one form or more */
function wholeForms(content: string, { text, dialect }: Source): string {
  const trimmed = content.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const inside = read(trimmed, dialect);
  if (inside.problem !== null) throw unbalanced('content is not whole:', inside);
  if (formsOf(inside.tree).length === 0)
    throw new HarborError('bad_arguments', 'content holds no form. To take a form out, use delete.');
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
 * The text with the one place changed where `oldText` is. What was wrong with its delimiters may stay wrong.
 * @param dialect null for what is no Lisp
 * @throws HarborError `bad_arguments`, also for what would leave Lisp unbalanced
 */
export function patchedText(text: string, oldText: string, newText: string, dialect: Dialect | null): string {
  const wanted = withLineEnds(oldText, text);
  const start = onlyPlace(text, wanted, { where: 'the file', text, from: 0 });
  const result = text.slice(0, start) + withLineEnds(newText, text) + text.slice(start + wanted.length);
  const after = dialect && read(result, dialect);
  if (after?.problem && read(text, after.dialect).problem === null)
    throw unbalanced('The edit would leave the file unbalanced:', after);
  return result;
}

/** Which part of a file is searched: its name in a sentence, the file's text and where the part begins in it. */
interface SearchedPart {
  where: string;
  text: string;
  from: number;
}

/** Where `wanted` is in `part`. @throws HarborError `bad_arguments` unless it is there once */
function onlyPlace(part: string, wanted: string, { where, text, from }: SearchedPart): number {
  const places = wanted === '' ? [] : placesOf(part, wanted);
  const [place] = places;
  if (place === undefined)
    throw new HarborError(
      'bad_arguments',
      `old_text does not occur in ${where}. It must be there to the character, blanks and newlines too.`,
    );
  if (places.length === 1) return place;
  const positions = new Positions(text);
  const lines = [...new Set(places.map((each) => positions.line(from + each)))];
  throw new HarborError(
    'bad_arguments',
    `old_text occurs ${places.length} times in ${where}, at line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}. Take in more of what is around it.`,
  );
}

/** Where `wanted` begins in `text`, without overlaps. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function formsIn(text: string, { dialect }: Source): number {
  return formsOf(read(text, dialect).tree).length;
}

/** Line ends as the file has them. */
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

/** Texts that differ everywhere would take too long to compare. */
const LONGEST_MS = 500;

/** null for texts that are too different to compare; empty for equal ones. Carriage returns are told as they are. */
export function differenceText(file: string, before: string, after: string): string | null {
  if (before === after) return '';
  const options = { headerOptions: OMIT_HEADERS, context: 3, timeout: LONGEST_MS };
  const changes = createTwoFilesPatch(file, file, before, after, undefined, undefined, options);
  // Headers of our own: those of the library are for git, which spells names of other scripts in octal.
  return changes === undefined ? null : `--- ${file}\n+++ ${file}\n${changes}`;
}
