/**
 * The tool `find`: definitions and uses of names, matching names, and definitions that no file has. It
 * queries the image. Files are searched for uses as well, where the image has no answer, and where a path is
 * given.
 */

import { z } from 'zod';
import { type ErrorCode, HarborError } from '../../contract/errors';
import type { Findings, FindKind, FindRequest } from '../../contract/knowledge';
import { mention, ours } from '../../contract/mention';
import { errorNote, type Note, note } from '../../contract/note';
import type { History } from '../../history/history';
import { SessionChanges } from '../../sessions/changes/session-changes';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { OneForm } from '../../source/code';
import { dialectOf } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { withoutPackage } from '../../source/top-level-forms';
import { sessionOf } from '../arguments';
import { inProjectOf } from '../files/text-files';
import { outdatedNotes } from '../notes';
import { SourcePlaces, shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import {
  FindResult,
  findInFiles,
  findingsText,
  type ImageUses,
  isInFiles,
  usesTogether,
  withoutPlaces,
} from './findings';

export interface FindToolOptions {
  sessions: Sessions;
  history: History;
  files: GuardedFiles;
}

/** Default number of results. */
const DEFAULT_LIMIT = 50;
const MAX_RESULTS = 500;

/** Kinds that an image answers. */
const KINDS = {
  definition: 'definitions',
  reference: 'references',
  caller: 'callers',
  apropos: 'apropos',
  completion: 'completions',
  unsaved: 'unsaved',
} as const satisfies Record<string, FindKind>;

/** Kinds about a prover's libraries. */
const LIBRARY_KINDS = ['lemma', 'documentation'] as const;

const FindArguments = z.strictObject({
  query: z
    .string()
    .max(500)
    .describe(
      'A symbol; for apropos, completion and unsaved a part of one; for lemma also (len (append ? ?))',
    ),
  kind: z.enum([...(Object.keys(KINDS) as (keyof typeof KINDS)[]), ...LIBRARY_KINDS, 'text']),
  session: z.string().optional(),
  path: z.string().max(4000).optional().describe('Only this file, folder or jar, no image'),
  package: z.string().max(500).optional().describe('Of query; for apropos the one searched'),
  external: z.boolean().optional().describe('apropos: exported symbols only'),
  only: z.array(z.enum(['function', 'macro', 'variable', 'class', 'type', 'theorem'])).optional(),
  limit: z.int().min(1).max(MAX_RESULTS).optional(),
});
type FindArguments = z.output<typeof FindArguments>;

export function findTool(options: FindToolOptions): Tool<typeof FindArguments, typeof FindResult> {
  return {
    name: 'find',
    title: 'Find definitions and uses',
    description:
      'Definitions of a name and its uses (reference, caller), in the live image and in files not loaded; names by part (apropos), completions, definitions that no file has (unsaved), ACL2’s theorems by a pattern (lemma) and documentation by words, also of books not loaded; any text of files. Evaluates nothing.',
    scope: 'read',
    args: FindArguments,
    result: FindResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const structured = await found(args, caller, options);
      const { session, notes } = structured;
      const { conversation } = caller;
      return {
        structured,
        text: findingsText(structured, conversation),
        notes: session === undefined ? notes : conversation.unreportedNotes(session, notes),
        isError: false,
      };
    },
  };
}

/** Returns the results. If a name has no callers but other uses, a note reports them. */
async function found(args: FindArguments, caller: Caller, options: FindToolOptions): Promise<FindResult> {
  const answer = answered(args, caller, options);
  if (args.kind !== 'caller') return answer;
  const callers = await answer.catch(nullIfRefused);
  if (callers !== null && callers.total > 0) return callers;
  const references = await answered({ ...args, kind: 'reference' }, caller, options).catch(nullIfRefused);
  if (references === null || references.total === 0) return answer;
  const { total, notes } = references;
  const others = `No caller, but ${total === 1 ? 'one other use' : `${total} other uses`}.`;
  return {
    ...references,
    results: [],
    total: 0,
    notes: [
      ...notes,
      note('other_uses', others, mention`${ours('find', 'kind')} with kind reference lists all uses.`),
    ],
  };
}

/**
 * Searches the image. Files are searched instead if the call names a path, and also if the image finds no
 * definition, and for all uses, since an image does not know code that is not loaded.
 */
async function answered(
  args: FindArguments,
  original: Caller,
  options: FindToolOptions,
): Promise<FindResult> {
  const { kind } = args;
  const caller = inProjectOf(args.session, original, options.sessions);
  const inFiles = () => findInFiles(args, caller, options.files).then(plainly);
  if (kind === 'lemma' || kind === 'documentation')
    return resultOf(await inLibrary({ ...args, kind }, caller, options));
  if (kind === 'text' || args.path !== undefined) return inFiles();
  const image = await inImage({ ...args, kind }, caller, options);
  if (!isInFiles(kind)) return resultOf(image);
  if (!('refusal' in image) && kind !== 'definition') return withFiles(args, image, caller, options);
  if (!('refusal' in image) && image.total > 0) return resultOf(image);
  const files = await inFiles().catch(nullIfRefused);
  if (files !== null && files.total > 0) return withImageResults(files, image);
  return resultOf(image);
}

type InFiles = Awaited<ReturnType<typeof findInFiles>>;

function plainly({ results, ...rest }: InFiles): FindResult {
  return { ...rest, results: results.map(withoutPlaces) };
}

/** @throws HarborError the error of the image */
function resultOf(image: InImage | ImageRefusal): FindResult {
  if ('refusal' in image) throw image.refusal;
  const { session, results, total, notes } = image;
  return { session: session.id, results, total, notes };
}

