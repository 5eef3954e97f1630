/** One ACL2 process with the helper: evaluations, interrupts by signal, and its end. */

import { asFailure, HarborError } from '../../contract/errors';
import type { SandboxReport } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { ProofProgress } from '../../contract/proof';
import type { Activity, LaunchEnd, Launched, PrivateEntries, Usage } from '../../launchers/launcher';
import type { AgentLog } from '../agent/traits';
import {
  type EvaluateRequest,
  type Image,
  type ImageEnd,
  type ImageOutcome,
  type InterruptStep,
  LONGEST_VALUE,
  type OutputSink,
} from '../image';
import { ImageOutput, LimitedOutput } from '../image-output';
import { type ActivitySource, describeAborted, describeKilled, inTime } from '../image-process';
import type { FinalCheckRequest } from '../world';
import type { CertificationTask } from './certification/certification';
import { Acl2Checkpoints, Acl2Replayer, type SavedWorld } from './checkpoints';
import { Acl2Conversation, Acl2Queries, type HelperOptions, IGNORED } from './conversation';
import { Acl2Evaluation } from './evaluation';
import { EvaluationLimits, ProverQueries, UNKNOWN_STATE, type WatchedEvaluation } from './evaluation-monitor';
import { FinalCheck, type FinalCheckOptions } from './final-check/final-check';
import { checkFailed } from './final-check/final-check-report';
import { Acl2Knowledge } from './knowledge';
import { Acl2Library, type Books } from './library';
import type { FormRecord, ReadyRecord } from './records';
import { withTrials } from './suggestions/suggestions';
import { IncludedBooks } from './system-books';
import type { OneWayLock } from './trust-tags';
import { stringArgument } from './wire';
import { Acl2Loader, Acl2World } from './world';

/** Options of an image, set by the engine. */
interface Acl2ImageOptions extends HelperOptions {
  log: AgentLog;
  /** Folder of the helper's Lisp files. */
  helper: string;
  /** Heap size in bytes. */
  heapBytes: number;
  books: Books;
  /** The checkpoint that a replay restores; null for none. */
  saved: SavedWorld | null;
  lock: OneWayLock;
  /** Returns advice for an error message, or null. @param books the folder that ACL2 uses for system books */
  advice: (message: string, books: string | null) => string | null;
  subprocesses: SubprocessFactory;
}

/** Milliseconds until a new process must be ready. */
const START_MS = 30_000;

/** Milliseconds for a process to end by itself after its wire is closed. */
const GRACE_MS = 1_000;

/**
 * Milliseconds until an image must start an evaluation. After that it is considered stuck and may be killed.
 * On a busy machine a healthy image needs part of this time.
 */
const BEGIN_MS = 5_000;

/** Milliseconds after which trials of suggestions are interrupted. */
const TRIALS_MS = 20_000;

/** Milliseconds for a proof to stop by itself, with its checkpoints, when a limit is reached. */
const SOFT_STOP_MS = 2_000;

