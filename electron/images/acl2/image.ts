/** One ACL2 process with the helper in it: evaluations, interrupts by signal, and an end that is always told. */
import { asFailure, HarborError } from '../../contract/errors';
import type { SandboxReport } from '../../contract/model';
import type { ProofProgress } from '../../contract/proof';
import type { Activity, Launched, PrivateEntries, Usage } from '../../launchers/launcher';
import {
  type EvaluateRequest,
  type Image,
  type ImageEnd,
  type ImageOutcome,
  type InterruptStep,
  LONGEST_VALUE,
  type OutputSink,
} from '../image';
import { ImageOutput } from '../image-output';
import { LimitedOutput } from '../limited-output';
import { inTime, type Observed } from '../patience';
import { describeGivenUp } from '../process-end';
import { type Beside, besideOf, type OtherProcesses } from './beside';
import { IncludedBooks } from './books';
import { Acl2Checkpoints } from './checkpoints';
import { Acl2Conversation, NOBODY } from './conversation';
import { Acl2Evaluation } from './evaluation';
import { EvaluationLimits } from './evaluation-limits';
import { describeEnd, lastWords } from './image-end';
import type { Acl2ImageOptions } from './image-options';
import { Acl2Knowledge } from './knowledge';
import { Acl2Library } from './library';
import { Acl2Loader } from './loader';
import { goalIn, ProverQuestions, UNTOLD } from './progress';
import { Acl2Queries } from './queries';
import type { OneWayLock } from './raw-lisp';
import type { ReadyRecord } from './records';
import { Acl2Replayer } from './replayer';
import { withTrials } from './suggestions/trials';
import { Acl2World } from './world';

/** Milliseconds in which a new process must be ready. */
const START_MS = 30_000;

/** Milliseconds that a process gets to end by itself when its wire is closed. */
const GRACE_MS = 1_000;

/** Milliseconds in which an image must begin to work on what it was asked. One that does not is taken for stuck and may be
 * ended; on a busy machine a healthy one needs some of them. */
const BEGIN_MS = 5_000;

/** Milliseconds that a proof gets to stop by itself, with its checkpoints, when a limit is reached. */
const SOFT_STOP_MS = 2_000;

/** The insistent interrupt is repeated: code may loop in its cleanup forms, and GCL notices a signal only between them. */
const INSISTENT = { pause: 1_000, count: 5 } as const;

export class Acl2Image implements Image {
  readonly engine = 'acl2';
  readonly ended: Promise<ImageEnd>;
  readonly world: Acl2World;
  readonly knowledge: Acl2Knowledge;
  readonly library: Acl2Library;
  readonly checkpoints: Acl2Checkpoints;
  readonly replayer: Acl2Replayer;
  readonly loader = new Acl2Loader();
  readonly rawLisp: OneWayLock;
  readonly #books: IncludedBooks;
  readonly #others: OtherProcesses;
  readonly #advice: (message: string) => string | null;
  readonly #launched: Launched;
  readonly #output = new ImageOutput();
  readonly #conversation: Acl2Conversation;
  readonly #queries: Acl2Queries;
  readonly #ready = Promise.withResolvers<ReadyRecord>();
  /** What it said when it was ready. */
  #told: ReadyRecord | null = null;
  #package = 'ACL2';
  #prompt = 'ACL2 !>';
  #evaluation: Acl2Evaluation | null = null;
  #beside: Beside | null = null;
  /** Settles when all signals are sent; the image lets those go that it gets before a request. */
  #signalled: Promise<unknown> = Promise.resolve();
  readonly #prover = new ProverQuestions();
  readonly #limits: EvaluationLimits;
  #end: ImageEnd | null = null;
  #endExpected = false;
  #givenUp: string | null = null;

