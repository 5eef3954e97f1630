/**
 * A final check certifies books from their sources, each in its own process. Then the judge, a process that
 * runs as little foreign code as possible, includes the result and reports it. A process gets nothing from
 * earlier ones but certificates. The judge is queried after all code of the books has run, with a nonce that
 * this code has not seen. For the session this is a normal evaluation.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import { lispString } from '../../../contract/knowledge';
import { noteTexts } from '../../../contract/note';
import type { CheckedFile, FinalCheck as FinalCheckReport, ProofProgress } from '../../../contract/proof';
import type { Activity } from '../../../launchers/launcher';
import { realPath } from '../../../sandbox/paths';
import { readWithin } from '../../../sandbox/project-files';
import type {
  EvaluateRequest,
  Image,
  ImageOutcome,
  InterruptStep,
  OutputSink,
  StartRequest,
} from '../../image';
import type { FinalCheckRequest } from '../../world';
import { claimNote } from '../evaluation';
import type { SystemBooks } from '../system-books';
import type { AllowedTag } from '../trust-tags';
import { harborForm } from '../wire';
import type { Acl2World } from '../world';
import { CheckFolder, checkUnchanged } from './check-folder';
import {
  isSystemCopy,
  MOST_BYTES,
  portcullisOf,
  type Sources,
  SYSTEM_FOLDER,
  sourcesOf,
} from './check-sources';
import {
  checkFailed,
  differences,
  failedOutcome,
  interrupted,
  type Outcome,
  passed,
  titleOf,
  trustProblem,
  whereSkipped,
  withForeign,
} from './final-check-report';
import { knownBugNotes } from './known-bugs';

/** Folders and permissions of a process of a check. */
export interface CheckProcess {
  folder: string;
  home: string;
  /** Whether the process may write to `folder`. */
  writes: boolean;
  trustTags: readonly AllowedTag[];
  /** The folder of system books; undefined for that of the installation. */
  books: string | undefined;
}

export interface FinalCheckOptions {
  id: number;
  check: FinalCheckRequest;
  start: (process: CheckProcess) => Promise<Image & { readonly world: Acl2World }>;
  sources: () => Promise<Sources>;
  /** Returns those of the books, given by full names, that are system books, as the harbor reads them. */
  systemFiles: (books: readonly string[]) => Promise<ReadonlyMap<string, CheckedFile>>;
  /** The folder of the system books that are rebuilt; undefined if they are not rebuilt. */
  systemFolder: string | undefined;
  /** As `OneWayLock.requireTags`. */
  requireTags: (names: readonly string[]) => Promise<AllowedTag[]>;
}

export class FinalCheck {
  readonly id: number;
  readonly #options: FinalCheckOptions;
  #image: Promise<Image & { readonly world: Acl2World }> | null = null;
  #stopped = false;
  #trustTags: readonly AllowedTag[] = [];

  constructor(options: FinalCheckOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /**
   * Settles when all processes have ended.
   * @throws HarborError for sources that cannot be read or checked, and as `Engine.start`
   */
  async run(request: EvaluateRequest, sink: OutputSink): Promise<Outcome> {
    const startedAt = Date.now();
    this.#trustTags = await this.#options.requireTags(this.#options.check.trustTags);
    const sources = await this.#options.sources();
    const place = await CheckFolder.make(sources);
    try {
      for (const book of sources.books) {
        const failed = await this.#certify(book, sources, place, request, sink);
        if (failed) return failed;
      }
      await place.rebuild();
      return await this.#judge(sources, place, startedAt, request, sink);
    } finally {
      await place.remove();
    }
  }

  /** As `Image.interrupt`. */
  async interrupt(step: InterruptStep): Promise<boolean> {
    this.#stopped = true;
    return (await this.#image)?.interrupt(this.id, step) ?? true;
  }

  /** As `Image.progress`. */
  async progress(): Promise<ProofProgress | null> {
    const image = await this.#image?.catch(() => null);
    return (await image?.progress?.()) ?? null;
  }

  /** As `Image.activity`, of the running process. */
  async activity(): Promise<Activity | null> {
    const image = await this.#image?.catch(() => null);
    return (await image?.activity?.()) ?? null;
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#image?.then((image) => image.end()).catch(() => undefined);
  }

  /** Returns the outcome for a book that was not certified; null if it was. */
  async #certify(
    book: string,
    sources: Sources,
    place: CheckFolder,
    request: EvaluateRequest,
    sink: OutputSink,
  ): Promise<Outcome | null> {
    const before = await place.snapshot();
    const portcullis = portcullisOf(book, (file) => sources.files.has(file));
    const failed = await this.#withProcess(place, true, async (image) => {
      if (portcullis !== null) {
        const load = harborForm('portcullis', lispString(`${place.books}/${portcullis}`));
        const outcome = await this.#submit(image, load, request, sink);
        if (outcome.outcome !== 'ok') return this.#failed(portcullis, outcome, place, sources);
        checkUnchanged(before, await place.snapshot(), [], portcullis);
      }
      const code = certifyCode(`${place.books}/${book}`, this.#options.check.trustTags);
      const outcome = await this.#submit(image, code, request, sink);
      return outcome.outcome === 'ok' ? null : this.#failed(book, outcome, place, sources);
    });
    if (failed) return failed;
    checkUnchanged(before, await place.snapshot(), [`${book}.cert`, `${book}.port`], book);
    await place.saveCertificate(book);
    return null;
  }

