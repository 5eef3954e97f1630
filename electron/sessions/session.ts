/**
 * One conversation with an image. The handle lives as long as the session; its image may be replaced, which
 * counts `generation` up and is told in the notes of the next evaluation.
 */
import { asFailure, HarborError } from '../contract/errors';
import type { SessionState, SessionView } from '../contract/model';
import type { ProofProgress } from '../contract/proof';
import type { SavedImage } from '../images/checkpoints';
import type { Debugger, LevelWatcher } from '../images/debugger';
import type { Image, ImageOutcome, OutputSink } from '../images/image';
import type { Loader } from '../images/loader';
import type { Usage } from '../launchers/launcher';
import { type Ability, abilityOf, imageLost } from './abilities';
import { heldDebugger } from './held-debugger';
import { HeldLevels } from './held-levels';
import { interrupt } from './interrupt';
import { evaluationLimits } from './limits';
import { freshLineage, type Lineage, lineageFrom, type SavedState } from './lineage';
import {
  afterLoss,
  CLOSED_MEANWHILE,
  isAttached,
  nothingRan,
  RAW_LISP_ALLOWED,
  sandboxNotes,
  tornAway,
} from './outcomes';
import type { EvaluationRequest, SessionIdentity } from './requests';
import type { RunningEvaluation } from './running-evaluation';
import { SessionImage, type SessionImageOptions } from './session-image';
import type { Journal } from './session-journal';
import { Trials } from './trials';
import { Unsettled } from './unsettled';

export class Session {
  readonly identity: SessionIdentity;
  readonly #journal: Journal;
  readonly #images: SessionImage;
  #state: SessionState = 'idle';
  #lastUsedAt: number;
  #running: RunningEvaluation | null = null;
  readonly #levels = new HeldLevels();
  readonly #unsettled: Unsettled;
  #usage: Usage | null = null;
  #systems = new Set<string>();
  #hold = false;
  /** The newest row of this session; 0 before the first. */
  #newestRow = 0;
  readonly #trials = new Trials();

