/** The tool `read_file`: Lisp files collapsed to their definitions, with those whole that are asked for; all else as it is. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { collapsedText } from '../../source/collapsed';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { cutFolder, listed } from '../../source/listed-files';
import { matches } from '../../source/pattern';
import type { Source } from '../../source/reader';
import { slice } from '../../source/slice';
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
  name_pattern: z.string().max(500).optional().describe('Show forms so named whole (regular expression)'),
  content_pattern: z.string().max(500).optional().describe('Show forms that hold it whole'),
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

export function readFileTool(
  options: FileToolOptions,
): Tool<typeof ReadFileArguments, typeof ReadFileResult> {
  return {
    name: 'read_file',
    title: 'Read a file',
    description:
      'Reads a text file of the project or of an allowed library, or lists a folder. Lisp files come collapsed: a line for each top-level form, with those that a pattern names whole; collapsed: false, offset or limit give the plain text. Answers the hash that edits may expect.',
    scope: 'read',
    args: ReadFileArguments,
    result: ReadFileResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const structured = await readFile(args, caller, options).catch((error) =>
        readFolder(error, args.path, caller, options.files),
      );
      return { structured, text: readText(structured), verbatim: true, isError: false };
    },
  };
}

async function readFile(
  args: ReadFileArguments,
  caller: Caller,
  options: FileToolOptions,
): Promise<ReadFileResult> {
  const file = await openText(args.path, caller, options, fileCaller(caller));
  return isCollapsed(args, file) ? collapsed(file, args) : plain(file, args);
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

const FOLDER = 'This is a folder: what is in it, without what is hidden or was built.';

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

function collapsed(file: TextFile, args: ReadFileArguments): ReadFileResult {
  const source = sourceOf(file);
  const diagnosis = diagnosisOf(source);
  const { content, notes } = fitting(source, args);
  const wrong = diagnosis === null ? [] : [`Its delimiters do not match. ${diagnosisText(diagnosis)}`];
  const { total } = slice(file.text, 0, 0);
  return { ...factsOf(file, [...wrong, ...notes]), content, collapsed: true, total };
}

/** Of a long file only the forms that a pattern chooses, if there is one, and not more of them than anybody reads. */
function fitting(
  source: Source,
  { name_pattern: names, content_pattern: contents }: ReadFileArguments,
): { content: string; notes: string[] } {
  const expanded = {
    names: names === undefined ? null : (titles: readonly string[]) => matches(names, titles),
    contents: contents === undefined ? null : (texts: readonly string[]) => matches(contents, texts),
  };
  const all = collapsedText(source, expanded);
  if (all.length <= USUAL_CHARACTERS) return { content: all, notes: [] };
  if (names === undefined && contents === undefined) return cut(all, 'Choose forms by name_pattern');
  const { content, notes } = cut(collapsedText(source, expanded, false), 'Narrow the pattern');
  return { content, notes: ['The file is long: forms that no pattern matches are left out.', ...notes] };
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

function readText({ path, content, hash, collapsed: short, total, next, notes }: ReadFileResult): string {
  const facts = [path, `${total} characters`, short ? 'collapsed' : 'plain text', hash && `hash ${hash}`];
  return [
    content,
    `; ${facts.filter(Boolean).join(' · ')}`,
    ...(next === undefined ? [] : [`; more: offset ${next}`]),
    ...notes.map((note) => `; note: ${note}`),
  ].join('\n');
}