  /** Waits until the helper answers. @throws HarborError `engine_failed` with what the process printed. */
  static async start(launched: Launched, options: Acl2ImageOptions): Promise<Acl2Image> {
    const image = new Acl2Image(launched, options);
    const begun = Promise.race([
      image.#ready.promise.then(() => null),
      image.ended.then((end) => end.description),
    ]);
    const failure = (await inTime(image, START_MS, begun))
      ? await begun
      : `ACL2 was not ready within ${START_MS / 1000} s of its own`;
    if (failure === null) return image;
    await image.end();
    const words = lastWords(image.#conversation.lastWords);
    throw new HarborError('engine_failed', `${failure}${words ? `. It printed:\n${words}` : '.'}`);
  }

  private constructor(launched: Launched, options: Acl2ImageOptions) {
    this.#launched = launched;
    this.#books = new IncludedBooks(options.systemBooks);
    this.#others = options.others;
    this.#limits = new EvaluationLimits({
      heapBytes: options.heapBytes,
      usage: () => this.usage(),
      askTime: () => this.#signal('SIGUSR1'),
      stop: (evaluation, because) => this.#stop(evaluation, because),
    });
    this.rawLisp = options.lock;
    this.#advice = (message) => options.advice(message, this.#told?.books ?? null);
    this.replayer = new Acl2Replayer(options.saved);
    this.#output.follow('stdout', launched.stdout);
    this.#conversation = new Acl2Conversation(launched.wire, launched.stderr, {
      // What is printed before the helper serves is a banner.
      printed: (stream, text) => this.#told && this.#output.write(stream, text),
      malformed: (problem) => options.log.warn('an ACL2 image sent what is no record', problem),
      lost: (reason) => {
        this.#givenUp = describeGivenUp('ACL2', reason);
        void this.#launched.signal('SIGKILL');
      },
    });
    this.#conversation.begin(options.helper, options, {
      ...NOBODY,
      record: (record) => record.record === 'ready' && this.#serve(record),
    });
    this.ended = this.#watchEnd();
    this.#queries = new Acl2Queries(this.#conversation, this.ended);
    this.world = new Acl2World(this.#queries);
    this.library = new Acl2Library(this.#queries, options.books);
    this.checkpoints = new Acl2Checkpoints(this.#queries);
    this.knowledge = new Acl2Knowledge(this.#queries);
  }

  get sandbox(): SandboxReport {
    return this.#launched.sandbox;
  }

  get package(): string {
    return this.#package;
  }

  prompt(): string {
    return this.#prompt;
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const beside = besideOf(request, sink, this.#others, this.rawLisp);
    if (beside) return this.#runBeside(beside);
    const { standing } = this.rawLisp;
    const known = { standing, books: this.#books, advice: this.#advice };
    const evaluation = new Acl2Evaluation(request, sink, known);
    // From here on it can be interrupted, also while a query keeps it waiting.
    this.#evaluation = evaluation;
    const outcome = await this.#queries.without(() => this.#evaluate(evaluation, request));
    return withTrials(outcome, evaluation.failedForm, this.#queries);
  }

  /** Both steps keep the world: ACL2 restores it when a form is unwound. */
  async interrupt(id: number, step: InterruptStep): Promise<boolean> {
    if (this.#beside?.id === id) return this.#beside.interrupt(step);
    const evaluation = this.#evaluation;
    if (evaluation?.id !== id) return true;
    const settled = evaluation.settled.then(() => true);
    const begun = evaluation.begun.promise.then(() => true);
    if (!(await inTime(this, BEGIN_MS, Promise.race([begun, settled])))) return false;
    const { pause, count } = step === 'cooperative' ? { pause: 0, count: 1 } : INSISTENT;
    for (let sent = 0; sent < count && this.#evaluation === evaluation; sent += 1) {
      await this.#signal('SIGINT');
      await inTime(this, pause, settled);
    }
    return true;
  }

  /** Asks the prover too where its host can tell, which SBCL cannot; it goes on with its work. */
  async progress(): Promise<ProofProgress | null> {
    if (this.#beside) return this.#beside.progress();
    const evaluation = this.#evaluation;
    if (!evaluation) return null;
    const send = () => evaluation.begun.promise.then(() => this.#signal('SIGUSR1'));
    const state = this.#told?.progress ? await this.#prover.ask(send, evaluation.settled) : UNTOLD;
    if (this.#evaluation !== evaluation) return null;
    return { form: evaluation.formsDone, goal: goalIn(this.#conversation.commentary), ...state };
  }

  usage(): Promise<Usage | null> {
    return this.#launched.usage();
  }

  async activity(): Promise<Activity | null> {
    const working: Observed = this.#beside ?? this.#launched;
    return (await working.activity?.()) ?? null;
  }

  async privateEntries(): Promise<readonly PrivateEntries[]> {
    return (await this.#launched.privateEntries?.()) ?? [];
  }

  async end(): Promise<void> {
    this.#endExpected = true;
    await this.#beside?.end();
    this.#conversation.close();
    const stuck = setTimeout(() => void this.#launched.signal('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(stuck);
  }

  async #runBeside(beside: Beside): Promise<ImageOutcome> {
    this.#beside = beside;
    const outcome = await beside.run();
    this.#beside = null;
    return { ...outcome, package: this.#package };
  }

  async #evaluate(evaluation: Acl2Evaluation, request: EvaluateRequest): Promise<ImageOutcome> {
    await this.#signalled;
    const trustTags = await this.rawLisp.open();
    const code = await this.#code(request).catch((error: unknown) => asFailure(error));
    if (typeof code !== 'string') evaluation.failed(this.#package, code);
    const limited = new LimitedOutput(evaluation.sink, request.outputChars ?? Number.POSITIVE_INFINITY);
    const earlier = this.#output.attach(limited.write);
    if (this.#end) this.#crash(evaluation, this.#end);
    else if (typeof code === 'string') this.#ask(evaluation, { ...request, code }, trustTags);
    this.#limits.keep(evaluation, request.cpuSeconds, this.#told?.progress ?? false);
    const outcome = await evaluation.settled;
    this.rawLisp.noteUsed(outcome.report?.proof?.issues ?? []);
    await this.#output.caughtUp();
    this.#evaluation = null;
    this.#output.detach();
    return { ...outcome, notes: [...earlier, ...outcome.notes, ...limited.end()] };
  }

  /** What is submitted. @throws HarborError `unknown_checkpoint` */
  async #code({ code, restores }: EvaluateRequest): Promise<string> {
    return restores === undefined ? code : this.checkpoints.restoringCode(restores);
  }

  #serve(ready: ReadyRecord): void {
    this.#told = ready;
    this.#package = ready.package;
    this.#prompt = ready.prompt;
    this.#ready.resolve(ready);
  }

  #ask(
    evaluation: Acl2Evaluation,
    request: EvaluateRequest,
    trustTags: Awaited<ReturnType<OneWayLock['open']>>,
  ): void {
    const { code, package: packageName, maxChars, asData = false } = request;
    const limit = maxChars ?? LONGEST_VALUE;
    this.#conversation.ask(
      { op: 'evaluate', code, package: packageName, limit, asData, trustTags },
      {
        record: (record) => {
          if (record.record !== 'progress') return evaluation.record(record);
          this.#prover.answered(record);
          this.#limits.answered(record);
        },
        form: (record, printed) => evaluation.form(record, printed),
        done: (record, printed) => {
          this.#package = record.package;
          this.#prompt = record.prompt;
          evaluation.done(record, printed);
        },
      },
    );
  }

  /** @param because what the caller is told */
  async #stop(evaluation: Acl2Evaluation, because: string): Promise<void> {
    evaluation.interruptedBecause(because);
    await this.interrupt(evaluation.id, 'cooperative');
    await inTime(this, SOFT_STOP_MS, evaluation.settled);
    await this.interrupt(evaluation.id, 'insistent');
  }

  #signal(name: NodeJS.Signals): Promise<unknown> {
    const sent = this.#launched.signal(name);
    this.#signalled = Promise.all([this.#signalled, sent]);
    return sent;
  }

  async #watchEnd(): Promise<ImageEnd> {
    const end = await this.#launched.ended;
    await Promise.all([this.#output.caughtUp(), this.#conversation.caughtUp()]);
    const description = this.#givenUp ?? describeEnd(end, this.#conversation.lastWords);
    this.#end = { description, expected: this.#endExpected };
    if (this.#evaluation) this.#crash(this.#evaluation, this.#end);
    return this.#end;
  }

  #crash(evaluation: Acl2Evaluation, end: ImageEnd): void {
    evaluation.crashed(this.#package, `${end.description}.`);
  }
}
