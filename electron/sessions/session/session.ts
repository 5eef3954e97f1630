/**
 * A session: a named conversation with an image. Its image may be replaced, which increments `generation` and
 * is reported in the notes of the next evaluation.
 */

import type { ExecutionGuard } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import { isEditor } from '../../contract/known-clients';
import { mention, ours } from '../../contract/mention';
import type { SessionState, SessionView } from '../../contract/model';
import type { Note } from '../../contract/note';
import type { ProofProgress } from '../../contract/proof';
import type { Report } from '../../contract/report';
import type { Image } from '../../images/image';
import type { Debugger, Loader, SavedImage } from '../../images/optional-groups';

import type { PersistentState } from '../open-request';
import { freshLineage, Lineages, lineageFrom } from '../recovery/lineage';
import {
  type Ability,
  abilityOf,
  ImageUsage,
  imageLostError,
  imageView,
  type QueryMethods,
} from './abilities';
import { EditorEvaluations, type ForeignEvaluation, type ForeignRequest } from './editor-evaluations';
import { EvaluationRunner, type RunnerParts } from './evaluation-runner';
import { PendingEvaluations, type RunningEvaluation } from './pending-evaluations';
import { notifyingDebugger, notifyStoppedBy, suspendedDebugger } from './session-debugger';
import { isAttached, SessionImage, type SessionImageOptions, sandboxNotes } from './session-image';
import {
  actOf,
  type EvaluationRequest,
  type Journal,
  requireAdmission,
  type SessionAct,
  type SessionBeginning,
  type SessionIdentity,
} from './session-journal';
import { SessionMachine } from './session-machine';

import { SavedDefinitions, SessionSettings } from './session-settings';
import {
  hasImage,
  innermostSuspended,
  NEW_SESSION,
  noImageReason,
  publicState,
  runningIn,
  stoppingIn,
  suspendedIn,
  waking,
} from './session-state';
import { recordTouchedImage } from './touched-images';

/** The services of the harbor that a session uses. */
export interface SessionServices
  extends Pick<SessionImageOptions, 'start'>,
    Pick<RunnerParts, 'journal' | 'newPlaces' | 'projectWatch' | 'diskLimits'> {
  guard: ExecutionGuard;
  /** Reasons for a missing sandbox that the user has accepted; outcomes omit them. */
  accepted: () => readonly string[];
}

export class Session {
  readonly identity: SessionIdentity;
  /** Where the state of a new image would come from. */
  readonly lineages: Pick<Lineages, 'newest' | 'needs' | 'mayChangeUnseen' | 'unchangedSince' | 'isCurrent'>;
  readonly settings: SessionSettings;
  /** Definitions that were saved to files although the image has not loaded them from there. */
  readonly saved: SavedDefinitions;
  readonly #lineages: Lineages;
  readonly #journal: Journal;
  readonly #guard: ExecutionGuard;
  readonly #accepted: () => readonly string[];
  readonly #image: SessionImage;
  readonly #pending: PendingEvaluations;
  readonly #runner: EvaluationRunner;
  readonly #usage = new ImageUsage(() => (hasImage(this.#machine.state) ? this.#image.current : null));
  readonly #pendingNotes: Note[] = [];
  /** Null before the first evaluation of an editor. */
  #editors: EditorEvaluations | null = null;
  readonly #machine: SessionMachine;
  readonly #sleptBecause: string | null;
  #fallbackNotes: readonly Note[] = [];
  #newestRow: number;
  #started: Promise<void> = Promise.resolve();

