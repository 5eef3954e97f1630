/** The tool `find`: where names are defined, who uses them, which names there are, and what no file holds. It asks the image;
 * files are searched for uses as well, where the image does not know, and where a path is named. */
import { z } from 'zod';
import { type ErrorCode, HarborError } from '../../contract/errors';
import type { Findings, FindKind, FindRequest } from '../../contract/knowledge';
import type { History } from '../../history/history';
import { unsavedDefinitions } from '../../sessions/export/session-source';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { OneForm } from '../../source/code';
import { dialectOf } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { withoutPackage } from '../../source/form-name';
import { sessionOf } from '../arguments';
import { findInFiles, isInFiles } from '../files/find-in-files';
import { inProjectOf } from '../files/in-session';
import { outdatedNotes } from '../outdated-image';
import { SourcePlaces, shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import { FindResult, findingsText } from './findings';
import { type ImageUses, usesTogether, withoutPlaces } from './uses';

export interface FindToolOptions {
  sessions: Sessions;
  history: History;
  files: GuardedFiles;
}

/** How many are answered. */
const USUAL_LIMIT = 50;
const MOST = 500;

/** Of an image. */
const KINDS = {
  definition: 'definitions',
  reference: 'references',
  caller: 'callers',
  apropos: 'apropos',
  completion: 'completions',
  unsaved: 'unsaved',
} as const satisfies Record<string, FindKind>;

/** Of what a prover's libraries have. */
const LIBRARY_KINDS = ['lemma', 'documentation'] as const;

const FindArguments = z.strictObject({
  query: z
    .string()
    .max(500)
    .describe(
      'A symbol; for apropos, completion and unsaved a part of one; for lemma also such as (len (append ? ?))',
    ),
  kind: z.enum([...(Object.keys(KINDS) as (keyof typeof KINDS)[]), ...LIBRARY_KINDS, 'text']),
  session: z.string().optional(),
  path: z.string().max(4000).optional().describe('Only this file, folder or jar, no image'),
  package: z.string().max(500).optional().describe('Where query is looked up; for apropos the one searched'),
  external: z.boolean().optional().describe('apropos: exported symbols only'),
  only: z.array(z.enum(['function', 'macro', 'variable', 'class', 'type', 'theorem'])).optional(),
  limit: z.int().min(1).max(MOST).optional(),
});
type FindArguments = z.output<typeof FindArguments>;

export function findTool(options: FindToolOptions): Tool<typeof FindArguments, typeof FindResult> {
  return {
    name: 'find',
    title: 'Find definitions and uses',
    description:
      'Finds where a name is defined, who uses it (reference, caller), in the live image and in files that are not loaded; names by part (apropos), completions, definitions that no file holds (unsaved), ACL2’s theorems by a pattern (lemma), also of books that are not loaded, and its documentation by words; any text of files. Evaluates nothing.',
    scope: 'read',
    args: FindArguments,
    result: FindResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const structured = await found(args, caller, options);
      return { structured, text: findingsText(structured, caller.told), isError: false };
    },
  };
}

/** Nothing that calls a name is no answer where something else uses it: that is told. */
async function found(args: FindArguments, caller: Caller, options: FindToolOptions): Promise<FindResult> {
  const answer = answered(args, caller, options);
  if (args.kind !== 'caller') return answer;
  const callers = await answer.catch(nullForRefused);
  if (callers !== null && callers.total > 0) return callers;
  const references = await answered({ ...args, kind: 'reference' }, caller, options).catch(nullForRefused);
  if (references === null || references.total === 0) return answer;
  const { total, notes } = references;
  const others = `No caller, but ${total === 1 ? 'one other use' : `${total} other uses`}.`;
  return {
    ...references,
    results: [],
    total: 0,
    notes: [...notes, `${others} \`find\` of kind reference has it all.`],
  };
}

/** In the image; in files where those are asked for, where the image knows nothing of what files could tell, and of uses
 * always: an image does not know of code that is not loaded. */
async function answered(args: FindArguments, asked: Caller, options: FindToolOptions): Promise<FindResult> {
  const { kind } = args;
  const caller = inProjectOf(args.session, asked, options.sessions);
  const inFiles = () => findInFiles(args, caller, options.files).then(plainly);
  if (kind === 'lemma' || kind === 'documentation')
    return resultOf(await inLibrary({ ...args, kind }, caller, options));
  if (kind === 'text' || args.path !== undefined) return inFiles();
  const image = await inImage({ ...args, kind }, caller, options);
  if (!isInFiles(kind)) return resultOf(image);
  if (!('refusal' in image) && kind !== 'definition') return withFiles(args, image, caller, options);
  if (!('refusal' in image) && image.total > 0) return resultOf(image);
  const files = await inFiles().catch(nullForRefused);
  if (files !== null && files.total > 0) return besideImage(files, image);
  return resultOf(image);
}

