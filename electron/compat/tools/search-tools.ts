/**
 * Tools that search files: `search_files` by a glob and a regular expression, `search_forms` by Lisp form,
 * and `list_directory`. Profiles offer them under their own names.
 */

import { basename, matchesGlob, relative } from 'node:path';
import { z } from 'zod';
import { type Note, NoteText, note } from '../../contract/note';
import { cut } from '../../history/long-text';
import { type MatchingLine, matchingLines, Pattern } from '../../source/regexp-search';
import { filesAt, incompleteFolderNote, visibleEntries } from '../../source/search';

import { LARGEST_FILE, textOf } from '../../source/text';
import { type FileToolOptions, fileCaller } from '../../tools/files/text-files';
import { shortPath } from '../../tools/source-places';
import type { Caller, Tool } from '../../tools/tool';

/** Maximum number of results. */
const MAX_RESULTS = 1_000;
/** Maximum characters of a shown line. */
const MAX_LINE_LENGTH = 300;

const SearchFilesArguments = z.strictObject({
  path: z.string().min(1).max(4000).optional().describe('A folder, file or jar; default: the project'),
  glob: z.string().min(1).max(500).optional().describe('Which files, such as **/*.clj'),
  pattern: z.string().min(1).max(500).optional().describe('Lines to find; default: files are listed'),
  ignore_case: z.boolean().optional(),
  limit: z.int().min(1).max(MAX_RESULTS).optional(),
});
type SearchFilesArguments = z.output<typeof SearchFilesArguments>;

const Found = z.object({ file: z.string(), line: z.int().optional(), text: z.string().optional() });
type Found = z.output<typeof Found>;

const SearchFilesResult = z.object({
  found: z.array(Found),
  limited: z.boolean(),
  notes: z.array(NoteText),
});

export function searchFilesTool(
  options: FileToolOptions,
): Tool<typeof SearchFilesArguments, typeof SearchFilesResult> {
  return {
    name: 'search_files',
    title: 'Search files',
    description: 'Lists files by a glob, or their lines that match a regular expression.',
    scope: 'read',
    args: SearchFilesArguments,
    result: SearchFilesResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { limit = MAX_RESULTS } = args;
      const notes: Note[] = [];
      const found: Found[] = [];
      // One more than the limit shows that there are more.
      for await (const each of matchesIn(args, caller, options, notes)) if (found.push(each) > limit) break;
      const limited = found.length > limit;
      const structured = { found: found.slice(0, limit), limited, notes };
      const lines = structured.found.map(({ file, line, text }) =>
        line ? `${file}:${line}: ${text ?? ''}` : file,
      );
      const more = limited ? [`; more than ${limit}`] : [];
      return {
        structured,
        text: [lines.join('\n') || 'Nothing found.', ...more].join('\n'),
        notes,
        isError: false,
      };
    },
  };
}

/** @throws HarborError `bad_arguments` for the pattern, and as `GuardedFiles.read` for the path */
async function* matchesIn(
  { path = '.', glob, pattern: written, ignore_case: ignoreCase }: SearchFilesArguments,
  caller: Caller,
  { files }: FileToolOptions,
  notes: Note[],
): AsyncGenerator<Found> {
  const pattern = written === undefined ? null : new Pattern(written, ignoreCase ? 'i' : '');
  const lastPart = glob === undefined ? '*' : basename(glob);
  const place = {
    ...{ path, signal: caller.signal, caller: fileCaller(caller) },
    // `**` alone matches files as well.
    isWanted: (name: string) => lastPart === '**' || matchesGlob(name, lastPart),
  };
  for await (const { path: file, bytes } of filesAt(files, caller.project, place, notes)) {
    const shown = shortPath(file, caller.project);
    if (glob !== undefined && !isRequested(file, path, glob, caller)) continue;
    if (pattern === null) yield { file: shown };
    else yield* linesIn(shown, bytes, pattern);
  }
}

/** A glob without a folder matches files at any depth. */
function isRequested(file: string, path: string, glob: string, { project }: Caller): boolean {
  if (!glob.includes('/')) return matchesGlob(basename(file), glob);
  const [outer = '', inner] = file.split('!/');
  const below = inner ?? shortPath(outer, project);
  return matchesGlob(below, glob) || matchesGlob(relative(path, below), glob);
}

function* linesIn(file: string, bytes: Uint8Array, pattern: Pattern): Generator<Found> {
  const text = bytes.length > LARGEST_FILE ? undefined : textOf(bytes)?.text;
  if (text === undefined) return;
  const lines = text.split(/\r?\n/);
  for (const [index, isMatch] of pattern.matches(lines).entries())
    if (isMatch) yield { file, line: index + 1, text: cut(lines[index] ?? '', MAX_LINE_LENGTH) };
}

const LISP_FILE = /\.(?:lisp|lsp|cl|asd|ros)$/i;
/** Maximum number of results. */
export const MAX_MATCHES = 1000;
const DEFAULT_MATCHES = 200;
/** Maximum characters of a shown form. */
const MAX_FORM_LENGTH = 2000;

const SearchFormsArguments = z.strictObject({
  pattern: z.string().min(1).max(500),
  path: z.string().min(1).max(4000).optional().describe('A folder or file; default: the project'),
  recursive: z.boolean().optional(),
  ignore_case: z.boolean().optional(),
  form_types: z.array(z.string().max(200)).max(100).optional(),
  limit: z.int().min(1).max(MAX_MATCHES).optional(),
  forms: z.boolean().optional().describe('With the whole forms'),
});
type SearchFormsArguments = z.output<typeof SearchFormsArguments>;

