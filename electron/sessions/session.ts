/**
 * One conversation with an image. The handle lives as long as the session; its image may be replaced, which
 * counts `generation` up and is told in the notes of the next evaluation.
 */
import { HarborError } from '../contract/errors';
import type { Evaluation, SessionState, SessionView, Stream } from '../contract/model';
import type { Image, ImageEnd, ImageOutcome } from '../images/image';
import type { Loader } from '../images/loader';
import type { Usage } from '../launchers/launcher';
import { type Ability, abilityOf } from './abilities';
import { interrupt } from './interrupt';
import type { ClosedEvaluation, EvaluationRequest, SessionIdentity } from './requests';
import { RunningEvaluation } from './running-evaluation';

/** Where a session writes down what happens in it. */
export interface Journal {
  /** Opens the row before the code runs.
   * @throws HarborError `data_folder_unusable`: what cannot be remembered is not run */
  open(session: Session, request: EvaluationRequest): Evaluation;
  /** Never throws. */
  output(opened: Evaluation, stream: Stream, text: string): void;
  /** Never throws: a row that cannot be written is answered all the same, and says so in its notes. */
  close(opened: Evaluation, closed: ClosedEvaluation): Evaluation;
  /** Never throws. */
  changed(session: Session): void;
}

export class Session {
  readonly identity: SessionIdentity;
  readonly #startImage: () => Promise<Image>;
  readonly #journal: Journal;
  #image: Image;
  #state: SessionState = 'idle';
  #generation = 1;
  #lostBecause = 'its image ended';
  /** What the next evaluation's caller must be told. */
  readonly #news: string[] = [];
  #lastUsedAt: number;
  #queue: Promise<unknown> = Promise.resolve();
  #running: RunningEvaluation | null = null;
  readonly #unsettled = new Map<number, RunningEvaluation>();
  #usage: Usage | null = null;
  #systems = new Set<string>();

  constructor(identity: SessionIdentity, image: Image, startImage: () => Promise<Image>, journal: Journal) {
    this.identity = identity;
    this.#startImage = startImage;
    this.#journal = journal;
    this.#lastUsedAt = identity.openedAt;
    this.#image = image;
    this.#watch(image);
  }

  get id(): string {
    return this.identity.id;
  }

  get state(): SessionState {
    return this.#state;
  }

  get running(): RunningEvaluation | null {
    return this.#running;
  }

  /** An evaluation that runs or waits for its turn. */
  unsettled(id: number): RunningEvaluation | undefined {
    return this.#unsettled.get(id);
  }

  /** The engine's own prompt, for listeners. */
  get prompt(): string {
    return this.#image.prompt();
  }

  get package(): string {
    return this.#image.package;
  }

  /** Counts the images that this session has had. */
  get generation(): number {
    return this.#generation;
  }

