/**
 * A final check: books are certified from their sources, each in a process of its own, and a judge, a process that runs as
 * little of anybody's code as can be, includes the result and says what it is. No process gets anything that an earlier one
 * wrote but certificates, and what the judge says is asked for when no code of the books runs any more: it carries a nonce
 * that none of it has seen. To the session this is an evaluation like any other.
 */
import path from 'node:path';
import {
  type CheckedFile,
  FINAL_CHECK,
  type FinalCheck as FinalCheckReport,
} from '../../../contract/final-check';
import { lispString } from '../../../contract/knowledge';
import type { ProofProgress, TrustIssue } from '../../../contract/proof';
import type { Activity } from '../../../launchers/launcher';
import type { EvaluateRequest, Image, ImageOutcome, InterruptStep, OutputSink } from '../../image';
import type { FinalCheckRequest } from '../../world';
import { condition } from '../messages';
import { harborForm } from '../requests';
import type { Acl2World } from '../world';
import { CheckPlace, checkUnchanged, sha256 } from './place';
import { portcullisOf, type Sources } from './sources';
import { byHand, certifying, including } from './steps';

type Outcome = Omit<ImageOutcome, 'package'>;

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
    { files }: Sources,
    place: CheckPlace,
    request: EvaluateRequest,
    sink: OutputSink,
  ): Promise<Outcome | null> {
    const before = await place.snapshot();
    const portcullis = portcullisOf(book, (file) => files.has(file));
    const failed = await this.#withProcess(place, true, async (image) => {
      if (portcullis !== null) {
        const load = harborForm('load', lispString(`${place.books}/${portcullis}`));
        const outcome = await this.#submit(image, load, request, sink);
        if (outcome.outcome !== 'ok') return notChecked(titleOf(portcullis, this.#options.asked), outcome);
        checkUnchanged(before, await place.snapshot(), [], portcullis);
      }
      const code = certifying(`${place.books}/${book}`, this.#options.asked.trustTags);
      const outcome = await this.#submit(image, code, request, sink);
      return outcome.outcome === 'ok' ? null : notChecked(titleOf(book, this.#options.asked), outcome);
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
      if (included.outcome !== 'ok') return notChecked(titleOf(asked.book, asked), included);
      const { books, ...judged } = await image.world.judgement(asked.claim);
      const own = new Set(sources.books.map((book) => `${place.books}/${book}.lisp`));
      const system = await systemFiles(books.filter((book) => !own.has(book)));
      const foreign = books.filter((book) => !own.has(book) && !system.has(book));
      const issues = withForeign(judged.issues, foreign);
      const wrong = wrongWith(asked, { ...judged, issues });
      if (wrong !== null) return notDone(wrong);
      const finalCheck: FinalCheckReport = {
        ...judged,
        issues,
        claim: asked.claim,
        book: asked.book,
        files: [...filesOf(sources, asked), ...system.values()],
        trustTags: [...asked.trustTags],
        checkedAt: startedAt,
        durationMs: Date.now() - startedAt,
        steps: stepsOf(sources, asked),
        notes: [...asked.notes],
      };
      return passed(sources, finalCheck);
    });
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

/** The outcome for the session. That a process of the check is gone is no crash of the session. */
function notChecked(what: string, { outcome, condition: why, notes, report }: ImageOutcome): Outcome {
  const proof = report?.proof;
  const told = {
    ...notDone(`${what} does not hold: ${why?.message ?? notes.join(' ')}`),
    report: {
      loaded: [],
      failures: report?.failures ?? [],
      runs: [],
      ...(proof
        ? {
            proof: {
              events: proof.events.map((event) => ({ ...event, form: 0 })),
              issues: proof.issues,
              command: null,
            },
          }
        : {}),
    },
  };
  return outcome === 'interrupted' ? { ...told, ...interrupted() } : told;
}

function interrupted(): Outcome {
  const notes = ['The check was interrupted: nothing is known of what it was about.'];
  return { outcome: 'interrupted', forms: [], warnings: [], condition: null, notes };
}

export function notDone(why: string): Outcome {
  return { outcome: 'error', forms: [], warnings: [], condition: condition('Final check', why), notes: [] };
}

function passed({ books }: Sources, finalCheck: FinalCheckReport): Outcome {
  const counts = { passed: books.length, failed: 0, errors: 0, skipped: 0 };
  return {
    ...{ outcome: 'ok', forms: [], warnings: [], condition: null, notes: [] },
    report: {
      loaded: [],
      failures: [],
      runs: [{ framework: FINAL_CHECK, tests: [...books], counts, failures: [] }],
      proof: { events: [], issues: finalCheck.issues, command: null },
      finalCheck,
    },
  };
}

/** What a book, or a file below one, is called in a sentence. */
function titleOf(name: string, { book, texts }: FinalCheckRequest): string {
  const file = path.extname(name) === '' ? `${name}.lisp` : name;
  return texts?.has(file) && name.startsWith(book) ? 'The session' : name;
}

/** Why what the judge found is not what was asked for; null where it is. */
function wrongWith(
  { term, trustTags }: FinalCheckRequest,
  { theorems, issues }: Pick<FinalCheckReport, 'theorems' | 'issues'>,
): string | null {
  const rests = issues.filter(({ kind }) => kind !== 'trust-tag' || trustTags.length === 0);
  if (rests.length > 0)
    return `It rests on more than ACL2: ${rests.map(({ kind, about }) => `${kind} (${about.join(' ')})`).join(', ')}.`;
  const [found] = theorems;
  if (term !== undefined && found !== undefined && found.term !== term)
    return `In the session ${found.name} stands for another formula, ${term}, than its sources have: ${found.term}`;
  return null;
}

/** Which books are foreign the harbor says, and not the image. */
function withForeign(issues: readonly TrustIssue[], foreign: readonly string[]): TrustIssue[] {
  const others = issues.filter(({ kind }) => kind !== 'outside-book');
  return foreign.length === 0 ? others : [...others, { kind: 'outside-book', about: [...foreign] }];
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