  constructor(
    identity: SessionIdentity,
    begin: SessionBeginning,
    { start, accepted, guard, journal, ...watches }: SessionServices,
  ) {
    const { image, lineages, systems, generation, newestRow, sleptBecause, saved = [] } = begin;
    this.identity = identity;
    this.#journal = journal;
    this.#guard = (act, grant) => guard({ ...act, session: this.id }, grant);
    this.#accepted = accepted;
    this.settings = new SessionSettings(identity.name, begin, {
      offered: (ability) => this.#offered(ability),
      addNotes: (...notes) => this.addNotes(...notes),
      changed: () => journal.changed(this),
    });
    this.saved = new SavedDefinitions(saved, () => journal.changed(this));
    this.#newestRow = newestRow;
    this.#sleptBecause = sleptBecause;
    this.#lineages = new Lineages(lineages);
    this.lineages = this.#lineages;
    this.#image = new SessionImage(image, this.#lineages, generation, {
      start: async (checkpoint) =>
        this.settings.applyTrustTags(await start(checkpoint, this.settings.allowsPrograms)),
      recall: (lineage) => journal.replayEntries(lineage),
      addNotes: (...notes) => this.addNotes(...notes),
      onLost: (because) => this.#machine.dispatch({ is: 'imageLost', because }),
    });
    this.#pending = new PendingEvaluations(journal);
    const shared = { session: this, image: this.#image, journal, pending: this.#pending };
    this.#runner = new EvaluationRunner({
      ...shared,
      takePendingNotes: (client) => [
        ...this.#pendingNotes.splice(0),
        ...(this.#editors?.takeNotes(client) ?? []),
      ],
      suspendsErrors: () => this.settings.suspendsErrors,
      ...watches,
    });
    this.#runner.setSystems(systems);
    this.#machine = new SessionMachine(
      { ...shared, lineages: this.#lineages, runner: this.#runner },
      sleptBecause === null ? NEW_SESSION : waking(sleptBecause),
    );
  }

  /**
   * Brings the image to the state of its lineage and into `packageAfter`. Call it once, before anything else.
   * A session that was asleep accepts evaluations meanwhile; they are queued.
   * @throws HarborError as `Engine.start` does; never for a session that was asleep
   */
  async begin(packageAfter: string): Promise<void> {
    recordTouchedImage(this);
    this.#started =
      this.#sleptBecause === null
        ? this.#image.begin(packageAfter).then(() => this.#image.watch())
        : this.#machine.wake(packageAfter, this.#sleptBecause);
    await this.#started;
  }

  /** Resolves when `begin` has finished, also if it failed. */
  get begun(): Promise<void> {
    return this.#started.catch(() => undefined);
  }

  get id(): string {
    return this.identity.id;
  }

  get state(): SessionState {
    return publicState(this.#machine.state);
  }

  /** The evaluation that runs now, at any level. */
  get running(): RunningEvaluation | null {
    return this.#pendingOf(runningIn(this.#machine.state));
  }

  /** The innermost debugger level; 0 if no evaluation is suspended. */
  get level(): number {
    return suspendedIn(this.#machine.state).length;
  }

  /** The evaluation suspended at the innermost debugger level. */
  get suspended(): RunningEvaluation | null {
    return this.#pendingOf(innermostSuspended(this.#machine.state));
  }

  /** The suspended evaluations, outermost level first. */
  get suspendedLevels(): readonly RunningEvaluation[] {
    return suspendedIn(this.#machine.state).flatMap((id) => this.#pendingOf(id) ?? []);
  }

  /** Returns a running, suspended or queued evaluation. */
  pending(id: number): RunningEvaluation | null {
    recordTouchedImage(this);
    return this.#pendingOf(id);
  }

  /** The evaluations ahead of a queued one; null if it has begun. */
  before({ id }: RunningEvaluation): number[] | null {
    return this.#machine.before(id);
  }

  /** The id of the newest evaluation; 0 before the first. */
  get newestRow(): number {
    return this.#newestRow;
  }

  /** Public properties of the current or last image. Only the session evaluates in it. */
  get image(): Pick<Image, 'introduction' | 'prompt' | 'hasOwnSyntax'> {
    return this.#image.current;
  }

  /**
   * The notes that every answer of the image carries: that it is not confined, unless the user has accepted
   * that.
   */
  get sandboxNotes(): readonly Note[] {
    const { id: session, generation } = this;
    const notes = sandboxNotes(this.#image.current.sandbox, this.#accepted());
    return notes.map((each) => ({ ...each, image: { session, generation } }));
  }

  get package(): string {
    return this.#image.current.package;
  }

  /** As `Image.outdatedBy`. */
  get outdatedBy(): string | null {
    return this.#image.current.outdatedBy ?? null;
  }

  /** The number of images so far. */
  get generation(): number {
    return this.#image.generation;
  }

  /** As `SessionImage.recoveryNotes`. */
  get recoveryNotes(): readonly Note[] {
    return this.#image.recoveryNotes;
  }

  /** Systems that evaluations have loaded, in load order. A lost image does not change the list. */
  get systems(): readonly string[] {
    return this.#runner.systems;
  }

  /** Notes for the caller of the next evaluation. */
  get pendingNotes(): readonly Note[] {
    return this.#pendingNotes;
  }

  /** Notes for code of the language that the engine stands in for; empty if the client chose the engine. */
  get fallbackNotes(): readonly Note[] {
    return this.#fallbackNotes;
  }

  /** The engine was chosen because the preferred one is missing: says so now, and when such code fails. */
  addFallbackNotes(notes: readonly Note[]): void {
    this.#fallbackNotes = notes;
    this.addNotes(...notes);
  }

  /** Adds notes about the image for the caller of the next evaluation. */
  addNotes(...notes: readonly Note[]): void {
    this.#pendingNotes.push(...notes);
  }

  /** The state from which the next harbor restores the session. */
  get persistentState(): PersistentState {
    const saved = this.saved.all;
    return {
      ...(saved.length > 0 ? { saved } : {}),
      ...this.settings.persistentState,
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
      ...this.settings.called,
      state: this.state,
      ...imageView(this.#image.current),
      ...this.#usage.view,
      startedAt: openedAt,
      lastUsedAt: this.#pending.lastEndedAt ?? openedAt,
      generation: this.generation,
      runningEvaluation: (this.running ?? this.suspended)?.id ?? null,
      ...(this.level > 0 ? { level: this.level } : {}),
      stopping: stoppingIn(this.#machine.state),
      lostBecause: noImageReason(this.#machine.state),
      hold: this.offers('debugger') ? this.settings.suspendsErrors : null,
      comesBack: this.#image.comesBack,
      trust: this.#runner.trust,
    };
  }

  /** Reads pid and memory of the engine's process. */
  refreshUsage(): Promise<void> {
    return this.#usage.refresh();
  }

  /**
   * The progress of the running evaluation; null if it does not run or the image does not report progress.
   */
  async progress(evaluation: RunningEvaluation): Promise<ProofProgress | null> {
    return this.running === evaluation ? ((await this.#image.current.progress?.()) ?? null) : null;
  }

  /** The report so far of an evaluation that works outside the image; undefined if it has none. */
  reportSoFar({ id }: RunningEvaluation): Report | undefined {
    return this.#pending.get(id)?.request.outside?.report;
  }

  /** A sentence about the place that the running evaluation has reached; null if nothing is known. */
  async place(evaluation: RunningEvaluation): Promise<string | null> {
    if (this.running !== evaluation) return null;
    const image = this.#image.current;
    if (!image.calls && !image.progress) return `Where it is cannot be seen in ${this.identity.engine}.`;
    const calls = (await image.calls?.(evaluation.id)) ?? [];
    return calls.length > 0 ? `It is in ${calls.join(' < ')}.` : null;
  }

  /**
   * Opens a debugger level where the running evaluation is, which is then suspended.
   * @throws HarborError `not_supported` if its engine cannot; `bad_arguments` if the evaluation does not run
   */
  async hold(evaluation: RunningEvaluation): Promise<void> {
    const image = this.#image.current;
    if (!image.hold)
      throw new HarborError(
        'not_supported',
        `${this.identity.engine} cannot open the debugger in running code. SBCL can. Cancel the job instead.`,
        {
          mentions: image.calls
            ? [mention`${ours('job', 'action')} with action status says where it is.`]
            : [],
        },
      );
    if (this.running === evaluation && (await image.hold(evaluation.id))) return;
    throw new HarborError('bad_arguments', 'The evaluation does not run now, so there is nothing to break.');
  }

  /** Reports whether its images have this ability. */
  offers(ability: Ability): boolean {
    return this.#image.current[ability] !== undefined;
  }

  /**
   * Returns the methods of an ability that run no user code.
   * @throws HarborError `not_supported`, `image_lost`, `session_ended`
   */
  ability<A extends Ability>(ability: A): QueryMethods<A> {
    return this.#ability(ability);
  }

  /**
   * Returns all methods of an ability once the request is admitted.
   * @throws HarborError as `ability`; `paused`, `not_approved`, `cancelled`
   */
  async abilityFor<A extends Ability>(act: SessionAct, ability: A): Promise<NonNullable<Image[A]>> {
    this.#ability(ability);
    await this.#requireAdmission(act);
    return this.#ability(ability);
  }

  #ability<A extends Ability>(ability: A): NonNullable<Image[A]> {
    this.#requireOpen();
    recordTouchedImage(this);
    const because = noImageReason(this.#machine.state);
    if (because !== null) throw imageLostError(this.id, because, isAttached(this.#image.current));
    return this.#offered(ability);
  }

  /**
   * The loader. It is available without an image.
   * @throws HarborError `not_supported`
   */
  get loader(): Loader {
    return this.#offered('loader');
  }

  /** The folder of libraries that its images include from. Clients of the session may read it. */
  get libraryFolder(): string | undefined {
    return this.#image.current.library?.folder;
  }

  /**
   * Returns the debugger of the innermost suspended evaluation. Owners of other evaluations get a note when
   * `client` aborts them.
   * @throws HarborError `not_supported`, `image_lost`, `session_ended`, `not_held`
   */
  debugger(client: string): QueryMethods<'debugger'> {
    return this.#debugger(client);
  }

  /**
   * As `debugger`, with the methods that resume the evaluation.
   * @throws HarborError as `debugger`; `paused`, `not_approved`, `cancelled`
   */
  async debuggerFor(act: SessionAct): Promise<Debugger> {
    this.#debugger(act.client);
    await this.#requireAdmission(act);
    return this.#debugger(act.client);
  }

  #debugger(client: string): Debugger {
    return notifyingDebugger(
      suspendedDebugger(this.#ability('debugger'), this),
      client,
      this.suspendedLevels,
    );
  }

  /**
   * Queues the evaluation; its row is open on return. If it names another debugger level than the current
   * one, its outcome is `refused`.
   * @throws HarborError `session_ended`, `not_supported`
   */
  evaluate(request: EvaluationRequest): RunningEvaluation {
    const evaluation = this.#open(request);
    const level = request.level ?? 0;
    this.#machine.dispatch({ is: 'requested', turn: { for: 'evaluation', id: evaluation.id, level } });
    return evaluation;
  }

  /** Opens the row of an evaluation that an editor makes in the image without a turn of the session. */
  record(request: ForeignRequest): ForeignEvaluation {
    const recorded = this.#editorEvaluations().record(request);
    this.#newestRow = recorded.id;
    return recorded;
  }

  #editorEvaluations(): EditorEvaluations {
    this.#editors ??= new EditorEvaluations(this, this.#journal);
    return this.#editors;
  }

  /**
   * Replaces the image by a fresh one and evaluates there; running evaluations are interrupted, queued ones
   * are closed. `systems` count as loaded from then on, so that a reset that failed to load them can be
   * repeated.
   * @throws HarborError `paused`, `not_approved`, `cancelled`: then nothing has changed; `session_ended`
   */
  async reset(
    request: EvaluationRequest,
    systems: readonly string[],
    signal?: AbortSignal,
  ): Promise<RunningEvaluation> {
    this.#requireOpen();
    const admission = this.#guard(actOf(request), request.grant);
    await requireAdmission(admission, signal);
    const evaluation = this.#open(request, admission);
    const { id } = evaluation;
    const by = { because: 'it was reset', from: freshLineage(this.id, id - 1), systems };
    this.#machine.dispatch({ is: 'requested', turn: { for: 'reset', id, by } });
    return evaluation;
  }

  /**
   * Replaces the image by one with the state of `from`; running evaluations are interrupted, queued ones are
   * closed.
   * @param because the reason in the notes of the next evaluation, such as "it was restored"
   * @throws HarborError `session_ended`, `image_lost` if no image could be started; `paused`, `not_approved`
   */
  async startAgain(
    { client, grant }: Pick<SessionAct, 'client' | 'grant'>,
    because: string,
    from = this.#lineages.newest,
  ): Promise<void> {
    await this.#requireAdmission({
      client,
      grant,
      tool: 'restart',
      code: `; Another image, because ${because}`,
    });
    const by = { because, from, systems: null };
    const problem = await this.#machine.request((id) => ({ for: 'restart', id, by }));
    this.#requireOpen();
    if (problem !== null) throw new HarborError('image_lost', problem);
  }

  /** Starts an image in place of a lost one, if it is still lost when the turn comes. */
  async revive(): Promise<void> {
    await this.#machine.request((id) => ({ for: 'revival', id }));
  }

  /**
   * Interrupts the running evaluation by the ladder; the last step ends the image. Returns false if none
   * runs.
   * @param client the client that interrupts; the owner of the evaluation gets a note
   */
  async interrupt(client: string): Promise<boolean> {
    return this.running !== null && this.cancel(this.running, client);
  }

  /** Stops this evaluation at once by ending the image. Otherwise as `cancel`. */
  async force(evaluation: RunningEvaluation, client?: string): Promise<boolean> {
    if (this.pending(evaluation.id) !== evaluation) return false;
    notifyStoppedBy(evaluation, client);
    this.#machine.dispatch({ is: 'stop', id: evaluation.id, byForce: true });
    await evaluation.settled;
    return true;
  }

  /**
   * Stops this evaluation: a queued one is closed, a running one is interrupted, a suspended one is aborted
   * with all evaluations at its level. Resolves when it has ended; returns false if it had ended before.
   * @param client as `interrupt`; absent if its own caller cancels it
   */
  async cancel(evaluation: RunningEvaluation, client?: string): Promise<boolean> {
    if (this.pending(evaluation.id) !== evaluation) return false;
    notifyStoppedBy(evaluation, client);
    this.#machine.dispatch({ is: 'stop', id: evaluation.id });
    await evaluation.settled;
    return true;
  }

  /**
   * Saves the state to `file` while the session continues. New images begin from there.
   * @throws HarborError `not_supported`, `image_lost`, `busy`, `threads_running`, `checkpoint_failed`;
   *   `paused`, `not_approved`
   */
  async save(
    { client, grant }: Pick<SessionAct, 'client' | 'grant'>,
    name: string,
    file: string,
  ): Promise<SavedImage> {
    const act = { client, grant, tool: 'checkpoint', code: `; Saves the state as ${name}` };
    const checkpoints = await this.abilityFor(act, 'checkpoints');
    const [image, after] = [this.#image.current, this.newestRow];
    const saved = await checkpoints.save(file);
    const state = { name, file, missing: saved.missing };
    if (image === this.#image.current) this.#lineages.saved(lineageFrom(state, this.id, after));
    this.#journal.changed(this);
    return saved;
  }

  /** Removes a deleted checkpoint from the lineages. */
  forget(file: string): void {
    this.#lineages.forget(file);
    this.#journal.changed(this);
  }

  /** Ends the image; running and queued evaluations are closed as interrupted. */
  async end(): Promise<void> {
    await this.#machine.end();
  }

  /** @throws HarborError `session_ended` */
  #requireOpen(): void {
    if (this.state === 'ended') throw new HarborError('session_ended', `Session ${this.id} was closed.`);
  }

  /**
   * Returns an ability, also while there is no image.
   * @throws HarborError `not_supported`
   */
  #offered<A extends Ability>(ability: A): NonNullable<Image[A]> {
    return abilityOf(this.#image.current, this.identity.engine, ability);
  }

  #pendingOf(id: number | null): RunningEvaluation | null {
    return (id !== null && this.#pending.get(id)?.evaluation) || null;
  }

  /** @throws HarborError `paused`, `not_approved`, `cancelled` */
  #requireAdmission({ signal, grant, ...act }: SessionAct): Promise<void> {
    return requireAdmission(this.#guard({ ...act, class: 'evaluate' }, grant), signal);
  }

  #open(
    request: EvaluationRequest,
    admission = this.#guard(actOf(request), request.grant),
  ): RunningEvaluation {
    this.#requireOpen();
    recordTouchedImage(this);
    if (request.onError === 'debug') this.#offered('debugger');
    if (request.kind === 'try') this.#offered('brancher');
    if (request.relayed) this.#offered('nrepl');
    if (request.profile !== undefined) this.#offered('sampler');
    if (request.trace) this.#offered('tracer');
    const row = this.#journal.open(this, request);
    this.#newestRow = row.id;
    if (isEditor(row.client)) this.#editorEvaluations().opened(row);
    return this.#pending.add(row, request, admission);
  }
}
