/**
 * One conversation with an image. The handle lives as long as the session; its image may be replaced, which
 * counts `generation` up and is told in the notes of the next evaluation.
 */
import { HarborError } from '../../contract/errors';
import type { SessionState, SessionView } from '../../contract/model';
import type { ProofProgress } from '../../contract/proof';
import type { SavedImage } from '../../images/checkpoints';
import type { Image } from '../../images/image';
import type { Debugger, Loader } from '../../images/optional-groups';
import { type Lineage, lineageFrom } from '../recovery/lineage';
import type { Ability } from './abilities';
import type { EvaluationRequest, SessionIdentity } from './evaluation-request';
import type { SessionParts } from './evaluation-runs';
import { heldDebugger } from './held-debugger';
import { ImageUsage, imageView } from './image-usage';
import { Lifecycle } from './lifecycle';
import { RAW_LISP_ALLOWED } from './outcomes';
import type { RunningEvaluation } from './running-evaluation';
import { SessionEvaluations } from './session-evaluations';
import { SessionImage, type SessionImageOptions } from './session-image';
import type { Journal } from './session-journal';

export class Session {
  readonly identity: SessionIdentity;
  readonly #journal: Journal;
  readonly #images: SessionImage;
  readonly #lifecycle: Lifecycle;
  readonly #evaluations: SessionEvaluations;
  readonly #usage = new ImageUsage(() => this.#lifecycle.image);
  #hold = false;

