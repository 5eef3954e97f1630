/**
 * One conversation with an image. The handle lives as long as the session; its image may be replaced, which
 * counts `generation` up and is told in the notes of the next evaluation.
 */
import { HarborError } from '../contract/errors';
import type {
  EngineName,
  Evaluation,
  EvaluationKind,
  SessionState,
  SessionView,
  Stream,
} from '../contract/model';
import type { EvaluateRequest, Image, ImageEnd, ImageOutcome } from '../images/image';
import type { Usage } from '../launchers/launcher';
import { type Ability, abilityOf } from './abilities';
import { interrupt } from './interrupt';
import { RunningEvaluation } from './running-evaluation';

/** What a caller asks of a session. Everything else about an evaluation the session knows itself. */
export interface EvaluationRequest extends Omit<EvaluateRequest, 'id'> {
  client: string;
  kind: EvaluationKind;
}

export interface SessionIdentity {
  id: string;
  engine: EngineName;
  name: string;
  client: string;
  project: string;
  openedAt: number;
}

/** How an evaluation ended, for the journal: the image's outcome and when. */
export interface ClosedEvaluation extends ImageOutcome {
  endedAt: number;
  durationMs: number;
}

/** Where a session writes down what happens in it. */
export interface Journal {
  /** Opens the row before the code runs and answers its id. */
  open(session: Session, request: EvaluationRequest): number;
  output(session: Session, id: number, stream: Stream, text: string): void;
  close(session: Session, id: number, closed: ClosedEvaluation): Evaluation;
  changed(session: Session): void;
}

export class Session {
  readonly identity: SessionIdentity;
  readonly #startImage: () => Promise<Image>;
  readonly #journal: Journal;
  #image: Image;
  #state: SessionState = 'idle';
  #generation = 1;
  #lostBecause: string | null = null;
  #lastUsedAt: number;
  #queue: Promise<unknown> = Promise.resolve();
  #running: RunningEvaluation | null = null;
  readonly #unsettled = new Map<number, RunningEvaluation>();
  readonly #cancelled = new WeakSet<RunningEvaluation>();
  #usage: Usage | null = null;

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

  /** What the image can do beside evaluating. @throws HarborError `not_supported`, `image_lost`, `session_ended` */
  ability<A extends Ability>(ability: A): NonNullable<Image[A]> {
    if (this.#state === 'ended') throw new HarborError('session_ended', `Session ${this.id} has ended.`);
    if (this.#lostBecause === null) return abilityOf(this.#image, this.identity.engine, ability);
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

  /** Queues the evaluation; its row is open when this returns. */
  evaluate(request: EvaluationRequest): RunningEvaluation {
    const id = this.#journal.open(this, request);
    const evaluation = new RunningEvaluation(id, this.id, request.client);
    this.#unsettled.set(id, evaluation);
    this.#queue = this.#queue.then(() => this.#run(evaluation, request));
    return evaluation;
  }

  /** Interrupts what runs now, climbing the ladder; the last step ends the image. False when nothing runs. */
  async interrupt(): Promise<boolean> {
    return this.#running !== null && this.cancel(this.#running);
  }

  /** Interrupts this one evaluation; one that still waits for its turn never begins. False when it is over. */
  async cancel(evaluation: RunningEvaluation): Promise<boolean> {
    if (evaluation !== this.#running) {
      this.#cancelled.add(evaluation);
      return (await evaluation.within(0)) === null;
    }
    if (!(await interrupt(this.#image, evaluation))) await this.#image.end();
    await evaluation.settled;
    return true;
  }

  /** Ends the image; evaluations that run or wait are closed as interrupted. */
  async end(): Promise<void> {
    this.#change('ended');
    await this.#image.end();
    await this.#queue;
  }

  async #run(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<void> {
    const began = performance.now();
    const outcome = await this.#outcome(evaluation, request);
    this.#running = null;
    this.#lastUsedAt = Date.now();
    const closed = this.#journal.close(this, evaluation.id, {
      ...outcome,
      endedAt: this.#lastUsedAt,
      durationMs: performance.now() - began,
    });
    if (this.#state === 'running') this.#change('idle');
    this.#unsettled.delete(evaluation.id);
    evaluation.settle(closed);
  }

  async #outcome(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<ImageOutcome> {
    if (this.#state === 'ended')
      return nothingRan('interrupted', this.package, 'The session was closed before this ran.');
    if (this.#cancelled.has(evaluation))
      return nothingRan('interrupted', this.package, 'This was cancelled before it began.');
    const notes: string[] = [];
    try {
      if (this.#state === 'lost') notes.push(await this.#revive());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return nothingRan(
        'crashed',
        this.package,
        `The session's image is gone and no new one could be started: ${reason}`,
      );
    }
    notes.push(...this.#sandboxNotes());
    this.#running = evaluation;
    this.#change('running');
    const { client, kind, ...rest } = request;
    const outcome = await this.#image.evaluate({ id: evaluation.id, ...rest }, (stream, text) =>
      this.#journal.output(this, evaluation.id, stream, text),
    );
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

  async #revive(): Promise<string> {
    const because = this.#lostBecause ?? 'its image ended';
    this.#change('starting');
    const image = await this.#startAgain();
    this.#image = image;
    this.#watch(image);
    this.#generation += 1;
    this.#lostBecause = null;
    return `This session is fresh (generation ${this.#generation}): the one before was lost because ${because}. Its definitions are gone.`;
  }

  async #startAgain(): Promise<Image> {
    try {
      const image = await this.#startImage();
      // Closed meanwhile: nobody else knows of this image.
      if (this.#state === 'ended') await image.end();
      return image;
    } catch (error) {
      this.#change('lost');
      throw error;
    }
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