type InFiles = Awaited<ReturnType<typeof findInFiles>>;

function plainly({ results, ...rest }: InFiles): FindResult {
  return { ...rest, results: results.map(withoutPlaces) };
}

/** @throws HarborError what an image said instead of an answer */
function resultOf(image: InImage | Ignorance): FindResult {
  if ('refusal' in image) throw image.refusal;
  const { session, results, total, notes } = image;
  return { session: session.id, results, total, notes };
}

/** Uses of which neither the image alone nor the files alone could tell. */
async function withFiles(
  { query, kind, limit = USUAL_LIMIT, package: where }: FindArguments,
  image: InImage,
  caller: Caller,
  { files }: FindToolOptions,
): Promise<FindResult> {
  const { session, notes } = image;
  const dialect = dialectOf(session.identity.engine);
  // The image knows by which packages its symbol goes, nicknames too.
  const symbol = image.symbol ?? (dialect === 'clojure' ? query : withoutPackage(query, dialect));
  const search = { kind, query: symbol, limit: MOST, dialect };
  const lines = await findInFiles(search, caller, files).catch(nullForRefused);
  if (lines === null) return resultOf(image);
  const packages = [
    ...new Set(lines.results.flatMap(({ packages = [] }) => packages.filter((each) => each !== null))),
  ];
  const name = { symbol: query, ...(where === undefined ? {} : { package: where }) };
  const strangers = await session.ability('knowledge').strangers?.(name, packages);
  const uses = usesTogether(image, lines.results, new Set(strangers));
  const results = uses.slice(0, limit);
  return { session: session.id, results, total: uses.length, notes: [...notes, ...lines.notes] };
}

/** What files say where the image knew nothing. */
function besideImage(files: FindResult, image: InImage | Ignorance): FindResult {
  if ('refusal' in image)
    return { ...files, notes: [...image.notes, ...files.notes, `${image.refusal.message} ${FROM_FILES}`] };
  return { ...files, session: image.session.id, notes: [...image.notes, ...files.notes, FROM_FILES] };
}

const FROM_FILES = 'This is from source files, which may not be loaded.';

/** The refusal of an image that does not know the name, or of there being none that could. */
interface Ignorance {
  refusal: HarborError;
  /** What is to be told of the image all the same. */
  notes: readonly string[];
}

/** A package that is given by itself is looked into, so there must be one. */
function ignorance(
  error: unknown,
  { package: where }: FindArguments,
  notes: readonly string[] = [],
): Ignorance {
  if (!(error instanceof HarborError)) throw error;
  const isUnknown = error.code === 'unknown_package' && where === undefined;
  if (isUnknown || IGNORANCE.has(error.code)) return { refusal: error, notes };
  throw error;
}

const IGNORANCE: ReadonlySet<ErrorCode> = new Set([
  'unknown_symbol',
  'not_supported',
  'engine_unavailable',
  'engine_failed',
]);

/** What an image answers, with its places as results show them. */
interface InImage extends ImageUses {
  session: Session;
  notes: string[];
}

async function inImage(
  args: FindArguments & { kind: keyof typeof KINDS },
  caller: Caller,
  { sessions, history }: FindToolOptions,
): Promise<InImage | Ignorance> {
  const asked = await sessionOf(args.session, caller, sessions).catch((error) => ignorance(error, args));
  if ('refusal' in asked) return asked;
  const { session } = asked;
  const notes = [...asked.notes, ...outdatedNotes(session)];
  try {
    return shownFindings(await findings(session, findRequest(args)), session, notes, history);
  } catch (error) {
    return ignorance(error, args, notes);
  }
}

function findings(session: Session, request: FindRequest): Promise<Findings> {
  return request.kind === 'unsaved'
    ? unsavedDefinitions(session, request)
    : session.ability('knowledge').find(request);
}

/** What a prover's libraries have, loaded or not. */
async function inLibrary(
  { kind, query, limit = USUAL_LIMIT, ...args }: FindArguments & { kind: (typeof LIBRARY_KINDS)[number] },
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

/** @throws HarborError `bad_arguments` where there are none */
function wordsIn(query: string): string[] {
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new HarborError('bad_arguments', 'Give words that are to be found.');
  return words;
}

function shownFindings(
  { files = [], ...answer }: Findings,
  session: Session,
  notes: readonly string[],
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
    // Uses are counted when those in files are known.
    limit: kind === 'reference' || kind === 'caller' ? MOST : (args.limit ?? USUAL_LIMIT),
    ...(args.package === undefined ? {} : { [where]: args.package }),
    ...(args.external === undefined ? {} : { external: args.external }),
    ...(args.only === undefined ? {} : { only: args.only }),
  };
}