  /** @param begin the image to begin with and where its state comes from */
  constructor(
    identity: SessionIdentity,
    begin: { image: Image; lineage: Lineage },
    {
      start,
      accepted,
      journal,
    }: Pick<SessionImageOptions, 'start'> & Pick<SessionParts, 'accepted' | 'journal'>,
  ) {
    this.identity = identity;
    this.#journal = journal;
    this.#images = new SessionImage(begin.image, begin.lineage, {
      start,
      recall: (lineage) => journal.recall(lineage),
      onLost: () => this.#lost(),
    });
    this.#lifecycle = new Lifecycle(this, this.#images, journal);
    this.#evaluations = new SessionEvaluations({
      session: this,
      images: this.#images,
      lifecycle: this.#lifecycle,
      journal,
      holds: () => this.#hold,
      accepted,
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
    return this.#lifecycle.state;
  }

  get running(): RunningEvaluation | null {
    return this.#evaluations.running;
  }

  /** The number of the innermost debugger level; 0 while none is held. */
  get level(): number {
    return this.#evaluations.level;
  }

  /** The evaluation held at the innermost debugger level. */
  get held(): RunningEvaluation | null {
    return this.#evaluations.held;
  }

  /** Whether its image can hold an evaluation at an unhandled condition. */
  get hasDebugger(): boolean {
    return this.#image.debugger !== undefined;
  }

  /** The debugger of what is held and waits to be told how to go on.
   * @throws HarborError `not_supported`, `image_lost`, `session_ended`, `not_held` */
  get debugger(): Debugger {
    return heldDebugger(this.ability('debugger'), this);
  }

  /** An evaluation that runs, is held or waits for its turn. */
  unsettled(id: number): RunningEvaluation | undefined {
    return this.#evaluations.unsettled(id);
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
    return this.#evaluations.systems;
  }

  /** How to load and test, which is known also while there is no image. @throws HarborError `not_supported` */
  get loader(): Loader {
    return this.#lifecycle.offered('loader');
  }

  /** Whether its image has a logical world. */
  get hasWorld(): boolean {
    return this.#image.world !== undefined;
  }

  /** What the image can do beside evaluating. @throws HarborError `not_supported`, `image_lost`, `session_ended` */
  ability<A extends Ability>(ability: A): NonNullable<Image[A]> {
    return this.#lifecycle.ability(ability);
  }

  view(): SessionView {
    const { openedAt, ...identity } = this.identity;
    return {
      ...identity,
      state: this.state,
      ...imageView(this.#image),
      ...this.#usage.view,
      startedAt: openedAt,
      lastUsedAt: this.#evaluations.lastUsedAt,
      generation: this.generation,
      runningEvaluation: (this.running ?? this.held)?.id ?? null,
      hold: this.hasDebugger ? this.#hold : null,
      comesBack: this.#images.comesBack,
      trust: this.#evaluations.trust,
    };
  }

  /** Reads pid and memory of the engine's process anew. */
  refreshUsage(): Promise<void> {
    return this.#usage.refresh();
  }

  /** Whether unhandled errors are held that the caller said nothing about. @throws HarborError `not_supported` */
  hold(hold: boolean): void {
    this.#lifecycle.offered('debugger');
    this.#hold = hold;
    this.#journal.changed(this);
  }

  /** Lets its code use trust tags and raw Lisp, for as long as its image lives. Only a person may decide that.
   * @throws HarborError `not_supported` */
  allowRawLisp(): void {
    this.#lifecycle.offered('rawLisp').allow();
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
    return this.#evaluations.evaluate(request);
  }

  /** Gives up the image and evaluates in a fresh one; what runs is interrupted, what waits never begins. `systems`
   * count as loaded from now on, so that a reset which fails to load them again can be asked for once more. */
  reset(request: EvaluationRequest, systems: readonly string[]): RunningEvaluation {
    return this.#evaluations.reset(request, systems);
  }

  /** Where the state of the session comes from: what a new image would be made of. */
  get lineage(): Lineage {
    return this.#images.lineage;
  }

  /** The newest row of this session; 0 before the first. */
  get newestRow(): number {
    return this.#evaluations.newestRow;
  }

  /** Saves the state to `file`; the session goes on meanwhile, and a new image will begin from there.
   * @throws HarborError `not_supported`, `image_lost`, `busy`, `threads_running`, `checkpoint_failed` */
  async save(name: string, file: string): Promise<SavedImage> {
    const checkpoints = this.ability('checkpoints');
    const [image, after] = [this.#image, this.newestRow];
    const saved = await checkpoints.save(file);
    const state = { name, file, missing: saved.missing };
    if (image === this.#image) this.#images.saved(lineageFrom(state, this.id, after));
    this.#journal.changed(this);
    return saved;
  }

  /** Gives up the image for one that has the state of `lineage`: what runs is interrupted, what waits never begins.
   * @param because told in the notes of the next evaluation, such as "it was restored"
   * @throws HarborError `session_ended`, `image_lost` when no image could be started */
  async startAgain(because: string, lineage = this.lineage): Promise<void> {
    const problem = await new Promise<string | null>((resolve) => {
      this.#evaluations.supersede(async () => {
        await this.#images.giveUp(because, lineage);
        const failure = await this.#lifecycle.revive();
        if (failure === null) this.#lifecycle.change('idle');
        resolve(failure);
      });
    });
    this.#lifecycle.requireOpen();
    if (problem !== null) throw new HarborError('image_lost', problem);
  }

  /** Starts an image in place of one that is gone, if it still is when its turn has come. */
  revive(): Promise<void> {
    return new Promise((resolve) => {
      this.#evaluations.inTurn(async () => {
        if (this.state === 'lost' && (await this.#lifecycle.revive()) === null)
          this.#lifecycle.change('idle');
        resolve();
      });
    });
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
  interrupt(): Promise<boolean> {
    return this.#evaluations.interrupt();
  }

  /** Interrupts this one evaluation; one that still waits for its turn never begins, one that is held is given up with
   * all that was evaluated at its level. False when it is over. */
  cancel(evaluation: RunningEvaluation): Promise<boolean> {
    return this.#evaluations.cancel(evaluation);
  }

  /** How far what runs has come; null where the image cannot tell, and for an evaluation that does not run. */
  async progress(evaluation: RunningEvaluation): Promise<ProofProgress | null> {
    return this.running === evaluation ? ((await this.#image.progress?.()) ?? null) : null;
  }

  /** Ends the image; evaluations that run or wait are closed as interrupted. */
  async end(): Promise<void> {
    this.#lifecycle.change('ended');
    await this.#evaluations.end();
  }

  #lost(): void {
    this.#usage.forget();
    this.#evaluations.imageLost();
    this.#lifecycle.change('lost');
  }
}
