/**
 * One conversation with an image. The handle lives as long as the session; its image may be replaced, which
 * counts `generation` up and is told in the notes of the next evaluation.
 */
import type { Door } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import type { SessionState, SessionView } from '../../contract/model';
import type { ProofProgress } from '../../contract/proof';
import type { SavedImage } from '../../images/checkpoints';
import type { Image } from '../../images/image';
import type { Debugger, Loader } from '../../images/optional-groups';
import type { Standing } from '../recovery/kept-session';
import { freshLineage, Lineages, lineageFrom } from '../recovery/lineage';
import { type Ability, abilityOf, imageIsGone, type Telling } from './abilities';
import { noteAsked } from './asked-images';
import { tellingDebugger } from './chosen-restart';
import {
  actOf,
  type EvaluationRequest,
  letIn,
  type SessionAct,
  type SessionBeginning,
  type SessionIdentity,
} from './evaluation-request';
import { EvaluationRuns, type RunParts } from './evaluation-runs';
import { heldDebugger } from './held-debugger';
import { ImageUsage, imageView } from './image-usage';
import { isAttached, sandboxNotes } from './outcomes';
import { PendingEvaluations } from './pending-evaluations';
import type { RunningEvaluation } from './running-evaluation';
import { SavedDefinitions } from './saved-definitions';
import { SessionChoices } from './session-choices';
import { SessionImage, type SessionImageOptions } from './session-image';
import type { Journal } from './session-journal';
import { SessionMachine } from './session-machine';
import {
  hasImage,
  heldIn,
  innermostHeld,
  NEW_SESSION,
  runningIn,
  shownAs,
  stoppingIn,
  waking,
  whyNoImage,
} from './session-state';
import { tellStopped } from './told-by-whom';

/** What a session needs of the harbor. */
export interface SessionServices extends Pick<SessionImageOptions, 'start'>, Pick<RunParts, 'journal'> {
  door: Door;
  /** Reasons why an image is not sandboxed that answers need not tell. */
  accepted: () => readonly string[];
}

export class Session {
  readonly identity: SessionIdentity;
  /** Where its state comes from: what a new image would be made of. */
  readonly lineages: Pick<Lineages, 'newest' | 'needs'>;
  readonly choices: SessionChoices;
  /** Definitions of evaluations that files hold by now, though the image has not loaded them from there. */
  readonly saved: SavedDefinitions;
  readonly #lineages: Lineages;
  readonly #journal: Journal;
  readonly #door: Door;
  readonly #accepted: () => readonly string[];
  readonly #image: SessionImage;
  readonly #pending: PendingEvaluations;
  readonly #runs: EvaluationRuns;
  readonly #usage = new ImageUsage(() => (hasImage(this.#machine.state) ? this.#image.current : null));
  readonly #news: string[] = [];
  readonly #machine: SessionMachine;
  readonly #sleptBecause: string | null;
  #newestRow: number;
  #begun: Promise<void> = Promise.resolve();