  /** Systems that evaluations have loaded, in the order they came; an image that died does not change that. */
  get systems(): readonly string[] {
    return [...this.#systems];
  }

  /** How to load and test, which is known also while there is no image. @throws HarborError `not_supported` */
  get loader(): Loader {
    return abilityOf(this.#image, this.identity.engine, 'loader');
  }

  /** What the image can do beside evaluating. @throws HarborError `not_supported`, `image_lost`, `session_ended` */
  ability<A extends Ability>(ability: A): NonNullable<Image[A]> {
    if (this.#state === 'ended') throw new HarborError('session_ended', `Session ${this.id} has ended.`);
    if (this.#state !== 'lost' && this.#state !== 'starting')
      return abilityOf(this.#image, this.identity.engine, ability);
    throw new HarborError(
      'image_lost',
      `The image of session ${this.id} is gone because ${this.#lostBecause}. Evaluate something: that starts a fresh one.`,
    );
  }

  view(): SessionView {
    const { openedAt, ...identity } = this.identity;
    return {
      ...identity,
      state: this.#state,
      package: this.#image.package,
      pid: this.#usage?.pid ?? null,
      memoryBytes: this.#usage?.memoryBytes ?? null,
      startedAt: openedAt,
      lastUsedAt: this.#lastUsedAt,
      generation: this.#generation,
      sandbox: this.#image.sandbox,
      runningEvaluation: this.#running?.id ?? null,
    };
  }

  /** Reads pid and memory of the engine's process anew. */
  async refreshUsage(): Promise<void> {
    this.#usage = this.#state === 'lost' || this.#state === 'ended' ? null : await this.#image.usage();
  }

  /** Queues the evaluation; its row is open when this returns.
   * @throws HarborError `session_ended`, or `data_folder_unusable` when there can be no row */
  evaluate(request: EvaluationRequest): RunningEvaluation {
    return this.#enqueue(request);
  }

  /** Gives up the image and evaluates in a fresh one; what runs is interrupted, what waits never begins. `systems`
   * count as loaded from now on, so that a reset which fails to load them again can be asked for once more. */
  reset(request: EvaluationRequest, systems: readonly string[]): RunningEvaluation {
    const before = [...this.#unsettled.values()];
    const evaluation = this.#enqueue(request, () => this.#giveUp(systems));
    for (const each of before) void this.cancel(each);
    return evaluation;
  }

  #enqueue(request: EvaluationRequest, prepare?: () => Promise<void>): RunningEvaluation {
    if (this.#state === 'ended') throw new HarborError('session_ended', `Session ${this.id} was closed.`);
    const evaluation = new RunningEvaluation(this.#journal.open(this, request));
    this.#unsettled.set(evaluation.id, evaluation);
    this.#queue = this.#queue.then(async () => {
      if (this.#waits(evaluation)) await prepare?.();
      await this.#run(evaluation, request);
    });
    return evaluation;
  }

  /** Interrupts what runs now, climbing the ladder; the last step ends the image. False when nothing runs. */
  async interrupt(): Promise<boolean> {
    return this.#running !== null && this.cancel(this.#running);
  }

  /** Interrupts this one evaluation; one that still waits for its turn never begins. False when it is over. */
  async cancel(evaluation: RunningEvaluation): Promise<boolean> {
    if (!this.#waits(evaluation)) return false;
    if (evaluation !== this.#running) {
      this.#settle(
        evaluation,
        nothingRan('interrupted', this.package, 'This was cancelled before it began.'),
      );
      return true;
    }
    const image = this.#image;
    // Only what still holds the image is worth ending it for.
    if (!(await interrupt(image, evaluation)) && evaluation === this.#running) await image.end();
    await evaluation.settled;
    return true;
  }

  /** Ends the image; evaluations that run or wait are closed as interrupted. */
  async end(): Promise<void> {
    this.#change('ended');
    for (const evaluation of this.#unsettled.values()) {
      if (evaluation === this.#running) continue;
      this.#settle(
        evaluation,
        nothingRan('interrupted', this.package, 'The session was closed before this ran.'),
      );
    }
    await this.#image.end();
    await this.#queue;
  }

  /** Never rejects, so that the queue goes on whatever happens. */
  async #run(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<void> {
    const began = performance.now();
    const outcome = await this.#outcome(evaluation, request).catch((error: unknown) =>
      nothingRan('crashed', this.package, `This evaluation was lost: ${messageOf(error)}`),
    );
    this.#running = null;
    if (outcome) this.#settle(evaluation, outcome, performance.now() - began);
    if (this.#state === 'running' || this.#state === 'starting') this.#change('idle');
  }

  /** Whether `evaluation` has not been settled yet. */
  #waits(evaluation: RunningEvaluation): boolean {
    return this.#unsettled.has(evaluation.id);
  }

  #settle(evaluation: RunningEvaluation, outcome: ImageOutcome, durationMs = 0): void {
    this.#lastUsedAt = Date.now();
    this.#unsettled.delete(evaluation.id);
    const closed = { ...outcome, endedAt: this.#lastUsedAt, durationMs };
    evaluation.settle(this.#journal.close(evaluation.row, closed));
  }

  /** null when the evaluation was cancelled before it began. */
  async #outcome(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<ImageOutcome | null> {
    const problem = this.#state === 'lost' && this.#waits(evaluation) ? await this.#revive() : null;
    // Starting an image takes a while, in which a caller may think otherwise.
    if (!this.#waits(evaluation)) return null;
    if (problem !== null) return nothingRan('crashed', this.package, problem);
    const notes = [...this.#news.splice(0), ...this.#sandboxNotes()];
    this.#running = evaluation;
    this.#change('running');
    const { client, kind, ...rest } = request;
    const outcome = await this.#image.evaluate({ id: evaluation.id, ...rest }, (stream, text) =>
      this.#journal.output(evaluation.row, stream, text),
    );
    for (const system of outcome.report?.loaded ?? []) this.#systems.add(system);
    notes.push(...outcome.notes);
    if (outcome.outcome !== 'crashed') return { ...outcome, notes };
    return this.#afterEnd(outcome, notes, await this.#image.ended);
  }

  /** An image that was ended on purpose did not crash: its evaluation was interrupted. */
  #afterEnd(outcome: ImageOutcome, notes: string[], end: ImageEnd): ImageOutcome {
    if (this.#state === 'ended') notes.push('The session was closed while this ran.');
    else notes.push('The state of this session is lost; the next evaluation gets a fresh image.');
    this.#lose(end);
    return { ...outcome, outcome: end.expected ? 'interrupted' : 'crashed', notes };
  }

  async #giveUp(systems: readonly string[]): Promise<void> {
    this.#systems = new Set(systems);
    if (this.#state === 'lost') return;
    await this.#image.end();
    this.#lose(await this.#image.ended);
    this.#lostBecause = 'it was reset';
  }

  /** Starts a new image in place of the lost one. Answers why there is none, or null. */
  async #revive(): Promise<string | null> {
    this.#change('starting');
    try {
      this.#image = await this.#startImage();
    } catch (error) {
      this.#change('lost');
      return `The session's image is gone and no new one could be started: ${messageOf(error)}`;
    }
    // Closed meanwhile: nobody else knows of this image.
    if (this.#state === 'ended') await this.#image.end();
    this.#watch(this.#image);
    this.#generation += 1;
    this.#news.push(
      `This session is fresh (generation ${this.#generation}) because ${this.#lostBecause}. Its definitions are gone.`,
    );
    return null;
  }

  #sandboxNotes(): string[] {
    const { confined, reason } = this.#image.sandbox;
    return confined ? [] : [`not sandboxed: ${reason ?? 'no sandbox on this system'}`];
  }

  #watch(image: Image): void {
    void image.ended.then((end) => {
      if (image === this.#image) this.#lose(end);
    });
  }

  #lose(end: ImageEnd): void {
    this.#lostBecause = end.expected
      ? 'an evaluation could only be stopped by ending its image'
      : end.description;
    this.#usage = null;
    this.#change('lost');
  }

  #change(state: SessionState): void {
    if (this.#state === 'ended' || this.#state === state) return;
    this.#state = state;
    this.#journal.changed(this);
  }
}

function nothingRan(outcome: 'interrupted' | 'crashed', packageName: string, note: string): ImageOutcome {
  return { outcome, package: packageName, forms: [], warnings: [], condition: null, notes: [note] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