/** Combines uses found in the image and in files, neither of which is complete. */
async function withFiles(
  { query, kind, limit = DEFAULT_LIMIT, package: where }: FindArguments,
  image: InImage,
  caller: Caller,
  { files }: FindToolOptions,
): Promise<FindResult> {
  const { session, notes } = image;
  const dialect = dialectOf(session.identity.engine);
  // The image knows the packages of the symbol, including nicknames.
  const symbol = image.symbol ?? (dialect === 'clojure' ? query : withoutPackage(query, dialect));
  const search = { kind, query: symbol, limit: MAX_RESULTS, dialect };
  const lines = await findInFiles(search, caller, files).catch(nullIfRefused);
  if (lines === null) return resultOf(image);
  const packages = [
    ...new Set(lines.results.flatMap(({ packages = [] }) => packages.filter((each) => each !== null))),
  ];
  const name = { symbol: query, ...(where === undefined ? {} : { package: where }) };
  const unknownPackages = await session.ability('knowledge').unknownPackages?.(name, packages);
  const uses = usesTogether(image, lines.results, new Set(unknownPackages));
  const results = uses.slice(0, limit);
  return { session: session.id, results, total: uses.length, notes: [...notes, ...lines.notes] };
}

/** Returns the results from files where the image had none. */
function withImageResults(files: FindResult, image: InImage | ImageRefusal): FindResult {
  if ('refusal' in image)
    return {
      ...files,
      notes: [...image.notes, ...files.notes, errorNote('from_files', image.refusal), FROM_FILES],
    };
  return { ...files, session: image.session.id, notes: [...image.notes, ...files.notes, FROM_FILES] };
}

const FROM_FILES = note('from_files', 'This is from source files, which may not be loaded.');

/** The error of an image that does not know the name, or of a missing image. */
interface ImageRefusal {
  refusal: HarborError;
  /** Notes about the image that are reported anyway. */
  notes: readonly Note[];
}

/**
 * Returns an error after which files may still have an answer, and throws any other. A package that the call
 * names must exist.
 */
function imageRefusal(
  error: unknown,
  { package: where }: FindArguments,
  notes: readonly Note[] = [],
): ImageRefusal {
  if (!(error instanceof HarborError)) throw error;
  const isUnknown = error.code === 'unknown_package' && where === undefined;
  if (isUnknown || NAME_ERRORS.has(error.code)) return { refusal: error, notes };
  throw error;
}

const NAME_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'unknown_symbol',
  'not_supported',
  'engine_unavailable',
  'engine_failed',
]);

/** The results of an image, with places as results show them. */
interface InImage extends ImageUses {
  session: Session;
  notes: Note[];
}

async function inImage(
  args: FindArguments & { kind: keyof typeof KINDS },
  caller: Caller,
  options: FindToolOptions,
): Promise<InImage | ImageRefusal> {
  const { sessions, history } = options;
  const inSession = await sessionOf(args.session, caller, sessions).catch((error) =>
    imageRefusal(error, args),
  );
  if ('refusal' in inSession) return inSession;
  const { session } = inSession;
  const notes = [...inSession.notes, ...outdatedNotes(session)];
  try {
    return shownFindings(await findings(session, findRequest(args), options), session, notes, history);
  } catch (error) {
    return imageRefusal(error, args, notes);
  }
}

function findings(session: Session, request: FindRequest, options: FindToolOptions): Promise<Findings> {
  return request.kind === 'unsaved'
    ? new SessionChanges(options).unsaved(session, request)
    : session.ability('knowledge').find(request);
}

/** Searches a prover's libraries, loaded or not. */
async function inLibrary(
  { kind, query, limit = DEFAULT_LIMIT, ...args }: FindArguments & { kind: (typeof LIBRARY_KINDS)[number] },
  caller: Caller,
  { sessions, history }: FindToolOptions,
): Promise<InImage> {
  const { session, notes } = await sessionOf(args.session, caller, sessions);
  const library = session.ability('library');
  const findings =
    kind === 'lemma'
      ? await library.lemmas(OneForm.read(query, 'common-lisp', 'query'), limit)
      : await library.topics(wordsIn(query), limit);
  return shownFindings(findings, session, notes, history);
}

/** @throws HarborError `bad_arguments` if there are no words */
function wordsIn(query: string): string[] {
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new HarborError('bad_arguments', 'Give the words to find.');
  return words;
}

function shownFindings(
  { files = [], ...answer }: Findings,
  session: Session,
  notes: readonly Note[],
  history: History,
): InImage {
  const view = new SourcePlaces(session, history);
  const results = answer.results.map(({ source, ...finding }) => ({
    ...finding,
    ...(source === undefined ? {} : { source: view.place(source) }),
  }));
  return {
    ...answer,
    ...{ session, results, notes: [...notes, ...(answer.notes ?? [])] },
    files: new Set(files.map((file) => shortPath(file, session.identity.project))),
  };
}

/** Returns null if the files of the project may not be read. */
function nullIfRefused(error: unknown): null {
  if (error instanceof HarborError) return null;
  throw error;
}

function findRequest({ query, kind, ...args }: FindArguments & { kind: keyof typeof KINDS }): FindRequest {
  const where = kind === 'apropos' ? 'in' : 'package';
  return {
    kind: KINDS[kind],
    query,
    // Uses are counted together with those in files.
    limit: kind === 'reference' || kind === 'caller' ? MAX_RESULTS : (args.limit ?? DEFAULT_LIMIT),
    ...(args.package === undefined ? {} : { [where]: args.package }),
    ...(args.external === undefined ? {} : { external: args.external }),
    ...(args.only === undefined ? {} : { only: args.only }),
  };
}
