/** The tool `search_forms`: what matches a regular expression in Lisp files, told by the forms. Profiles offer it under their own names. */
import { z } from 'zod';
import { type MatchingLine, matchingLines } from '../../source/matching-forms';
import { Pattern } from '../../source/pattern';
import { filesAt } from '../../source/search';
import { LARGEST_FILE, textOf } from '../../source/text-file';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import { type FileToolOptions, fileCaller } from './text-files';

const LISP_FILE = /\.(?:lisp|lsp|cl|asd|ros)$/i;
/** Of one answer. */
export const MOST_MATCHES = 1000;
const USUAL_MATCHES = 200;
/** Characters of a form that is shown. */
const LONGEST_FORM = 2000;

const SearchArguments = z.strictObject({
  pattern: z.string().min(1).max(500),
  path: z.string().min(1).max(4000).optional().describe('A folder or file; omitted: the project'),
  recursive: z.boolean().optional(),
  ignore_case: z.boolean().optional(),
  form_types: z.array(z.string().max(200)).max(100).optional(),
  limit: z.int().min(1).max(MOST_MATCHES).optional(),
  forms: z.boolean().optional().describe('With the whole forms'),
});
type SearchArguments = z.output<typeof SearchArguments>;

const SearchedForm = z.object({
  file: z.string(),
  line: z.int(),
  match: z.string(),
  match_lines: z
    .array(z.object({ line: z.int(), match: z.string() }))
    .optional()
    .describe('Of a form in which several lines match'),
  package: z.string().optional(),
  'form-type': z.string(),
  'form-name': z.string().optional(),
  signature: z.string().optional(),
  'form-start-line': z.int(),
  'form-end-line': z.int(),
  form: z.string().optional(),
});

export type SearchedForm = z.output<typeof SearchedForm>;

const SearchResult = z.object({
  matches: z.array(SearchedForm),
  count: z.int(),
  limited: z.boolean(),
  notes: z.array(z.string()),
});

export function searchFormsTool({
  files,
}: Pick<FileToolOptions, 'files'>): Tool<typeof SearchArguments, typeof SearchResult> {
  return {
    name: 'search_forms',
    title: 'Search forms',
    description: 'Searches Lisp files by a regular expression; answers the form that each match is in.',
    scope: 'read',
    args: SearchArguments,
    result: SearchResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { limit = USUAL_MATCHES } = args;
      const notes: string[] = [];
      // One more tells that there are more.
      const found = await firstMatches(args, limit + 1, caller, files, notes);
      const matches = found.slice(0, limit);
      const limited = found.length > limit;
      if (limited) notes.push(`There are more than ${limit}: raise limit, or narrow pattern or path.`);
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
  }: SearchArguments,
  most: number,
  caller: Caller,
  files: FileToolOptions['files'],
  notes: string[],
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

/** The lines by the form that they stand in, in order. */
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
    ...(whole ? { form: form.slice(0, LONGEST_FORM) } : {}),
  };
}
