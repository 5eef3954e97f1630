/**
 * The tool `read_file`: a Lisp file as the list of its definitions, with requested ones in full; other files
 * as they are.
 */

import { z } from 'zod';
import { HarborError, similarNames } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import { type Note, NoteText, note } from '../../contract/note';

import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { outlineText } from '../../source/outline';
import { unknownForms } from '../../source/own-syntax';
import type { Source } from '../../source/reader';
import { matches } from '../../source/regexp-search';
import { incompleteFolderNote, visibleEntries } from '../../source/search';
import { slice } from '../../source/text';
import { closingLines } from '../notes';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import {
  encodingNotes,
  type FileToolOptions,
  fileCaller,
  openText,
  sourceOf,
  type TextFile,
} from './text-files';

/** Maximum characters of one result. */
export const MAX_CHARACTERS = 1_048_576;
/** Default maximum characters of a file. */
const DEFAULT_CHARACTERS = 50_000;

/** Maximum offset; larger files are not read. */
const MAX_OFFSET = 67_108_864;

const count = z.int().min(0, 'must not be negative');

const ReadFileArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('Relative to the project, or in a library; x.jar!/a.clj'),
  offset: count
    .max(MAX_OFFSET, `at most ${MAX_OFFSET} characters (64 MiB)`)
    .optional()
    .describe('In characters'),
  limit: count.max(MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters (1 MiB)`).optional(),
  collapsed: z.boolean().optional(),
  name_pattern: z.string().max(500).optional().describe('Regex for names of forms'),
  content_pattern: z.string().max(500).optional().describe('Forms that contain it'),
});
type ReadFileArguments = z.output<typeof ReadFileArguments>;

const ReadFileResult = z.object({
  path: z.string(),
  content: z.string(),
  hash: z.string(),
  collapsed: z.boolean(),
  total: z.int().describe('Characters in the file'),
  next: z.int().optional().describe('Offset of the rest'),
  notes: z.array(NoteText),
});
type ReadFileResult = z.input<typeof ReadFileResult>;

export interface ReadFileOptions extends FileToolOptions {
  /** Whether forms that a pattern selects are returned with the outline of the others. */
  others?: boolean;
}

export function readFileTool(
  options: ReadFileOptions,
): Tool<typeof ReadFileArguments, typeof ReadFileResult> {
  return {
    name: 'read_file',
    title: 'Read a file',
    description:
      'Reads a text file of the project or of a library, or lists a folder. Lisp is collapsed to a line for each top-level form; a pattern returns matching forms in full; collapsed: false, offset or limit give plain text. Returns the hash that edits may expect.',
    scope: 'read',
    args: ReadFileArguments,
    result: ReadFileResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const structured = await readFile(args, caller, options).catch((error) =>
        readFolder(error, args.path, caller, options.files),
      );
      const { notes } = structured;
      return { structured, text: readText(structured, args.path), notes, verbatim: true, isError: false };
    },
  };
}

async function readFile(
  args: ReadFileArguments,
  caller: Caller,
  options: ReadFileOptions,
): Promise<ReadFileResult> {
  const file = await openText(args.path, caller, options, fileCaller(caller));
  return isCollapsed(args, file) ? asForms(file, args, options.others === true) : plain(file, args);
}

/**
 * Lists a folder. `error` is thrown if the path, which could not be read as a file, is not a folder either.
 */
async function readFolder(
  error: unknown,
  path: string,
  { project }: Pick<Caller, 'project'>,
  files: GuardedFiles,
): Promise<ReadFileResult> {
  if (!(error instanceof HarborError && error.code === 'not_a_file')) throw error;
  const folder = await files.list(project, path).catch(() => Promise.reject(error));
  const names = visibleEntries(folder.entries).map(({ name, type }) =>
    type === 'directory' ? `${name}/` : name,
  );
  const content = names.join('\n');
  const shown = shortPath(folder.path, project) || '.';
  const notes = folder.complete ? [FOLDER] : [FOLDER, incompleteFolderNote(shown)];
  return { path: shown, hash: '', collapsed: false, content, total: content.length, notes };
}

const FOLDER = note('folder', 'A folder, without hidden and built files.');

/** @throws HarborError `bad_arguments` for patterns in a file without forms */
function isCollapsed(args: ReadFileArguments, { path }: TextFile): boolean {
  const { offset, limit, name_pattern: names, content_pattern: contents } = args;
  const part = offset !== undefined || limit !== undefined;
  const wanted = args.collapsed ?? !part;
  if (wanted && dialectOfFile(path) !== null && !(part && args.collapsed === true)) return true;
  if (args.collapsed === true)
    throw new HarborError(
      'bad_arguments',
      part
        ? 'offset and limit are for plain text: leave out collapsed.'
        : `${path} is not a Lisp file, so it is read as plain text only.`,
    );
  if (names === undefined && contents === undefined) return false;
  throw new HarborError('bad_arguments', 'Patterns select forms of a collapsed Lisp file.', {
    mentions: [mention`To search any text, use ${ours('find', 'kind')} with kind text.`],
  });
}

/** Maximum number of forms in the note about unknown syntax. */
const MOST_UNKNOWN = 8;

function asForms(file: TextFile, args: ReadFileArguments, others: boolean): ReadFileResult {
  const source = sourceOf(file);
  const diagnosis = diagnosisOf(source);
  const { content, notes } = fitting(source, args, others);
  const wrong =
    diagnosis === null
      ? []
      : [note('unbalanced', `Its delimiters do not match. ${diagnosisText(diagnosis)}`)];
  const unknown = unknownForms(source);
  if (unknown.length > 0) wrong.push(note('own_syntax', unknownText(unknown)));
  const { total } = slice(file.text, 0, 0);
  return { ...factsOf(file, [...wrong, ...notes]), content, collapsed: true, total };
}

function unknownText(forms: readonly string[]): string {
  const shown = forms.slice(0, MOST_UNKNOWN).join(', ');
  const more = forms.length > MOST_UNKNOWN ? ` and ${forms.length - MOST_UNKNOWN} more` : '';
  return `Its reader syntax is not known here: ${shown}${more} can be read, patched and replaced as text; format leaves them.`;
}

/**
 * Returns the forms that a pattern selects, or the outline of all, within the limit.
 * @param others whether the outline of the other forms is included
 */
function fitting(
  source: Source,
  { name_pattern: names, content_pattern: contents }: ReadFileArguments,
  others: boolean,
): { content: string; notes: Note[] } {
  const expanded = {
    names: names === undefined ? null : (texts: readonly string[]) => matches(names, texts),
    contents: contents === undefined ? null : (texts: readonly string[]) => matches(contents, texts),
  };
  const pattern = names ?? contents;
  if (pattern === undefined) return cut(outlineText(source, expanded).text, 'Select forms by name_pattern');
  const chosen = outlineText(source, expanded, false);
  if (chosen.matched === 0)
    return { content: '', notes: [note('nothing_matched', nothingMatched(pattern, chosen.names))] };
  const all = others ? outlineText(source, expanded).text : '';
  if (all !== '' && all.length <= DEFAULT_CHARACTERS) return { content: all, notes: [] };
  const { content, notes } = cut(chosen.text, 'Narrow the pattern');
  const omitted = chosen.left === 0 ? [] : [note('cut', `${chosen.left} other forms are omitted.`)];
  return { content, notes: [...omitted, ...notes] };
}

function nothingMatched(pattern: string, names: readonly string[]): string {
  const near = similarNames(pattern, names);
  return `No form matches ${pattern}.${near === '' ? '' : ` There are: ${near}.`}`;
}

function cut(whole: string, advice: string): { content: string; notes: Note[] } {
  const { text, next } = slice(whole, 0, DEFAULT_CHARACTERS);
  const notes = [note('cut', `This is only the start. ${advice}, or read plain text by offset and limit.`)];
  return { content: text, notes: next === undefined ? [] : notes };
}

function plain(
  file: TextFile,
  { offset = 0, limit = DEFAULT_CHARACTERS }: ReadFileArguments,
): ReadFileResult {
  const { text, total, next } = slice(file.text, offset, limit);
  return {
    ...factsOf(file, []),
    content: text,
    collapsed: false,
    total,
    ...(next === undefined ? {} : { next }),
  };
}

function factsOf({ shown, hash, encoding }: TextFile, notes: readonly Note[]) {
  return { path: shown, hash, notes: [...encodingNotes(encoding), ...notes] };
}

/** Formats the result. The path is shown if it is not the requested one, the size if the text is cut. */
function readText({ path, content, hash, total, next }: ReadFileResult, requested: string): string {
  const facts = [
    ...(path === requested ? [] : [path]),
    ...(next === undefined ? [] : [`${total} characters, more from offset ${next}`]),
    ...(hash === '' ? [] : [`hash ${hash}`]),
  ];
  return [...(content === '' ? [] : [content]), ...closingLines(facts)].join('\n');
}
