/** The tool `search_files`: files by a glob, and their lines that match a regular expression. Profiles offer it under their own names. */
import { basename, matchesGlob, relative } from 'node:path';
import { z } from 'zod';
import { cut } from '../../history/cut-text';
import { Pattern } from '../../source/pattern';
import { filesAt } from '../../source/search';
import { LARGEST_FILE, textOf } from '../../source/text-file';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import { type FileToolOptions, fileCaller } from './text-files';

/** Of one answer, unless fewer are asked for. */
const MOST = 1_000;
/** Characters of a line that is shown. */
const LONGEST_LINE = 300;

const SearchArguments = z.strictObject({
  path: z.string().min(1).max(4000).optional().describe('A folder, file or jar; omitted: the project'),
  glob: z.string().min(1).max(500).optional().describe('Which files, such as **/*.clj'),
  pattern: z.string().min(1).max(500).optional().describe('Lines to find; omitted: the files are named'),
  ignore_case: z.boolean().optional(),
  limit: z.int().min(1).max(MOST).optional(),
});
type SearchArguments = z.output<typeof SearchArguments>;

const Found = z.object({ file: z.string(), line: z.int().optional(), text: z.string().optional() });
type Found = z.output<typeof Found>;

const SearchResult = z.object({ found: z.array(Found), limited: z.boolean(), notes: z.array(z.string()) });

export function searchFilesTool(options: FileToolOptions): Tool<typeof SearchArguments, typeof SearchResult> {
  return {
    name: 'search_files',
    title: 'Search files',
    description: 'Names files by a glob, or their lines that match a regular expression.',
    scope: 'read',
    args: SearchArguments,
    result: SearchResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { limit = MOST } = args;
      const notes: string[] = [];
      const found: Found[] = [];
      // One more tells that there are more.
      for await (const each of matchesIn(args, caller, options, notes)) if (found.push(each) > limit) break;
      const limited = found.length > limit;
      const structured = { found: found.slice(0, limit), limited, notes };
      const lines = structured.found.map(({ file, line, text }) =>
        line ? `${file}:${line}: ${text ?? ''}` : file,
      );
      const more = limited ? [`; more than ${limit}`] : [];
      const told = notes.map((note) => `; note: ${note}`);
      return {
        structured,
        text: [lines.join('\n') || 'Nothing found.', ...more, ...told].join('\n'),
        isError: false,
      };
    },
  };
}

/** @throws HarborError `bad_arguments` for the pattern, and as `GuardedFiles.read` for the path */
async function* matchesIn(
  { path = '.', glob, pattern: written, ignore_case: ignoreCase }: SearchArguments,
  caller: Caller,
  { files }: FileToolOptions,
  notes: string[],
): AsyncGenerator<Found> {
  const pattern = written === undefined ? null : new Pattern(written, ignoreCase ? 'i' : '');
  const lastPart = glob === undefined ? '*' : basename(glob);
  const place = {
    ...{ path, signal: caller.signal, caller: fileCaller(caller) },
    // `**` alone stands for files as well.
    isWanted: (name: string) => lastPart === '**' || matchesGlob(name, lastPart),
  };
  for await (const { path: file, bytes } of filesAt(files, caller.project, place, notes)) {
    const shown = shortPath(file, caller.project);
    if (glob !== undefined && !isMeant(file, path, glob, caller)) continue;
    if (pattern === null) yield { file: shown };
    else yield* linesIn(shown, bytes, pattern);
  }
}

/** A glob without a folder means files at any depth. */
function isMeant(file: string, path: string, glob: string, { project }: Caller): boolean {
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
    if (isMatch) yield { file, line: index + 1, text: cut(lines[index] ?? '', LONGEST_LINE) };
}