  async #judge(
    sources: Sources,
    place: CheckFolder,
    startedAt: number,
    request: EvaluateRequest,
    sink: OutputSink,
  ): Promise<Outcome> {
    const { check, systemFiles } = this.#options;
    const code = includeCode(`${place.books}/${check.book}`, check.trustTags);
    return this.#withProcess(place, false, async (image) => {
      const included = await this.#submit(image, code, request, sink);
      if (included.outcome !== 'ok') return this.#failed(check.book, included, place, sources);
      const { books, ...judged } = await image.world.judgement(check.claim);
      const own = new Set(sources.books.map((book) => `${place.books}/${book}.lisp`));
      const system = await systemFiles(books.filter((book) => !own.has(book)));
      const foreign = books.filter((book) => !own.has(book) && !system.has(book));
      const issues = withForeign(judged.issues, foreign);
      const problem = trustProblem(check, issues);
      if (problem !== null) return checkFailed(problem);
      if (system.size > 0)
        issues.push({ kind: 'system-books', about: [`${system.size} with their certificates`] });
      const { session, claim } = check;
      const differing = session && differences(session, await image.world.statements(claim), claim);
      if (differing?.problem) return checkFailed(differing.problem);
      const claims = await image.world.triedClaims({ name: claim });
      const refuted = claims.find(({ verdict }) => verdict === 'false');
      if (refuted) return checkFailed(claimNote(refuted).text);
      const finalCheck: FinalCheckReport = {
        ...judged,
        issues,
        claim: check.claim === null ? null : (judged.theorems[0]?.name ?? check.claim),
        book: check.book,
        files: [...filesOf(sources, check), ...system.values()],
        trustTags: [...check.trustTags],
        checkedAt: startedAt,
        durationMs: Date.now() - startedAt,
        steps: stepsOf(sources, check),
        notes: [
          ...check.notes,
          ...(differing?.notes ?? []),
          ...noteTexts(claims.map((each) => claimNote(each))),
          ...knownBugNotes(judged.acl2, judged.lisp, textsOf(sources)),
        ],
      };
      return passed(sources.books, finalCheck);
    });
  }

  #failed(what: string, outcome: ImageOutcome, { books }: CheckFolder, sources: Sources): Outcome {
    const { check } = this.#options;
    const file = sources.files.has(what) ? what : `${what}.lisp`;
    const where = (reason: string) => whereSkipped(reason, file, sources, check.texts);
    return failedOutcome(titleOf(what, file, check), outcome, books, where);
  }

  async #withProcess<R>(
    place: CheckFolder,
    writes: boolean,
    work: (image: Image & { readonly world: Acl2World }) => Promise<R>,
  ): Promise<R> {
    const { start } = this.#options;
    const home = await place.home();
    this.#image = start({ folder: place.books, home, writes, ...this.#systemOf(place) });
    const image = await this.#image;
    try {
      return await work(image);
    } finally {
      this.#image = null;
      await image.end();
    }
  }

  /** Returns the system books of a process, and the books that may use the allowed tags. */
  #systemOf({ system, books }: CheckFolder): Pick<CheckProcess, 'books' | 'trustTags'> {
    const { systemFolder } = this.#options;
    if (!system) return { books: undefined, trustTags: this.#trustTags };
    const copyOf = (book: string) => path.join(books, SYSTEM_FOLDER, path.relative(systemFolder ?? '', book));
    const trustTags = this.#trustTags.map(([name, ...of]): AllowedTag => [name, ...of.map(copyOf)]);
    return { books: path.join(books, SYSTEM_FOLDER), trustTags };
  }

  async #submit(
    image: Image,
    code: string,
    { cpuSeconds, outputChars }: EvaluateRequest,
    sink: OutputSink,
  ): Promise<ImageOutcome> {
    const limits = { ...(cpuSeconds && { cpuSeconds }), ...(outputChars && { outputChars }) };
    if (!this.#stopped) return image.evaluate({ id: this.id, code, ...limits }, sink);
    return { ...interrupted(), package: image.package };
  }
}