  /** @param begin the image to begin with and where its state comes from */
  constructor(
    identity: SessionIdentity,
    begin: { image: Image; lineage: Lineage },
    startImage: SessionImageOptions['start'],
    journal: Journal,
  ) {
    this.identity = identity;
    this.#journal = journal;
    this.#unsettled = new Unsettled(journal);
    this.#lastUsedAt = identity.openedAt;
    this.#images = new SessionImage(begin.image, begin.lineage, {
      start: startImage,
      recall: (lineage) => journal.recall(lineage),
      onLost: () => this.#lost(),
    });
  }

  /** Brings the first image to the state of its lineage, and to `packageAfter`. Once, before anything else.
   * @throws HarborError as `Engine.start` does */
  begin(packageAfter: string): Promise<void> {
    return this.#images.begin(packageAfter);
  }

  /** What the next evaluation's caller will be told of the image. */
  get news(): readonly string[] {
    return this.#images.news;
  }

  get #image(): Image {
    return this.#images.current;
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

  /** The number of the innermost debugger level; 0 while none is held. */
  get level(): number {
    return this.#levels.depth;
  }

  /** The evaluation held at the innermost debugger level. */
  get held(): RunningEvaluation | null {
    return this.#levels.innermost;
  }

  /** Whether its image can hold an evaluation at an unhandled condition. */
  get hasDebugger(): boolean {
    return this.#image.debugger !== undefined;
  }

  /** The debugger of what is held and waits to be told how to go on.
   * @throws HarborError `not_supported`, `not_held` */
  get debugger(): Debugger {
    return heldDebugger(this.ability('debugger'), { running: this.#running, level: this.level });
  }

  /** An evaluation that runs, is held or waits for its turn. */
  unsettled(id: number): RunningEvaluation | undefined {
    return this.#unsettled.get(id);
  }

  /** The engine's own prompt, for listeners. */
  get prompt(): string {
    return this.#image.prompt(this.level);
  }

  get package(): string {
    return this.#image.package;
  }

  /** What whoever uses its image must know and cannot see from it. */
  get introduction(): string | undefined {
    return this.#image.introduction;
  }

  /** Counts the images that this session has had. */
  get generation(): number {
    return this.#images.generation;
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
    if (this.#state === 'lost' || this.#state === 'starting')
      throw imageLost(this.id, this.#images.lostBecause, isAttached(this.#image));
    return abilityOf(this.#image, this.identity.engine, ability);
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
      generation: this.generation,
      sandbox: this.#image.sandbox,
      runningEvaluation: (this.#running ?? this.held)?.id ?? null,
      hold: this.hasDebugger ? this.#hold : null,
      checkpoints: this.#image.checkpoints !== undefined,
      comesBack: this.#images.comesBack,
      slime: this.#image.slime !== undefined,
      ...(this.#image.rawLisp ? { rawLisp: this.#image.rawLisp.allowed } : {}),
    };
  }

  /** Reads pid and memory of the engine's process anew. */
  async refreshUsage(): Promise<void> {
    this.#usage = this.#state === 'lost' || this.#state === 'ended' ? null : await this.#image.usage();
  }

  /** Whether unhandled errors are held that the caller said nothing about. @throws HarborError `not_supported` */
  hold(hold: boolean): void {
    abilityOf(this.#image, this.identity.engine, 'debugger');
    this.#hold = hold;
    this.#journal.changed(this);
  }

  /** Lets its code use trust tags and raw Lisp, for as long as its image lives. Only a person may decide that.
   * @throws HarborError `not_supported` */
  allowRawLisp(): void {
    abilityOf(this.#image, this.identity.engine, 'rawLisp').allow();
    this.tell(RAW_LISP_ALLOWED);
    this.#journal.changed(this);
  }

  /** Adds a sentence about the image that the next evaluation's caller must be told. */
  tell(note: string): void {
    this.#images.tell(note);
  }

  /** Queues the evaluation; its row is open when this returns. One that names another debugger level than the session
   * is at is refused, in its outcome.
   * @throws HarborError `session_ended`, `not_supported`, or `data_folder_unusable` when there can be no row */
  evaluate(request: EvaluationRequest): RunningEvaluation {
    const evaluation = this.#open(request, { reset: false });
    const misplaced = this.#levels.misplacement(request.level ?? 0);
    if (misplaced === null) this.#levels.enqueue(() => this.#run(evaluation, request));
    else this.#unsettled.settle(evaluation, nothingRan('refused', this.package, misplaced));
    return evaluation;
  }

  /** Gives up the image and evaluates in a fresh one; what runs is interrupted, what waits never begins. `systems`
   * count as loaded from now on, so that a reset which fails to load them again can be asked for once more. */
  reset(request: EvaluationRequest, systems: readonly string[]): RunningEvaluation {
    const before = this.#unsettled.all;
    const evaluation = this.#open(request, { reset: true });
    this.#levels.enqueueAtTop(async () => {
      if (this.#unsettled.has(evaluation)) await this.#giveUp(systems, evaluation.id);
      await this.#run(evaluation, request);
    });
    for (const each of before) void this.cancel(each);
    return evaluation;
  }

  #open(request: EvaluationRequest, how: { reset: boolean }): RunningEvaluation {
    if (this.#state === 'ended') throw new HarborError('session_ended', `Session ${this.id} was closed.`);
    if (request.onError === 'debug') abilityOf(this.#image, this.identity.engine, 'debugger');
    if (request.kind === 'try') abilityOf(this.#image, this.identity.engine, 'checkpoints');
    if (request.profile !== undefined) abilityOf(this.#image, this.identity.engine, 'profiler');
    const row = this.#journal.open(this, request);
    this.#newestRow = row.id;
    return this.#unsettled.add(row, how);
  }

  /** Where the state of the session comes from: what a new image would be made of. */
  get lineage(): Lineage {
    return this.#images.lineage;
  }

  /** The newest row of this session; 0 before the first. */
  get newestRow(): number {
    return this.#newestRow;
  }

  /** Saves the state to `file`; the session goes on meanwhile, and a new image will begin from there.
   * @throws HarborError `not_supported`, `image_lost`, `busy`, `threads_running`, `checkpoint_failed` */
  async save(name: string, file: string): Promise<SavedImage> {
    const checkpoints = this.ability('checkpoints');
    const [image, after] = [this.#image, this.#newestRow];
    const saved = await checkpoints.save(file);
    const { missing } = saved;
    if (image === this.#image) this.#images.saved(lineageFrom({ name, file, missing }, this.id, after));
    this.#journal.changed(this);
    return saved;
  }

  /** Gives up the image for one that begins from `state`: what runs is interrupted, what waits never begins.
   * @throws HarborError `session_ended`, `image_lost` when no image could be started */
  async restore(state: SavedState): Promise<void> {
    const before = this.#unsettled.all;
    const lineage = lineageFrom(state, this.id, this.#newestRow);
    const restored = new Promise<string | null>((resolve) => {
      this.#levels.enqueueAtTop(async () => {
        await this.#images.giveUp(`it was restored from checkpoint ${state.name}`, lineage);
        const problem = await this.#revive();
        if (problem === null) this.#change('idle');
        resolve(problem);
      });
    });
    for (const each of before) void this.cancel(each);
    const problem = await restored;
    if (this.#state === 'ended') throw new HarborError('session_ended', `Session ${this.id} was closed.`);
    if (problem !== null) throw new HarborError('image_lost', problem);
  }

  /** Whether the session needs this file of a checkpoint. */
  needs(file: string): boolean {
    return this.#images.needs(file);
  }

  /** The file of a checkpoint that it does not need is gone. */
  forget(file: string): void {
    this.#images.forget(file);
    this.#journal.changed(this);
  }

  /** Interrupts what runs now, climbing the ladder; the last step ends the image. False when nothing runs. */
  async interrupt(): Promise<boolean> {
    return this.#running !== null && this.cancel(this.#running);
  }

  /** Interrupts this one evaluation; one that still waits for its turn never begins, one that is held is given up with
   * all that was evaluated at its level. False when it is over. */
  async cancel(evaluation: RunningEvaluation): Promise<boolean> {
    if (!this.#unsettled.has(evaluation)) return false;
    const waiting = 'This was cancelled before it began.';
    if (this.#unsettled.inImage(evaluation)) await this.#stop(evaluation);
    else this.#unsettled.settle(evaluation, nothingRan('interrupted', this.package, waiting));
    // Nobody waits for what a new image brings back.
    if (this.#state === 'starting' && this.#unsettled.all.length === 0) await this.#images.stopRecovering();
    return true;
  }

  /** How far what runs has come; null where the image cannot tell, and for an evaluation that does not run. */
  async progress(evaluation: RunningEvaluation): Promise<ProofProgress | null> {
    return this.#running === evaluation ? ((await this.#image.progress?.()) ?? null) : null;
  }

  /** Ends the image; evaluations that run or wait are closed as interrupted. */
  async end(): Promise<void> {
    this.#change('ended');
    const closed = 'The session was closed before this ran.';
    this.#unsettled.settleWaiting(nothingRan('interrupted', this.package, closed));
    await this.#image.end();
    await this.#levels.done;
  }

  /** Climbs the ladder for what runs inside a held `evaluation`, then for itself; the last step ends the image. */
  async #stop(evaluation: RunningEvaluation): Promise<void> {
    while (this.#unsettled.inImage(evaluation)) {
      const inner = this.#running ?? evaluation;
      const image = (await this.#trials.imageOf(inner)) ?? this.#image;
      const stopped = await interrupt(image, inner, this.#levels.levelOf(inner));
      // Only what still holds the image is worth ending it for.
      if (!stopped && this.#unsettled.inImage(inner)) await image.end();
      await inner.settled;
    }
  }

  /** Never rejects, so that the queue goes on whatever happens. */
  async #run(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<void> {
    const began = performance.now();
    const outcome = await this.#outcome(evaluation, request).catch((error: unknown) =>
      nothingRan('crashed', this.package, `This evaluation was lost: ${asFailure(error).message}`),
    );
    this.#unsettled.leavesImage(evaluation);
    if (this.#running === evaluation) this.#running = null;
    this.#levels.leave(evaluation);
    this.#lastUsedAt = Date.now();
    if (outcome) this.#unsettled.settle(evaluation, outcome, performance.now() - began);
    if (this.#state !== 'lost') this.#change(this.#busyness);
  }

  /** What an image that is alive does. */
  get #busyness(): SessionState {
    if (this.#running) return 'running';
    return this.level > 0 ? 'debugger' : 'idle';
  }

  /** null when the evaluation was cancelled before it began. */
  async #outcome(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<ImageOutcome | null> {
    const problem = this.#state === 'lost' && this.#unsettled.has(evaluation) ? await this.#revive() : null;
    // Starting an image takes a while, in which a caller may think otherwise.
    if (!this.#unsettled.has(evaluation)) return null;
    if (problem !== null) return nothingRan('crashed', this.package, problem);
    const misplaced = this.#levels.misplacement(request.level ?? 0);
    if (misplaced !== null) return nothingRan('refused', this.package, misplaced);
    const notes = [...this.#images.takeNews(), ...sandboxNotes(this.#image.sandbox)];
    this.#running = evaluation;
    this.#unsettled.entersImage(evaluation);
    this.#change('running');
    this.#journal.began(evaluation.row, request.package ?? this.package);
    const outcome = await this.#evaluate(evaluation, request);
    notes.push(...outcome.notes);
    if (outcome.outcome !== 'crashed' || request.kind === 'try') return { ...outcome, notes };
    const end = await this.#image.ended;
    this.#images.lose(end);
    const next = this.#state === 'ended' ? CLOSED_MEANWHILE : afterLoss(this.#image);
    return tornAway({ ...outcome, condition: evaluation.held, notes }, end, next);
  }

  async #evaluate(evaluation: RunningEvaluation, asked: EvaluationRequest): Promise<ImageOutcome> {
    const { client, kind, onError = this.#hold ? 'debug' : 'report', ...rest } = asked;
    const request = { id: evaluation.id, onError, ...rest, ...evaluationLimits(this.identity.limits) };
    const sink: OutputSink = (stream, text, dropped = 0) =>
      this.#journal.output(evaluation.row, stream, text, dropped);
    if (kind === 'try')
      return this.#trials.run(evaluation, this.#image, { ...request, onError: 'report' }, sink);
    const outcome = await this.#image.evaluate(request, sink, this.#watchLevels(evaluation));
    for (const system of outcome.report?.loaded ?? []) this.#systems.add(system);
    return outcome;
  }

  /** What waits at a place was meant for the state there: it is not evaluated when that place is held or left. */
  #watchLevels(evaluation: RunningEvaluation): LevelWatcher {
    return {
      held: (held) => {
        this.#running = null;
        this.#levels.hold(evaluation, held.condition);
        this.#journal.held(evaluation.row, held);
        this.#refuseWaiting(this.#levels.misplacement(this.level - 1) ?? '');
        this.#change('debugger');
      },
      left: () => {
        this.#refuseWaiting(`Debugger level ${this.#levels.levelOf(evaluation)} was left.`);
        this.#levels.leave(evaluation);
        this.#running = evaluation;
        this.#journal.wentOn(evaluation.row);
        this.#change('running');
      },
    };
  }

  #refuseWaiting(note: string): void {
    this.#unsettled.settleWaitingAtLevel(nothingRan('refused', this.package, note));
  }

  async #giveUp(systems: readonly string[], reset: number): Promise<void> {
    this.#systems = new Set(systems);
    await this.#images.giveUp('it was reset', freshLineage(this.id, reset - 1));
  }

  /** Starts a new image in place of the lost one. Answers why there is none, or null. */
  async #revive(): Promise<string | null> {
    this.#change('starting');
    try {
      await this.#images.replace();
    } catch (error) {
      this.#change('lost');
      return `The session's image is gone and no new one could be started: ${asFailure(error).message}`;
    }
    // Closed meanwhile: nobody else knows of this image.
    if (this.#state === 'ended') await this.#image.end();
    return null;
  }

  #lost(): void {
    this.#usage = null;
    this.#levels.clear();
    this.#change('lost');
  }

  #change(state: SessionState): void {
    if (this.#state === 'ended' || this.#state === state) return;
    this.#state = state;
    this.#journal.changed(this);
  }
}
