/** What a person can do that changes something outside the page. None throws: the person is told of a failure. */
import type { CallName } from '../electron/contract/channels';
import type { CheckpointView } from '../electron/contract/checkpoints';
import type { Args, Result } from '../electron/contract/contract';
import type { ExportFormat } from '../electron/contract/history';
import type { InspectFrom } from '../electron/contract/inspection';
import type { SessionId, SessionView } from '../electron/contract/model';
import type { AgainWhere } from '../electron/contract/run-again';
import type { SettingsChange } from '../electron/contract/settings';
import type { Words } from '../electron/words/words';
import { messageOf, tryCall } from './bridge';
import { ChangeActions } from './change-actions';
import { ClientActions } from './client-actions';
import { withSession } from './live';
import { loadSnapshot } from './live-feed';
import { SandboxActions } from './sandbox-actions';
import { type ActionDependencies, SessionOpener } from './session-opener';
import { UpdateActions } from './update-actions';

/** Names that browsing goes back through. */
const MOST_BROWSED = 100;

export class Actions {
  /** The ways to a new session. */
  readonly opener: SessionOpener;
  /** What is done with the changes that a session made. */
  readonly changes: ChangeActions;
  /** With client programs. */
  readonly clients: ClientActions;
  readonly updates: UpdateActions;
  /** With what images may reach. */
  readonly sandbox: SandboxActions;
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
    this.opener = new SessionOpener(dependencies);
    this.changes = new ChangeActions(dependencies);
    this.clients = new ClientActions(dependencies);
    this.updates = new UpdateActions(dependencies);
    this.sandbox = new SandboxActions(dependencies);
  }

  /** Ends the sessions; a message says so when several have ended. */
  async endSessions(sessions: readonly SessionId[]): Promise<void> {
    const ended = await Promise.all(sessions.map((session) => this.#try('sessions:close', { session })));
    const done = ended.filter((answer) => answer !== undefined).length;
    if (done > 1) this.#done(({ sessionsEnded }) => sessionsEnded(done));
  }

  /** Writes what was defined in the session into a file that a person chooses. */
  async exportSession(session: SessionId): Promise<void> {
    const exported = await this.#try('sessions:export', { session });
    if (!exported) return;
    const { definitions, file } = exported;
    this.#done(({ definitionsWritten }) => definitionsWritten(definitions, file));
  }

  /** Writes what was evaluated in the session as a notebook, into a file that a person chooses. */
  async exportNotebook(session: SessionId): Promise<void> {
    const exported = await this.#try('sessions:notebook', { session });
    if (!exported) return;
    const { evaluations, file } = exported;
    this.#done(({ evaluationsWritten }) => evaluationsWritten(evaluations, file));
  }

  /** Lets go of all that the session's code has tapped. */
  async forgetTaps(session: SessionId): Promise<void> {
    await this.#try('taps:forget', { session });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['image', session] });
  }

  /** Opens a tab beside the session's REPL, by its id in session/session-tabs.tsx. */
  openTab(session: SessionId, tab: string): void {
    const { route, viewState } = this.#dependencies;
    viewState.setState({ lastTab: tab });
    route.setState({ view: 'sessions', session, tab, typing: false });
  }

  /** Shows a value in the session's inspector, which stands beside its debugger where that is shown. */
  inspect(session: SessionId, from: InspectFrom): void {
    const { route, viewState } = this.#dependencies;
    viewState.setState(({ inspected }) => ({ inspected: { ...inspected, [session]: from } }));
    const { session: shown, tab } = route.getState();
    if (shown === session && tab === 'debugger') viewState.setState({ secondTab: 'inspector' });
    else this.openTab(session, 'inspector');
  }

  /** Shows what a name stands for in the session's image. */
  browse(session: SessionId, name: string): void {
    const { viewState } = this.#dependencies;
    viewState.setState(({ browsed }) => ({
      browsed: { ...browsed, [session]: [...(browsed[session] ?? []), name].slice(-MOST_BROWSED) },
    }));
    this.openTab(session, 'browse');
  }

  /** Gives a session that is asleep an image. */
  async wake(session: SessionId): Promise<void> {
    await this.#try('sessions:wake', { session });
  }

  /** Climbs the interrupt ladder; answers false when nothing ran. */
  async interrupt(session: SessionId): Promise<boolean> {
    const answer = await this.#try('sessions:interrupt', { session });
    return answer?.interrupted ?? false;
  }

  /** Stops this one evaluation; by force: with its image. */
  async stop(session: SessionId, evaluation: number, byForce: boolean): Promise<void> {
    await this.#try('sessions:stop', { session, evaluation, byForce });
  }

  /** Gives the session another image, with what of its state can be brought back. */
  async restart({ id, name }: SessionView): Promise<void> {
    const answer = await this.#try('sessions:restart', { session: id });
    if (answer !== undefined) this.#done(({ newImage }) => newImage(name));
  }

  /** What a person calls the session, and notes of it; answers whether that was done. */
  async nameSession(session: SessionId, name: string, note: string): Promise<boolean> {
    return (await this.#try('sessions:name', { session, name, note })) !== undefined;
  }

  /** Says whether errors of the session are held in the debugger until somebody chooses a restart. */
  async hold(session: SessionId, hold: boolean): Promise<void> {
    await this.#try('sessions:hold', { session, hold });
  }

  /** Lets code of the session into raw Lisp, for as long as its image lives. */
  async allowRawLisp(session: SessionId): Promise<void> {
    await this.#try('sessions:allowRawLisp', { session });
  }

  /** Lets books of the system use trust tags of these names in the session. */
  async allowTrustTags(session: SessionId, tags: string[]): Promise<void> {
    await this.#try('sessions:allowTrustTags', { session, tags });
  }

  /** Saves the state of the session under a name, '' for one that is made up. The session goes on meanwhile. */
  async saveCheckpoint(session: SessionId, name: string): Promise<void> {
    const saved = await this.#try('checkpoints:save', { session, ...(name !== '' && { name }) });
    // Awaited, so that the list has it before nobody shows any more that it is being saved.
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['checkpoints'] });
    if (!saved) return;
    const isWhole = saved.missing.length === 0;
    this.#done(({ saved: told, incomplete }) => told(saved.name) + (isWhole ? '' : incomplete));
  }

  async restoreCheckpoint(session: SessionView, { id, name }: CheckpointView): Promise<void> {
    const answer = await this.#try('checkpoints:restore', { session: session.id, id });
    if (!answer) return;
    const { kept, lost } = answer;
    const { restored, keptBefore, unfoundedNow } = this.#messages;
    const told = restored(session.name, name) + (kept === null ? '' : keptBefore(kept));
    if (lost === 0) this.#dependencies.toasts.done(told);
    else this.#dependencies.toasts.failed(told + unfoundedNow(lost));
  }

  async dropCheckpoint({ id, name }: CheckpointView): Promise<void> {
    const answer = await this.#try('checkpoints:drop', { id });
    if (answer !== undefined) this.#done(({ dropped }) => dropped(name));
  }

  /** Brings the world of the session back to just after a command. @param undone how many commands follow it */
  async undoTo({ id, name }: SessionView, command: number, undone: number): Promise<void> {
    await this.#undo({ session: id, command, alone: false }, this.#messages.undone(undone, name));
  }

  /** Takes a command out of the world of the session; what follows it is proved again. */
  async takeOut({ id, name }: SessionView, command: number): Promise<void> {
    await this.#undo({ session: id, command, alone: true }, this.#messages.takenOut(command, name));
  }

  /** Begins the final check of a theorem, or for null of the whole session; answers whether it has begun. */
  async finalCheck(session: SessionId, claim: string | null): Promise<boolean> {
    return (await this.#try('world:check', { session, claim })) !== undefined;
  }

  /** Runs instructions of the proof-builder; undefined where they could not even be tried, which is told. */
  async buildProof(args: Args<'world:build'>): Promise<Result<'world:build'> | undefined> {
    return this.#try('world:build', args);
  }

  /** Evaluates the code of an evaluation again, in its engine; answers the new one's id. */
  async runAgain(id: number, where: AgainWhere): Promise<number | undefined> {
    const answer = await this.#try('history:runAgain', { id, where });
    if (!answer) return undefined;
    const { session, evaluation } = answer;
    this.#dependencies.live.setState((state) => withSession(state, session));
    this.#done(({ runsAgain }) => runsAgain(id, evaluation, session.name));
    return evaluation;
  }

  /** Writes the evaluations that a filter means into a file that a person chooses. */
  async exportHistory(filter: Args<'history:export'>['filter'], format: ExportFormat): Promise<void> {
    const exported = await this.#try('history:export', { filter, format });
    if (!exported) return;
    const { file, evaluations, left } = exported;
    this.#done(
      ({ evaluationsWritten, notInIt }) =>
        evaluationsWritten(evaluations, file) + (left === 0 ? '' : notInIt(left)),
    );
  }

  /** Writes the report of a final check into a file that a person chooses. */
  async saveCheck(id: number): Promise<void> {
    const saved = await this.#try('history:saveCheck', { id });
    if (saved) this.#done(({ reportWritten }) => reportWritten(saved.file));
  }

  async #undo(args: Args<'world:undo'>, done: string): Promise<void> {
    const { toasts } = this.#dependencies;
    const answer = await this.#try('world:undo', args);
    if (!answer) return;
    const { evaluation, outcome, problem, lost } = answer;
    const { nothingUndone, unfoundedWithout } = this.#messages;
    if (outcome !== 'ok') toasts.failed(problem ?? nothingUndone(evaluation, outcome));
    else if (lost.length === 0) toasts.done(done);
    else toasts.failed(done + unfoundedWithout(lost.length, evaluation));
  }

  /** Opens a port for Emacs to attach to the session's image; answers whether there is one now. */
  async startSwank(session: SessionId): Promise<boolean> {
    return (await this.#try('swank:start', { session })) !== undefined;
  }

  /** Closes that port and ends what Emacs runs in the image. */
  async stopSwank(session: SessionId): Promise<void> {
    const stopped = await this.#try('swank:stop', { session });
    if (!stopped || stopped.threads.length === 0) return;
    this.#dependencies.toasts.failed(this.#messages.threadsOfEmacs(stopped.threads));
  }

  /** Shows where the log lies. */
  async openLogFolder(): Promise<void> {
    await this.#try('log:openFolder', null);
  }

  async changeSettings(change: SettingsChange): Promise<void> {
    const settings = await this.#try('settings:change', change);
    if (settings) this.#dependencies.queries.setQueryData(['settings'], settings);
  }

  /** Has the harbor listen on any free port where the one that was wanted is taken. */
  async listenAnywhere(): Promise<void> {
    await this.#try('harbor:listen', null);
  }

  /** Lets a person choose a project, which approves it for sessions opened from now on. */
  async chooseProject(): Promise<void> {
    const chosen = await this.#try('projects:choose', null);
    if (!chosen) return;
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['settings'] });
    this.#done(({ newSessionsIn }) => newSessionsIn(chosen.project));
  }

  /** Puts `text` on the clipboard; answers whether that worked. @param what names it in the message of a failure */
  async copy(text: string, what: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      const { toasts, words } = this.#dependencies;
      toasts.failed(words().copying.failed(what, messageOf(error)));
      return false;
    }
  }

  reload(): Promise<void> {
    return loadSnapshot(this.#dependencies.live);
  }

  get #messages(): Words['messages'] {
    return this.#dependencies.words().messages;
  }

  #done(text: (messages: Words['messages']) => string): void {
    this.#dependencies.toasts.done(text(this.#messages));
  }

  #try<C extends CallName>(name: C, args: Args<C>): Promise<Result<C> | undefined> {
    return tryCall(this.#dependencies.toasts, name, args);
  }
}