function textsOf({ files }: Sources): string[] {
  return [...files.values()].map(({ bytes }) => bytes.toString('latin1'));
}

function filesOf({ files }: Sources, { texts }: FinalCheckRequest): CheckedFile[] {
  return [...files.values()].map(({ file, role, bytes }) => {
    const text = texts?.get(file);
    const shown = role === 'system' ? path.relative(SYSTEM_FOLDER, file) : file;
    return { file: shown, role, sha256: hash('sha256', bytes), ...(text === undefined ? {} : { text }) };
  });
}

function stepsOf({ books, files }: Sources, { book, claim, trustTags }: FinalCheckRequest): string[] {
  const certified = books.map((each) => {
    const portcullis = portcullisOf(each, (file) => files.has(file));
    const below = portcullis === null ? '' : `(ld ${lispString(portcullis)}) `;
    return `${below}${asTyped(certifyCode(each, trustTags))}`;
  });
  const shown = claim === null ? '' : ` :pf ${claim}`;
  return [...certified, `${asTyped(includeCode(book, trustTags))}${shown}`];
}

/**
 * @param systemBooks the system books of the session
 * @param believed whether the user believes their certificates, so that they are not rebuilt
 * @param others as in `FinalCheckOptions`
 */
export function finalCheckContext(
  project: string,
  systemBooks: SystemBooks,
  believed: boolean,
  others: Pick<FinalCheckOptions, 'start' | 'requireTags'>,
): (check: FinalCheckRequest) => Omit<FinalCheckOptions, 'id' | 'check'> {
  const rebuilt = believed ? undefined : systemBooks.folder;
  return ({ book, texts }) => ({
    ...others,
    sources: () => checkedSources(project, believed ? null : systemBooks, book, texts),
    systemFiles: (books) => systemFiles(books, systemBooks),
    systemFolder: rebuilt,
  });
}

/**
 * Confines a process of a check to its folder, without the project and without network.
 * @param request the start request of the session's image
 */
export function confinedTo(
  { folder, home, writes }: CheckProcess,
  request: Omit<StartRequest, 'checkpoint' | 'package'>,
): StartRequest {
  const confinement = writes
    ? { writable: [folder, home], readable: [], network: false }
    : { writable: [home], readable: [folder], network: false };
  return { ...request, confinement, project: folder, home, checkpoints: home };
}

/** @param system the system books to rebuild. Books that the session may write to are not copied as such. */
function checkedSources(
  project: string,
  system: SystemBooks | null,
  book: string,
  texts: ReadonlyMap<string, string> = new Map(),
): Promise<Sources> {
  const folder = realPath(project);
  return sourcesOf(book, async (file) => {
    const text = texts.get(file);
    if (text !== undefined) return Buffer.from(text, 'utf8');
    if (!isSystemCopy(file)) return readWithin(folder, file, MOST_BYTES);
    if (system?.folder === undefined) return null;
    const copied = path.relative(SYSTEM_FOLDER, file);
    return system.has(path.join(system.folder, copied))
      ? readWithin(system.folder, copied, MOST_BYTES)
      : null;
  });
}

async function systemFiles(
  books: readonly string[],
  system: SystemBooks,
): Promise<ReadonlyMap<string, CheckedFile>> {
  const files = new Map<string, CheckedFile>();
  const { folder } = system;
  if (folder === undefined) return files;
  for (const book of books.filter((each) => system.has(each)).sort()) {
    const file = path.relative(folder, book);
    const bytes = await readWithin(folder, file, MOST_BYTES);
    if (bytes !== null) files.set(book, { file, sha256: hash('sha256', bytes), role: 'system' });
  }
  return files;
}

/** @param book without `.lisp` */
function certifyCode(book: string, trustTags: readonly string[]): string {
  return `(acl2::certify-book ${lispString(book)} acl2::? acl2::nil ${nothingOptional(trustTags)})`;
}

/** As `certifyCode`. */
function includeCode(book: string, trustTags: readonly string[]): string {
  return `(acl2::include-book ${lispString(book)} :uncertified-okp acl2::nil ${nothingOptional(trustTags)})`;
}

/** Returns the code as a user types it, with paths relative to the folder of the sources. */
function asTyped(code: string): string {
  return code.replaceAll('acl2::', '');
}

function nothingOptional(trustTags: readonly string[]): string {
  const allowed = trustTags.length === 0 ? 'acl2::nil' : `(${trustTags.map((tag) => `:${tag}`).join(' ')})`;
  return `:skip-proofs-okp acl2::nil :defaxioms-okp acl2::nil :ttags ${allowed}`;
}