const SearchedForm = z.object({
  file: z.string(),
  line: z.int(),
  match: z.string(),
  match_lines: z
    .array(z.object({ line: z.int(), match: z.string() }))
    .optional()
    .describe('For a form in which several lines match'),
  package: z.string().optional(),
  'form-type': z.string(),
  'form-name': z.string().optional(),
  signature: z.string().optional(),
  'form-start-line': z.int(),
  'form-end-line': z.int(),
  form: z.string().optional(),
});

export type SearchedForm = z.output<typeof SearchedForm>;

const SearchFormsResult = z.object({
  matches: z.array(SearchedForm),
  count: z.int(),
  limited: z.boolean(),
  notes: z.array(NoteText),
});

export function searchFormsTool({
  files,
}: Pick<FileToolOptions, 'files'>): Tool<typeof SearchFormsArguments, typeof SearchFormsResult> {
  return {
    name: 'search_forms',
    title: 'Search forms',
    description: 'Searches Lisp files by a regular expression; returns the form around each match.',
    scope: 'read',
    args: SearchFormsArguments,
    result: SearchFormsResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { limit = DEFAULT_MATCHES } = args;
      const notes: Note[] = [];
      // One more than the limit shows that there are more.
      const found = await firstMatches(args, limit + 1, caller, files, notes);
      const matches = found.slice(0, limit);
      const limited = found.length > limit;
      if (limited)
        notes.push(note('cut', `There are more than ${limit}: raise limit, or narrow pattern or path.`));
      const structured = { matches, count: matches.length, limited, notes };
      const lines = matches.map((each) => `${each.file}:${each.line} ${each.signature ?? each.match}`);
      return { structured, text: lines.join('\n') || 'Nothing found.', isError: false };
    },
  };
}

/** @throws HarborError `bad_arguments` for the pattern, and as `GuardedFiles.read` for the path */
async function firstMatches(
  {
    pattern,
    path = '.',
    recursive = true,
    ignore_case: ignoreCase,
    form_types: types,
    forms,
  }: SearchFormsArguments,
  most: number,
  caller: Caller,
  files: FileToolOptions['files'],
  notes: Note[],
): Promise<SearchedForm[]> {
  const { project, signal } = caller;
  const sought = new Pattern(pattern, ignoreCase ? 'i' : '');
  const wanted = types && new Set(types.map((type) => type.toLowerCase()));
  const found: SearchedForm[] = [];
  const place = {
    ...{ path, signal, caller: fileCaller(caller), flat: !recursive },
    isWanted: (name: string) => LISP_FILE.test(name),
  };
  for await (const { path: file, bytes } of filesAt(files, project, place, notes)) {
    const text = bytes.length > LARGEST_FILE ? undefined : textOf(bytes)?.text;
    if (text === undefined) continue;
    for (const lines of byForm(matchingLines(text, sought))) {
      if (wanted && !wanted.has(lines[0].type.toLowerCase())) continue;
      found.push(searchedForm(lines, shortPath(file, project), forms === true));
      if (found.length === most) return found;
    }
  }
  return found;
}

type LinesOfForm = [MatchingLine, ...MatchingLine[]];

/** Groups the lines by the form around them, in order. */
function byForm(lines: readonly MatchingLine[]): Iterable<LinesOfForm> {
  const forms = new Map<number, LinesOfForm>();
  for (const line of lines) {
    const others = forms.get(line.start);
    if (others) others.push(line);
    else forms.set(line.start, [line]);
  }
  return forms.values();
}

function searchedForm(lines: LinesOfForm, file: string, whole: boolean): SearchedForm {
  const [{ line, text, package: inPackage, type, name, signature, startLine, endLine, form }] = lines;
  return {
    ...{ file, line, match: text },
    ...(lines.length === 1
      ? {}
      : { match_lines: lines.map((each) => ({ line: each.line, match: each.text })) }),
    ...(inPackage === null ? {} : { package: inPackage }),
    'form-type': type.toLowerCase(),
    ...(name === null ? {} : { 'form-name': name }),
    ...(signature === null ? {} : { signature }),
    ...{ 'form-start-line': startLine, 'form-end-line': endLine },
    ...(whole ? { form: form.slice(0, MAX_FORM_LENGTH) } : {}),
  };
}

const ListDirectoryArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('Relative to the project; . is the project itself'),
  hidden: z.boolean().optional().describe('With names that begin with a dot'),
});

const ListDirectoryResult = z.object({
  path: z.string(),
  entries: z.array(z.object({ name: z.string(), type: z.enum(['file', 'directory']) })),
  notes: z.array(NoteText),
});

export function listDirectoryTool(
  options: FileToolOptions,
): Tool<typeof ListDirectoryArguments, typeof ListDirectoryResult> {
  return {
    name: 'list_directory',
    title: 'List a folder',
    description: 'Lists the files and folders in a folder, without hidden and built ones.',
    scope: 'read',
    args: ListDirectoryArguments,
    result: ListDirectoryResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path, hidden = false }, caller) {
      const { project } = caller;
      const folder = await options.files.list(project, path, fileCaller(caller));
      const entries = visibleEntries(folder.entries, hidden);
      const shown = shortPath(folder.path, project) || '.';
      const structured = {
        path: shown,
        entries,
        notes: folder.complete ? [] : [incompleteFolderNote(shown)],
      };
      return { structured, text: JSON.stringify(entries), isError: false };
    },
  };
}