/**
 * The insistent interrupt is repeated because code may loop in cleanup forms, and GCL handles signals only
 * between them.
 */
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
  readonly #subprocesses: SubprocessFactory;
  readonly #advice: (message: string) => string | null;
  readonly #launched: Launched;
  readonly #output = new ImageOutput();
  readonly #conversation: Acl2Conversation;
  readonly #queries: Acl2Queries;
  readonly #ready = Promise.withResolvers<ReadyRecord>();
  /** The `ready` record. */
  #readyRecord: ReadyRecord | null = null;
  #package = 'ACL2';
  #prompt = 'ACL2 !>';
  #evaluation: Acl2Evaluation | null = null;
  #task: SubprocessTask | null = null;
  /** Resolves when all signals are sent. The image ignores signals that arrive before a request. */
  #signalled: Promise<unknown> = Promise.resolve();
  readonly #prover = new ProverQueries();
  readonly #limits: EvaluationLimits;
  #end: ImageEnd | null = null;
  #endExpected = false;
  #abortReason: string | null = null;

  /**
   * Waits until the helper is ready.
   * @throws HarborError `engine_failed` with the output of the process
   */
  static async start(launched: Launched, options: Acl2ImageOptions): Promise<Acl2Image> {
    const image = new Acl2Image(launched, options);
    const begun = Promise.race([
      image.#ready.promise.then(() => null),
      image.ended.then((end) => end.description),
    ]);
    const failure = (await inTime(image, START_MS, begun))
      ? await begun
      : `ACL2 was not ready within ${START_MS / 1000} s`;
    if (failure === null) return image;
    await image.end();
    const tail = tailOf(image.#conversation.outputTail);
    throw new HarborError('engine_failed', `${failure}${tail ? `. Its output:\n${tail}` : '.'}`);
  }

  private constructor(launched: Launched, options: Acl2ImageOptions) {
    this.#launched = launched;
    this.#books = new IncludedBooks(options.systemBooks);
    this.#subprocesses = options.subprocesses;
    this.#limits = new EvaluationLimits({
      heapBytes: options.heapBytes,
      usage: () => this.usage(),
      requestTimes: () => this.#signal('SIGUSR1'),
      stop: (evaluation, because) => this.#stop(evaluation, because),
    });
    this.rawLisp = options.lock;
    this.#advice = (message) => options.advice(message, this.#readyRecord?.books ?? null);
    this.replayer = new Acl2Replayer(options.saved);
    this.#output.follow('stdout', launched.stdout);
    this.#conversation = new Acl2Conversation(launched.wire, launched.stderr, {
      // Output before the helper is ready is a banner.
      printed: (stream, text) => this.#readyRecord && this.#output.write(stream, text),
      malformed: (problem) => options.log.warn('invalid record from an ACL2 image', problem),
      lost: (reason) => {
        this.#abortReason = describeAborted('ACL2', reason);
        void this.#launched.signal('SIGKILL');
      },
    });
    this.#conversation.start(options.helper, options, {
      ...IGNORED,
      record: (record) => record.record === 'ready' && this.#setReady(record),
    });
    this.ended = this.#watchEnd();
    this.#queries = new Acl2Queries(this.#conversation, this.ended);
    this.world = new Acl2World(this.#queries);
    this.library = new Acl2Library(this.#queries, options.books);
    this.checkpoints = new Acl2Checkpoints(this.#queries);
    this.knowledge = new Acl2Knowledge(this.#queries, this.library);
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
    const task = subprocessTask(withCertification(request), sink, this.#subprocesses, this.rawLisp);
    if (task) return this.#runTask(task);
    const { permanentIssues } = this.rawLisp;
    const known = { permanentIssues, books: this.#books, advice: this.#advice };
    const evaluation = new Acl2Evaluation(request, sink, known);
    // From here on it can be interrupted, also while it waits for a query.
    this.#evaluation = evaluation;
    const outcome = await this.#queries.runExclusive(() => this.#evaluate(evaluation, request));
    const library = this.library.folder === undefined ? null : this.library.lemmas.bind(this.library);
    // A proof ends in time; what it executes may not.
    const stuck = setTimeout(() => void this.#signal('SIGINT'), TRIALS_MS);
    return withTrials(outcome, evaluation.failure, this.#queries, library).finally(() => clearTimeout(stuck));
  }

  /** Both steps keep the world: ACL2 restores it when a form is unwound. */
  async interrupt(id: number, step: InterruptStep): Promise<boolean> {
    if (this.#task?.id === id) return this.#task.interrupt(step);
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

  /** Also queries the prover if the host supports it (not on SBCL). The prover continues. */
  async progress(): Promise<ProofProgress | null> {
    if (this.#task) return this.#task.progress();
    const evaluation = this.#evaluation;
    if (!evaluation) return null;
    const send = () => evaluation.begun.promise.then(() => this.#signal('SIGUSR1'));
    const state = this.#readyRecord?.progress
      ? await this.#prover.query(send, evaluation.settled)
      : UNKNOWN_STATE;
    if (this.#evaluation !== evaluation) return null;
    return { form: evaluation.formsDone, goal: this.#conversation.goal, ...state };
  }

  usage(): Promise<Usage | null> {
    return this.#launched.usage();
  }

  async activity(): Promise<Activity | null> {
    const working: ActivitySource = this.#task ?? this.#launched;
    return (await working.activity?.()) ?? null;
  }

  async privateEntries(): Promise<readonly PrivateEntries[]> {
    return (await this.#launched.privateEntries?.()) ?? [];
  }

  async end(): Promise<void> {
    this.#endExpected = true;
    await this.#task?.end();
    this.#conversation.close();
    const stuck = setTimeout(() => void this.#launched.signal('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(stuck);
  }

  async #runTask(task: SubprocessTask): Promise<ImageOutcome> {
    this.#task = task;
    const outcome = await task.run();
    this.#task = null;
    return { ...outcome, package: this.#package };
  }

  async #evaluate(evaluation: Acl2Evaluation, request: EvaluateRequest): Promise<ImageOutcome> {
    await this.#signalled;
    const trustTags = await this.rawLisp.allowedTags();
    const code = await this.#code(request).catch((error: unknown) => asFailure(error));
    if (typeof code !== 'string') evaluation.failed(this.#package, code);
    const limited = new LimitedOutput(evaluation.sink, request.outputChars ?? Number.POSITIVE_INFINITY);
    const earlier = this.#output.attach(limited.write);
    if (this.#end) this.#crash(evaluation, this.#end);
    else if (typeof code === 'string') this.#submit(evaluation, { ...request, code }, trustTags);
    this.#limits.watch(evaluation, request.cpuSeconds, this.#readyRecord?.progress ?? false);
    const outcome = await evaluation.settled;
    this.rawLisp.noteUsed(outcome.report?.proof?.issues ?? []);
    await this.#output.caughtUp();
    this.#evaluation = null;
    this.#output.detach();
    return { ...outcome, notes: [...earlier, ...outcome.notes, ...limited.end()] };
  }

  /** Returns the code to submit. @throws HarborError `unknown_checkpoint` */
  async #code({ code, restores }: EvaluateRequest): Promise<string> {
    return restores === undefined ? code : this.checkpoints.restoringCode(restores);
  }

  #setReady(ready: ReadyRecord): void {
    this.#readyRecord = ready;
    this.#package = ready.package;
    this.#prompt = ready.prompt;
    this.#ready.resolve(ready);
  }

  #submit(
    evaluation: Acl2Evaluation,
    request: EvaluateRequest,
    trustTags: Awaited<ReturnType<OneWayLock['allowedTags']>>,
  ): void {
    const { code, package: packageName, maxChars, asData = false } = request;
    const limit = maxChars ?? LONGEST_VALUE;
    this.#conversation.send(
      { op: 'evaluate', code, package: packageName, limit, asData, trustTags },
      {
        record: (record) => {
          if (record.record !== 'progress') return evaluation.record(record);
          this.#prover.receive(record);
          this.#limits.receive(record);
        },
        form: (record, printed) => this.#endIfDamaged(record) || evaluation.form(record, printed),
        done: (record, printed) => {
          if (this.#endIfDamaged(record)) return;
          this.#package = record.package;
          this.#prompt = record.prompt;
          evaluation.done(record, printed);
        },
      },
    );
  }

  /**
   * Ends the process if a form has damaged its memory, so that nothing it reports afterwards counts. Returns whether
   * it did.
   */
  #endIfDamaged({ raw_condition: raw }: Pick<FormRecord, 'raw_condition'>): boolean {
    if (this.#abortReason === null && raw !== null && DAMAGED.test(raw)) {
      this.#abortReason = 'ACL2 was ended because a form accessed memory outside of its data';
      void this.#launched.signal('SIGKILL');
    }
    return this.#abortReason !== null;
  }

  /** @param because the note for the caller */
  async #stop(evaluation: WatchedEvaluation, because: Note): Promise<void> {
    evaluation.setInterruptReason(because);
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
    const description = this.#abortReason ?? describeEnd(end, this.#conversation.outputTail);
    this.#end = { description, expected: this.#endExpected };
    if (this.#evaluation) this.#crash(this.#evaluation, this.#end);
    return this.#end;
  }

  #crash(evaluation: Acl2Evaluation, end: ImageEnd): void {
    evaluation.crashed(this.#package, note('image_ended', `${end.description}.`));
  }
}

/** Adds the certification that code typed by a user names, as in `(harbor-certify "book")`. Other callers set `certify`. */
function withCertification(request: EvaluateRequest): EvaluateRequest {
  const { code, certify = stringArgument('certify', code) ?? undefined } = request;
  return certify === undefined ? request : { ...request, certify };
}

/** Raw Lisp conditions after which the memory of GCL or SBCL may be damaged; also one about what is no Lisp object. */
const DAMAGED = /memory may be damaged|memory[ -]fault|^a raw Lisp error that cannot be printed$/i;

/** Maximum characters of process output in a sentence. */
const SHOWN = 2_000;

/** Output of the host Lisp when it terminates (GCL 2.6.14; SBCL 2.2.9: gencgc.c). */
const REASONS: readonly [RegExp, string][] = [
  [
    /Heap exhausted|storage for \S+ is exhausted|Cannot allocate memory|Out of memory/i,
    'its memory was exhausted',
  ],
  [/Control stack exhausted|stack overflow/i, 'its stack was exhausted'],
  [/fatal error encountered in SBCL/, 'its runtime had a fatal error'],
];

/**
 * Examples: "ACL2 exited with code 3", "ACL2 exited with code 1 because its memory was exhausted", "ACL2 was
 * killed by SIGKILL".
 */
function describeEnd(end: LaunchEnd, printed: string): string {
  const { code, error } = end;
  if (error !== undefined) return `ACL2 did not start: ${error}`;
  const killed = describeKilled('ACL2', end);
  if (killed !== null) return killed;
  const reason = code === 0 ? undefined : REASONS.find(([pattern]) => pattern.test(printed))?.[1];
  return `ACL2 exited with code ${code ?? '(unknown)'}${reason === undefined ? '' : ` because ${reason}`}`;
}

function tailOf(printed: string): string {
  return printed.trim().slice(-SHOWN);
}

/** Prepares tasks whose processes start with an empty world. */
interface SubprocessFactory {
  /** Returns a certification of project books as evaluation `id`. Its processes have the permissions of `lock`. */
  certification: (id: number, lock: OneWayLock) => CertificationTask;
  /** Returns the resources for a final check. */
  finalCheckContext: (check: FinalCheckRequest) => Omit<FinalCheckOptions, 'id' | 'check'>;
}

/** An evaluation in separate processes, which does not change the image's world. For the session it is a normal evaluation. */
interface SubprocessTask {
  readonly id: number;
  /** Never rejects. */
  run(): Promise<Omit<ImageOutcome, 'package'>>;
  interrupt(step: InterruptStep): Promise<boolean>;
  progress(): Promise<ProofProgress | null>;
  activity(): Promise<Activity | null>;
  end(): Promise<void>;
}

/** Returns the task for `request`; null for code that the image itself evaluates. @param lock the image's */
function subprocessTask(
  request: EvaluateRequest,
  sink: OutputSink,
  factory: SubprocessFactory,
  lock: OneWayLock,
): SubprocessTask | null {
  const { id, certify, finalCheck } = request;
  if (finalCheck) {
    const check = new FinalCheck({ id, check: finalCheck, ...factory.finalCheckContext(finalCheck) });
    return taskWithRun(check, () =>
      check.run(request, sink).catch((error: unknown) => checkFailed(asFailure(error).message)),
    );
  }
  if (certify === undefined) return null;
  const certification = factory.certification(id, lock);
  return taskWithRun(certification, () => certification.run(certify, request, sink));
}

function taskWithRun(work: Omit<SubprocessTask, 'run'>, run: SubprocessTask['run']): SubprocessTask {
  return {
    id: work.id,
    run,
    interrupt: (step) => work.interrupt(step),
    progress: () => work.progress(),
    activity: () => work.activity(),
    end: () => work.end(),
  };
}
