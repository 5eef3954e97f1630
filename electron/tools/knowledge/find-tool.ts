/** The tool `find`: where names are defined, who uses them, which names there are, and what no file holds. It asks the image;
 * files are searched where the image does not know, or where a path is named. */
import { z } from 'zod';
import { type ErrorCode, HarborError } from '../../contract/errors';
import type { FindKind, FindRequest } from '../../contract/knowledge';
import type { History } from '../../history/history';
import type { Sessions } from '../../sessions/sessions';
import type { GuardedFiles } from '../../source/files';
import { sessionOf } from '../arguments';
import { findInFiles, isInFiles } from '../files/find-in-files';
import { PlaceResult, placeText, SourcePlaces } from '../source-places';
import type { Caller, Tool } from '../tool';

export interface FindToolOptions {
  sessions: Sessions;
  history: History;
  files: GuardedFiles;
}

/** Of an image. */
const KINDS = {
  definition: 'definitions',
  reference: 'references',
  caller: 'callers',
  apropos: 'apropos',
  completion: 'completions',
  unsaved: 'unsaved',
} as const satisfies Record<string, FindKind>;

const FindArguments = z.strictObject({
  query: z.string().max(500).describe('A symbol; for apropos, completion and unsaved a part of one'),
  kind: z.enum([...(Object.keys(KINDS) as (keyof typeof KINDS)[]), 'text']),
  session: z.string().optional(),
  path: z.string().max(4000).optional().describe('Search this file, folder or jar, not the image'),
  package: z.string().max(500).optional().describe('Where query is looked up; for apropos the one searched'),
  external: z.boolean().optional().describe('apropos: exported symbols only'),
  only: z.array(z.enum(['function', 'macro', 'variable', 'class', 'type', 'theorem'])).optional(),
  limit: z.int().min(1).max(500).optional(),
});
type FindArguments = z.output<typeof FindArguments>;

const FindingResult = z.object({
  kind: z.string(),
  text: z.string(),
  arglist: z.string().optional(),
  value: z.string().optional(),
  documentation: z.string().optional(),
  source: PlaceResult.optional(),
  form: z.string().optional(),
  command: z.int().optional(),
  builtIn: z.boolean().optional(),
});
export type FindingResult = z.infer<typeof FindingResult>;

const FindResult = z.object({
  session: z.string().optional(),
  results: z.array(FindingResult),
  total: z.int(),
  notes: z.array(z.string()),
});
type FindResult = z.infer<typeof FindResult>;

export function findTool(options: FindToolOptions): Tool<typeof FindArguments, typeof FindResult> {
  return {
    name: 'find',
    title: 'Find definitions and uses',
    description:
      'Finds in the live image: where a name is defined (file and line), callers, references, names by part (apropos), completions, or, with kind unsaved, definitions that no file holds. What it does not know, kind text and any path are searched in source files. Evaluates nothing.',
    scope: 'read',
    args: FindArguments,
    result: FindResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const structured = await found(args, caller, options);
      return { structured, text: findingsText(structured), isError: false };
    },
  };
}

/** In the image; in files where those are asked for, and where the image knows nothing of what files could tell. */
async function found(args: FindArguments, caller: Caller, options: FindToolOptions): Promise<FindResult> {
  const { kind } = args;
  if (kind === 'text' || args.path !== undefined) return findInFiles(args, caller, options.files);
  if (!isInFiles(kind)) return inImage({ ...args, kind }, caller, options);
  const image = await inImage({ ...args, kind }, caller, options).catch((error) => ignorance(error, args));
  if (!(image instanceof HarborError) && image.total > 0) return image;
  const files = await findInFiles(args, caller, options.files).catch(nullForRefused);
  if (files !== null && files.total > 0) return besideImage(files, image);
  if (image instanceof HarborError) throw image;
  return image;
}

/** What files say where the image knew nothing. */
function besideImage(files: FindResult, image: FindResult | HarborError): FindResult {
  if (image instanceof HarborError)
    return { ...files, notes: [...files.notes, `${image.message} ${FROM_FILES}`] };
  return { ...files, session: image.session, notes: [...image.notes, ...files.notes, FROM_FILES] };
}

const FROM_FILES = 'This is from source files, which may not be loaded.';

/** The refusal of an image that does not know the name, or of there being none that could. A package that is given by
 * itself is looked into, so there must be one. */
function ignorance(error: unknown, { package: where }: FindArguments): HarborError {
  if (error instanceof HarborError && IGNORANCE.has(error.code)) return error;
  if (error instanceof HarborError && error.code === 'unknown_package' && where === undefined) return error;
  throw error;
}

const IGNORANCE: ReadonlySet<ErrorCode> = new Set([
  'unknown_symbol',
  'not_supported',
  'engine_unavailable',
  'engine_failed',
]);

async function inImage(
  args: FindArguments & { kind: keyof typeof KINDS },
  caller: Caller,
  { sessions, history }: FindToolOptions,
): Promise<FindResult> {
  const { session, notes } = await sessionOf(args.session, caller, sessions);
  const answer = await session.ability('knowledge').find(findRequest(args));
  const view = new SourcePlaces(session, history);
  const results = answer.results.map(({ source, ...finding }) => ({
    ...finding,
    ...(source === undefined ? {} : { source: view.place(source) }),
  }));
  return { session: session.id, results, total: answer.total, notes: [...notes, ...(answer.notes ?? [])] };
}

/** A project whose files may not be read has nothing to add. */
function nullForRefused(error: unknown): null {
  if (error instanceof HarborError) return null;
  throw error;
}

function findRequest({ query, kind, ...args }: FindArguments & { kind: keyof typeof KINDS }): FindRequest {
  const where = kind === 'apropos' ? 'in' : 'package';
  return {
    kind: KINDS[kind],
    query,
    limit: args.limit ?? 50,
    ...(args.package === undefined ? {} : { [where]: args.package }),
    ...(args.external === undefined ? {} : { external: args.external }),
    ...(args.only === undefined ? {} : { only: args.only }),
  };
}

function findingsText({ session, results, total, notes }: FindResult): string {
  const rest =
    total > results.length ? `; ${total - results.length} more: raise limit or narrow the query` : '';
  return [
    total === 0 ? 'Nothing found.' : results.map(findingText).join('\n'),
    [
      rest,
      `; ${total} found${session === undefined ? ' in files' : ` · ${session}`}`,
      ...notes.map((note) => `; note: ${note}`),
    ]
      .filter(Boolean)
      .join('\n'),
  ].join('\n');
}

function findingText({
  kind,
  text,
  arglist,
  value,
  documentation,
  source,
  form,
  command,
  builtIn,
}: FindingResult): string {
  const call = arglist === undefined ? text : `${text} ${arglist}`;
  return [
    `${kind}: ${call}${value === undefined ? '' : ` = ${value}`}`,
    command === undefined ? undefined : `command ${command}`,
    builtIn ? 'built in' : undefined,
    source && placeText(source),
    form && `in ${form}`,
    documentation,
  ]
    .filter(Boolean)
    .join(' · ');
}