  constructor(
    identity: SessionIdentity,
    begin: SessionBeginning,
    { start, accepted, door, journal }: SessionServices,
  ) {
    const { image, lineages, systems, generation, newestRow, sleptBecause, saved = [] } = begin;
    this.identity = identity;
    this.#journal = journal;
    this.#door = (act) => door({ ...act, session: this.id });
    this.#accepted = accepted;
    this.choices = new SessionChoices(identity.name, begin, {
      offered: (ability) => this.#offered(ability),
      tell: (...notes) => this.tell(...notes),
      changed: () => journal.changed(this),
    });
    this.saved = new SavedDefinitions(saved, () => journal.changed(this));
    this.#newestRow = newestRow;
    this.#sleptBecause = sleptBecause;
    this.#lineages = new Lineages(lineages);
    this.lineages = this.#lineages;
    this.#image = new SessionImage(image, this.#lineages, generation, {
      start: async (checkpoint) => this.choices.granted(await start(checkpoint)),
      recall: (lineage) => journal.recall(lineage),
      tell: (...notes) => this.tell(...notes),
      onLost: (because) => this.#machine.take({ is: 'imageLost', because }),
    });
    this.#pending = new PendingEvaluations(journal);
    const shared = { session: this, image: this.#image, journal, pending: this.#pending };
    this.#runs = new EvaluationRuns({
      ...shared,
      takeNews: () => this.#news.splice(0),
      holds: () => this.choices.holds,
    });
    this.#runs.setSystems(systems);
    this.#machine = new SessionMachine(
      { ...shared, lineages: this.#lineages, runs: this.#runs },
      sleptBecause === null ? NEW_SESSION : waking(sleptBecause),
    );
  }

  /**
   * Brings the image to the state of its lineage, and to `packageAfter`. Once, before anything else. A session that slept
   * can be used meanwhile: what it is asked for waits.
   * @throws HarborError as `Engine.start` does; never for a session that slept
   */
  async begin(packageAfter: string): Promise<void> {
    noteAsked(this);
    this.#begun =
      this.#sleptBecause === null
        ? this.#image.begin(packageAfter).then(() => this.#image.watch())
        : this.#machine.wake(packageAfter, this.#sleptBecause);
    await this.#begun;
  }

  /** Settles when its beginning is over, in whatever way. */
  get begun(): Promise<void> {
    return this.#begun.catch(() => undefined);
  }

  get id(): string {
    return this.identity.id;
  }

  get state(): SessionState {
    return shownAs(this.#machine.state);
  }

  /** The evaluation that runs now, at whatever level. */
  get running(): RunningEvaluation | null {
    return this.#pendingOf(runningIn(this.#machine.state));
  }

  /** The number of the innermost debugger level; 0 while none is held. */
  get level(): number {
    return heldIn(this.#machine.state).length;
  }

  /** The evaluation held at the innermost debugger level. */
  get held(): RunningEvaluation | null {
    return this.#pendingOf(innermostHeld(this.#machine.state));
  }

  /** The evaluations that are held, the outermost level first. */
  get heldLevels(): readonly RunningEvaluation[] {
    return heldIn(this.#machine.state).flatMap((id) => this.#pendingOf(id) ?? []);
  }

  /** An evaluation that runs, is held or waits for its turn. */
  pending(id: number): RunningEvaluation | null {
    noteAsked(this);
    return this.#pendingOf(id);
  }

  /** The evaluations that come before one that waits for its turn; null for one that has begun. */
  before({ id }: RunningEvaluation): number[] | null {
    return this.#machine.before(id);
  }

  /** The newest row of this session; 0 before the first. */
  get newestRow(): number {
    return this.#newestRow;
  }

  /** What anybody may know of the image that it has, or had last: to evaluate there is for the session alone. */
  get image(): Pick<Image, 'introduction' | 'prompt' | 'hasOwnSyntax'> {
    return this.#image.current;
  }

  /** What everybody must be told who gets an answer of its image: that nothing confines it, unless a person has accepted that. */
  get sandboxNotes(): readonly string[] {
    return sandboxNotes(this.#image.current.sandbox, this.#accepted());
  }

  get package(): string {
    return this.#image.current.package;
  }

  /** As `Image.outdatedBy`. */
  get outdatedBy(): string | null {
    return this.#image.current.outdatedBy ?? null;
  }

  /** Counts the images that this session has had. */
  get generation(): number {
    return this.#image.generation;
  }

  /** Systems that evaluations have loaded, in the order they came; an image that died does not change that. */
  get systems(): readonly string[] {
    return this.#runs.systems;
  }

  /** What the next evaluation's caller will be told of the image. */
  get news(): readonly string[] {
    return this.#news;
  }

  /** Adds sentences about the image that the next evaluation's caller must be told. */
  tell(...notes: string[]): void {
    this.#news.push(...notes);
  }

  /** What a later harbor brings it back with. */
  get standing(): Standing {
    const saved = this.saved.all;
    return {
      ...(saved.length > 0 ? { saved } : {}),
      ...this.choices.standing,
      lineages: this.#lineages.all,
      systems: this.systems,
      generation: this.generation,
      package: this.package,
    };
  }

  view(): SessionView {
    const { openedAt, ...identity } = this.identity;
    return {
      ...identity,
      ...this.choices.called,
      state: this.state,
      ...imageView(this.#image.current),
      ...this.#usage.view,
      startedAt: openedAt,
      lastUsedAt: this.#pending.lastEndedAt ?? openedAt,
      generation: this.generation,
      runningEvaluation: (this.running ?? this.held)?.id ?? null,
      ...(this.level > 0 ? { level: this.level } : {}),
      stopping: stoppingIn(this.#machine.state),
      lostBecause: whyNoImage(this.#machine.state),
      hold: this.offers('debugger') ? this.choices.holds : null,
      comesBack: this.#image.comesBack,
      trust: this.#runs.trust,
    };
  }

  /** Reads pid and memory of the engine's process anew. */
  refreshUsage(): Promise<void> {
    return this.#usage.refresh();
  }

  /** How far what runs has come; null where the image cannot tell, and for an evaluation that does not run. */
  async progress(evaluation: RunningEvaluation): Promise<ProofProgress | null> {
    return this.running === evaluation ? ((await this.#image.current.progress?.()) ?? null) : null;
  }

  /** Whether its images can do this beside evaluating. */
  offers(ability: Ability): boolean {
    return this.#image.current[ability] !== undefined;
  }

  /** What the image can tell now beside evaluating. @throws HarborError `not_supported`, `image_lost`, `session_ended` */
  ability<A extends Ability>(ability: A): Telling<A> {
    return this.#ability(ability);
  }

  /** The same with what runs code in the image, for a client that the door lets in.
   * @throws HarborError as `ability`; `paused`, `not_approved`, `cancelled` */
  async abilityFor<A extends Ability>(act: SessionAct, ability: A): Promise<NonNullable<Image[A]>> {
    this.#ability(ability);
    await this.#enter(act);
    return this.#ability(ability);
  }

  #ability<A extends Ability>(ability: A): NonNullable<Image[A]> {
    this.#requireOpen();
    noteAsked(this);
    const because = whyNoImage(this.#machine.state);
    if (because !== null) throw imageIsGone(this.id, because, isAttached(this.#image.current));
    return this.#offered(ability);
  }

  /** How to load and test, which is known also while there is no image. @throws HarborError `not_supported` */
  get loader(): Loader {
    return this.#offered('loader');
  }

  /** Of libraries that its images include from; whoever has the session may read it. */
  get libraryFolder(): string | undefined {
    return this.#image.current.library?.folder;
  }

  /** The debugger of what is held and waits to be told how to go on. Whoever gives up what another client has there is told of.
   * @throws HarborError `not_supported`, `image_lost`, `session_ended`, `not_held` */
  debugger(client: string): Telling<'debugger'> {
    return this.#debugger(client);
  }

  /** The same with what makes it go on. @throws HarborError as `debugger`; `paused`, `not_approved`, `cancelled` */
  async debuggerFor(act: SessionAct): Promise<Debugger> {
    this.#debugger(act.client);
    await this.#enter(act);
    return this.#debugger(act.client);
  }

  #debugger(client: string): Debugger {
    return tellingDebugger(heldDebugger(this.#ability('debugger'), this), client, this.heldLevels);
  }

  /** Queues the evaluation; its row is open when this returns. One that names another debugger level than the session
   * is at is refused, in its outcome.
   * @throws HarborError `session_ended`, `not_supported` */
  evaluate(request: EvaluationRequest): RunningEvaluation {
    const evaluation = this.#open(request);
    const level = request.level ?? 0;
    this.#machine.take({ is: 'asked', turn: { for: 'evaluation', id: evaluation.id, level } });
    return evaluation;
  }

  /** Gives up the image and evaluates in a fresh one; what runs is interrupted, what waits never begins. `systems`
   * count as loaded from then on, so that a reset which fails to load them again can be asked for once more.
   * @throws HarborError `paused`, `not_approved`, `cancelled`: then nothing has happened; `session_ended` */
  async reset(
    request: EvaluationRequest,
    systems: readonly string[],
    signal?: AbortSignal,
  ): Promise<RunningEvaluation> {
    this.#requireOpen();
    const admission = this.#door(actOf(request));
    await letIn(admission, signal);
    const evaluation = this.#open(request, admission);
    const { id } = evaluation;
    const by = { because: 'it was reset', from: freshLineage(this.id, id - 1), systems };
    this.#machine.take({ is: 'asked', turn: { for: 'reset', id, by } });
    return evaluation;
  }

  /** Gives up the image for one that has the state of `from`: what runs is interrupted, what waits never begins.
   * @param because told in the notes of the next evaluation, such as "it was restored"
   * @throws HarborError `session_ended`, `image_lost` when no image could be started; `paused`, `not_approved` */
  async startAgain(client: string, because: string, from = this.#lineages.newest): Promise<void> {
    await this.#enter({ client, tool: 'restart', code: `; Another image, because ${because}` });
    const by = { because, from, systems: null };
    const problem = await this.#machine.ask((id) => ({ for: 'restart', id, by }));
    this.#requireOpen();
    if (problem !== null) throw new HarborError('image_lost', problem);
  }

  /** Starts an image in place of one that is gone, if it still is when its turn has come. */
  async revive(): Promise<void> {
    await this.#machine.ask((id) => ({ for: 'revival', id }));
  }

  /** Interrupts what runs now, climbing the ladder; the last step ends the image. False when nothing runs.
   * @param client who wants that, which another's evaluation is told */
  async interrupt(client: string): Promise<boolean> {
    return this.running !== null && this.cancel(this.running, client);
  }

  /** Stops this one evaluation without the steps that keep the image. As `cancel`. */
  async force(evaluation: RunningEvaluation, client?: string): Promise<boolean> {
    if (this.pending(evaluation.id) !== evaluation) return false;
    tellStopped(evaluation, client);
    this.#machine.take({ is: 'stop', id: evaluation.id, byForce: true });
    await evaluation.settled;
    return true;
  }

  /** Interrupts this one evaluation; one that still waits for its turn never begins, one that is held is given up with
   * all that was evaluated at its level. Settles when it is over; false when it was before.
   * @param client as `interrupt`; absent where its own caller gives it up */
  async cancel(evaluation: RunningEvaluation, client?: string): Promise<boolean> {
    if (this.pending(evaluation.id) !== evaluation) return false;
    tellStopped(evaluation, client);
    this.#machine.take({ is: 'stop', id: evaluation.id });
    await evaluation.settled;
    return true;
  }

  /** Saves the state to `file`; the session goes on meanwhile, and a new image will begin from there.
   * @throws HarborError `not_supported`, `image_lost`, `busy`, `threads_running`, `checkpoint_failed`; `paused`,
   * `not_approved` */
  async save(client: string, name: string, file: string): Promise<SavedImage> {
    const act = { client, tool: 'checkpoint', code: `; Saves the state as ${name}` };
    const checkpoints = await this.abilityFor(act, 'checkpoints');
    const [image, after] = [this.#image.current, this.newestRow];
    const saved = await checkpoints.save(file);
    const state = { name, file, missing: saved.missing };
    if (image === this.#image.current) this.#lineages.saved(lineageFrom(state, this.id, after));
    this.#journal.changed(this);
    return saved;
  }

  /** The file of a checkpoint that it does not need is gone. */
  forget(file: string): void {
    this.#lineages.forget(file);
    this.#journal.changed(this);
  }

  /** Ends the image; evaluations that run or wait are closed as interrupted. */
  async end(): Promise<void> {
    await this.#machine.end();
  }

  /** @throws HarborError `session_ended` */
  #requireOpen(): void {
    if (this.state === 'ended') throw new HarborError('session_ended', `Session ${this.id} was closed.`);
  }

  /** What its images can do, which is known also while there is none. @throws HarborError `not_supported` */
  #offered<A extends Ability>(ability: A): NonNullable<Image[A]> {
    return abilityOf(this.#image.current, this.identity.engine, ability);
  }

  #pendingOf(id: number | null): RunningEvaluation | null {
    return (id !== null && this.#pending.get(id)?.evaluation) || null;
  }

  /** @throws HarborError `paused`, `not_approved`, `cancelled` */
  #enter({ signal, ...act }: SessionAct): Promise<void> {
    return letIn(this.#door({ ...act, class: 'evaluate' }), signal);
  }

  #open(request: EvaluationRequest, admission = this.#door(actOf(request))): RunningEvaluation {
    this.#requireOpen();
    noteAsked(this);
    if (request.onError === 'debug') this.#offered('debugger');
    if (request.kind === 'try') this.#offered('brancher');
    if (request.profile !== undefined) this.#offered('sampler');
    const row = this.#journal.open(this, request);
    this.#newestRow = row.id;
    return this.#pending.add(row, request, admission);
  }
}
