/**
 * A final check: books are certified from their sources, each in a process of its own, and a judge, a process that runs as
 * little of anybody's code as can be, includes the result and says what it is. No process gets anything that an earlier one
 * wrote but certificates, and what the judge says is asked for when no code of the books runs any more: it carries a nonce
 * that none of it has seen. To the session this is an evaluation like any other.
 */
import type { CheckedFile, FinalCheck as FinalCheckReport } from '../../../contract/final-check';
import { lispString } from '../../../contract/knowledge';
import type { ProofProgress } from '../../../contract/proof';
import type { Activity } from '../../../launchers/launcher';
import type { EvaluateRequest, Image, ImageOutcome, InterruptStep, OutputSink } from '../../image';
import type { FinalCheckRequest } from '../../world';
import { harborForm } from '../requests';
import type { Acl2World } from '../world';
import { differences } from './differences';
import {
  interrupted,
  notChecked,
  notDone,
  type Outcome,
  passed,
  titleOf,
  withForeign,
  wrongWith,
} from './outcomes';
import { CheckPlace, checkUnchanged, sha256 } from './place';
import { whereSkipped } from './skipped-proofs';
import { portcullisOf, type Sources } from './sources';
import { byHand, certifying, including } from './steps';

/** Where a process of a check works, and what it may. */
export interface CheckProcess {
  folder: string;
  home: string;
  /** Whether it may write to `folder`. */
  writes: boolean;
  trustTags: readonly string[];
}

export interface FinalCheckOptions {
  id: number;
  asked: FinalCheckRequest;
  start: (process: CheckProcess) => Promise<Image & { readonly world: Acl2World }>;
  sources: () => Promise<Sources>;
  /** Those of books, by their full names, that are the system's, as the harbor reads them. */
  systemFiles: (books: readonly string[]) => Promise<ReadonlyMap<string, CheckedFile>>;
}

export class FinalCheck {
  readonly id: number;
  readonly #options: FinalCheckOptions;
  #image: Promise<Image & { readonly world: Acl2World }> | null = null;
  #stopped = false;

  constructor(options: FinalCheckOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /** Settles when all processes have ended.
   * @throws HarborError for sources that cannot be read or checked, and as `Engine.start` does */
  async run(request: EvaluateRequest, sink: OutputSink): Promise<Outcome> {
    const startedAt = Date.now();
    const sources = await this.#options.sources();
    const place = await CheckPlace.make(sources);
    try {
      for (const book of sources.books) {
        const failed = await this.#certify(book, sources, place, request, sink);
        if (failed) return failed;
      }
      await place.makeAnew();
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

  /** As `Image.activity`, of the process that works. */
  async activity(): Promise<Activity | null> {
    const image = await this.#image?.catch(() => null);
    return (await image?.activity?.()) ?? null;
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#image?.then((image) => image.end()).catch(() => undefined);
  }

  /** What became of a book that was not certified; null for one that was. */
  async #certify(
    book: string,
    sources: Sources,
    place: CheckPlace,
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
      const code = certifying(`${place.books}/${book}`, this.#options.asked.trustTags);
      const outcome = await this.#submit(image, code, request, sink);
      return outcome.outcome === 'ok' ? null : this.#failed(book, outcome, place, sources);
    });
    if (failed) return failed;
    checkUnchanged(before, await place.snapshot(), [`${book}.cert`, `${book}.port`], book);
    await place.keepCertificate(book);
    return null;
  }

  async #judge(
    sources: Sources,
    place: CheckPlace,
    startedAt: number,
    request: EvaluateRequest,
    sink: OutputSink,
  ): Promise<Outcome> {
    const { asked, systemFiles } = this.#options;
    const code = including(`${place.books}/${asked.book}`, asked.trustTags);
    return this.#withProcess(place, false, async (image) => {
      const included = await this.#submit(image, code, request, sink);
      if (included.outcome !== 'ok') return this.#failed(asked.book, included, place, sources);
      const { books, ...judged } = await image.world.judgement(asked.claim);
      const own = new Set(sources.books.map((book) => `${place.books}/${book}.lisp`));
      const system = await systemFiles(books.filter((book) => !own.has(book)));
      const foreign = books.filter((book) => !own.has(book) && !system.has(book));
      const issues = withForeign(judged.issues, foreign);
      const wrong = wrongWith(asked, issues);
      if (wrong !== null) return notDone(wrong);
      const { session, claim } = asked;
      const differing = session && differences(session, await image.world.statements(claim), claim);
      if (differing?.wrong) return notDone(differing.wrong);
      const finalCheck: FinalCheckReport = {
        ...judged,
        issues,
        claim: asked.claim === null ? null : (judged.theorems[0]?.name ?? asked.claim),
        book: asked.book,
        files: [...filesOf(sources, asked), ...system.values()],
        trustTags: [...asked.trustTags],
        checkedAt: startedAt,
        durationMs: Date.now() - startedAt,
        steps: stepsOf(sources, asked),
        notes: [...asked.notes, ...(differing?.notes ?? [])],
      };
      return passed(sources.books, finalCheck);
    });
  }

  #failed(what: string, outcome: ImageOutcome, { books }: CheckPlace, sources: Sources): Outcome {
    const { asked } = this.#options;
    const file = sources.files.has(what) ? what : `${what}.lisp`;
    const where = (reason: string) => whereSkipped(reason, file, sources, asked.texts);
    return notChecked(titleOf(what, file, asked), outcome, books, where);
  }

  async #withProcess<R>(
    place: CheckPlace,
    writes: boolean,
    work: (image: Image & { readonly world: Acl2World }) => Promise<R>,
  ): Promise<R> {
    const { start, asked } = this.#options;
    const home = await place.home();
    this.#image = start({ folder: place.books, home, writes, trustTags: asked.trustTags });
    const image = await this.#image;
    try {
      return await work(image);
    } finally {
      this.#image = null;
      await image.end();
    }
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

function filesOf({ files }: Sources, { texts }: FinalCheckRequest): CheckedFile[] {
  return [...files.values()].map(({ file, role, bytes }) => {
    const text = texts?.get(file);
    return { file, role, sha256: sha256(bytes), ...(text === undefined ? {} : { text }) };
  });
}

function stepsOf({ books, files }: Sources, { book, claim, trustTags }: FinalCheckRequest): string[] {
  const certified = books.map((each) => {
    const portcullis = portcullisOf(each, (file) => files.has(file));
    const below = portcullis === null ? '' : `(ld ${lispString(portcullis)}) `;
    return `${below}${byHand(certifying(each, trustTags))}`;
  });
  const shown = claim === null ? '' : ` :pf ${claim}`;
  return [...certified, `${byHand(including(book, trustTags))}${shown}`];
}
