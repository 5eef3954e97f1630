/** The tool `read_file`: Lisp files collapsed to their definitions, with those whole that are asked for; all else as it is. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { namesNear } from '../../contract/names-there';
import { collapsed } from '../../source/collapsed';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { cutFolder, listed } from '../../source/listed-files';
import { matches } from '../../source/pattern';
import type { Source } from '../../source/reader';
import { slice } from '../../source/slice';
import { closingLines } from '../closing-lines';
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

/** Characters that one answer carries. */
export const MOST_CHARACTERS = 1_048_576;
/** Characters of a file, unless more are asked for. */
const USUAL_CHARACTERS = 50_000;

/** Larger files are not read at all. */
const MOST_OFFSET = 67_108_864;

const count = z.int().min(0, 'must not be negative');

const ReadFileArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('Relative to the project, or in a library; x.jar!/a.clj'),
  offset: count
    .max(MOST_OFFSET, `at most ${MOST_OFFSET} characters (64 MiB)`)
    .optional()
    .describe('In characters'),
  limit: count.max(MOST_CHARACTERS, `at most ${MOST_CHARACTERS} characters (1 MiB)`).optional(),
  collapsed: z.boolean().optional(),
  name_pattern: z.string().max(500).optional().describe('Forms so named (regular expression)'),
  content_pattern: z.string().max(500).optional().describe('Forms that hold it'),
});
type ReadFileArguments = z.output<typeof ReadFileArguments>;

const ReadFileResult = z.object({
  path: z.string(),
  content: z.string(),
  hash: z.string(),
  collapsed: z.boolean(),
  total: z.int().describe('Characters in the file'),
  next: z.int().optional().describe('Offset to go on at'),
  notes: z.array(z.string()),
});
type ReadFileResult = z.infer<typeof ReadFileResult>;

export interface ReadFileOptions extends FileToolOptions {
  /** Whether forms that a pattern chooses come with the outline of the others. */
  others?: boolean;
}

export function readFileTool(
  options: ReadFileOptions,
): Tool<typeof ReadFileArguments, typeof ReadFileResult> {
  return {
    name: 'read_file',
    title: 'Read a file',
    description:
      'Reads a text file of the project or of a library, or lists a folder. Lisp comes collapsed, a line for each top-level form, or with a pattern the matching forms whole; collapsed: false, offset or limit give plain text. Answers the hash that edits may expect.',
    scope: 'read',
    args: ReadFileArguments,
    result: ReadFileResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const structured = await readFile(args, caller, options).catch((error) =>
        readFolder(error, args.path, caller, options.files),
      );
      return { structured, text: readText(structured, args.path), verbatim: true, isError: false };
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

/** The names in a folder; `error` where the path, which could not be read as a file, is none either. */
async function readFolder(
  error: unknown,
  path: string,
  { project }: Pick<Caller, 'project'>,
  files: GuardedFiles,
): Promise<ReadFileResult> {
  if (!(error instanceof HarborError && error.code === 'not_a_file')) throw error;
  const folder = await files.list(project, path).catch(() => Promise.reject(error));
  const names = listed(folder.entries).map(({ name, type }) => (type === 'directory' ? `${name}/` : name));
  const content = names.join('\n');
  const shown = shortPath(folder.path, project) || '.';
  const notes = folder.complete ? [FOLDER] : [FOLDER, cutFolder(shown)];
  return { path: shown, hash: '', collapsed: false, content, total: content.length, notes };
}

const FOLDER = 'A folder, without what is hidden or was built.';

/** @throws HarborError `bad_arguments` for patterns where they have no meaning */
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
        : `${path} is no Lisp file: it is read as plain text only.`,
    );
  if (names === undefined && contents === undefined) return false;
  throw new HarborError(
    'bad_arguments',
    'Patterns choose forms of a collapsed Lisp file. To search any text, use `find` with kind text.',
  );
}

function asForms(file: TextFile, args: ReadFileArguments, others: boolean): ReadFileResult {
  const source = sourceOf(file);
  const diagnosis = diagnosisOf(source);
  const { content, notes } = fitting(source, args, others);
  const wrong = diagnosis === null ? [] : [`Its delimiters do not match. ${diagnosisText(diagnosis)}`];
  const { total } = slice(file.text, 0, 0);
  return { ...factsOf(file, [...wrong, ...notes]), content, collapsed: true, total };
}

/** The forms that a pattern chooses, or the outline of all, and not more of it than anybody reads.
 * @param others whether the outline of the others belongs to what was chosen */
function fitting(
  source: Source,
  { name_pattern: names, content_pattern: contents }: ReadFileArguments,
  others: boolean,
): { content: string; notes: string[] } {
  const expanded = {
    names: names === undefined ? null : (texts: readonly string[]) => matches(names, texts),
    contents: contents === undefined ? null : (texts: readonly string[]) => matches(contents, texts),
  };
  const pattern = names ?? contents;
  if (pattern === undefined) return cut(collapsed(source, expanded).text, 'Choose forms by name_pattern');
  const chosen = collapsed(source, expanded, false);
  if (chosen.matched === 0) return { content: '', notes: [nothingMatched(pattern, chosen.names)] };
  const all = others ? collapsed(source, expanded).text : '';
  if (all !== '' && all.length <= USUAL_CHARACTERS) return { content: all, notes: [] };
  const { content, notes } = cut(chosen.text, 'Narrow the pattern');
  const left = chosen.left === 0 ? [] : [`${chosen.left} other forms are left out.`];
  return { content, notes: [...left, ...notes] };
}

function nothingMatched(pattern: string, names: readonly string[]): string {
  const near = namesNear(pattern, names);
  return `No form matches ${pattern}.${near === '' ? '' : ` There are: ${near}.`}`;
}

function cut(whole: string, advice: string): { content: string; notes: string[] } {
  const { text, next } = slice(whole, 0, USUAL_CHARACTERS);
  const notes = [`This is only the beginning. ${advice}, or read plain text by offset and limit.`];
  return { content: text, notes: next === undefined ? [] : notes };
}

function plain(file: TextFile, { offset = 0, limit = USUAL_CHARACTERS }: ReadFileArguments): ReadFileResult {
  const { text, total, next } = slice(file.text, offset, limit);
  return {
    ...factsOf(file, []),
    content: text,
    collapsed: false,
    total,
    ...(next === undefined ? {} : { next }),
  };
}

function factsOf({ shown, hash, encoding }: TextFile, notes: readonly string[]) {
  return { path: shown, hash, notes: [...encodingNotes(encoding), ...notes] };
}

/** The path is told where it is not the one that was asked for, the size where not all is shown. */
function readText({ path, content, hash, total, next, notes }: ReadFileResult, asked: string): string {
  const facts = [
    ...(path === asked ? [] : [path]),
    ...(next === undefined ? [] : [`${total} characters, more from offset ${next}`]),
    ...(hash === '' ? [] : [`hash ${hash}`]),
  ];
  return [...(content === '' ? [] : [content]), ...closingLines(facts, notes)].join('\n');
}
