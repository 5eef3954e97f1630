/** User actions that change something outside the page. Failures are shown in toasts; no method throws. */

import type {
  ChangesSince,
  CheckpointView,
  DefinitionChange,
  FileChange,
} from '../electron/contract/changes';
import type { Args } from '../electron/contract/contract';
import type { ExportFormat, RunAgainSession } from '../electron/contract/history';
import type { InspectFrom } from '../electron/contract/inspection';
import type { SessionId, SessionView } from '../electron/contract/model';
import type { SettingsChange } from '../electron/contract/settings';
import type { Words } from '../electron/words/words';
import { ClientActions, SandboxActions } from './access-actions';
import { messageOf, type ReportingProxy, reportingHarbor } from './bridge';
import { withSession } from './live';
import { loadSnapshot } from './live-feed';
import { nameInProject } from './parts/format';
import { type ActionDependencies, SessionOpener } from './session-opener';
import { SourceActions } from './source-actions';
import { fitsListAndPane, type Measured } from './view-state';

/** Maximum length of the browsing history. */
const MOST_BROWSED = 100;

export class Actions {
  /** Calls to main. A failed call is shown in a toast and resolves to undefined. */
  readonly harbor: ReportingProxy;
  /** Opens new sessions. */
  readonly opener: SessionOpener;
  /** Writes or reverts the changes of a session. */
  readonly changes: ChangeActions;
  /** Shows and creates source files. */
  readonly sources: SourceActions;
  /** Changes client programs. */
  readonly clients: ClientActions;
  /** Changes what images may access. */
  readonly sandbox: SandboxActions;
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
    this.harbor = reportingHarbor(dependencies.toasts);
    this.opener = new SessionOpener(dependencies);
    this.changes = new ChangeActions(dependencies);
    this.sources = new SourceActions(dependencies, (session, name) => this.browse(session, name));
    this.clients = new ClientActions(dependencies);
    this.sandbox = new SandboxActions(dependencies);
  }

  /** Ends the sessions. Shows a message if more than one has ended. */
  async endSessions(sessions: readonly SessionId[]): Promise<void> {
    const ended = await Promise.all(sessions.map((session) => this.harbor.sessions.close({ session })));
    const done = ended.filter((answer) => answer !== undefined).length;
    if (done > 1) this.#done(({ sessionsEnded }) => sessionsEnded(done));
  }

  /** Writes the definitions of the session to a file that the user chooses. */
  async exportSession(session: SessionId): Promise<void> {
    const exported = await this.harbor.sessions.export({ session });
    if (!exported) return;
    const { definitions, file } = exported;
    this.#done(({ definitionsWritten }) => definitionsWritten(definitions, file));
  }

  /** Writes the evaluations of the session as a notebook to a file that the user chooses. */
  async exportNotebook(session: SessionId): Promise<void> {
    const exported = await this.harbor.sessions.notebook({ session });
    if (!exported) return;
    const { evaluations, file } = exported;
    this.#done(({ evaluationsWritten }) => evaluationsWritten(evaluations, file));
  }

  /** Clears the values that the session's code has tapped. */
  async forgetTaps(session: SessionId): Promise<void> {
    await this.harbor.taps.forget({ session });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['image', session] });
  }

  /** Widens the list of sessions, and closes the pane if that needs its space; or makes the list a rail. */
  widenSessions(): void {
    const { route, viewState } = this.#dependencies;
    const { sessionRail, wideNavigation } = viewState.getState();
    const needsPane = route.getState().tab !== null && !fitsListAndPane(innerWidth, wideNavigation);
    viewState.setState({ sessionRail: !sessionRail && !needsPane });
    if (needsPane) route.setState({ tab: null });
  }

  /**
   * Opens a tab next to the session's REPL.
   * @param tab an id of session/session-tabs.tsx
   */
  openTab(session: SessionId, tab: string): void {
    this.#dependencies.viewState.setState({ opensDebugger: true });
    this.#dependencies.route.setState({ view: 'sessions', session, tab, typing: false });
  }

  /** Shows a value in the session's inspector, unless the second pane shows that already. */
  inspect(session: SessionId, from: InspectFrom): void {
    const { viewState } = this.#dependencies;
    viewState.setState(({ inspected }) => ({ inspected: { ...inspected, [session]: from } }));
    if (viewState.getState().secondTab !== 'inspector') this.openTab(session, 'inspector');
  }

  /**
   * Runs an evaluation again, profiled or with its calls traced, and shows that next to the REPL.
   * @param filter the calls to show first
   */
  async measure(session: SessionId, evaluation: number, how: Measured['how'], filter = ''): Promise<void> {
    const begun = await this.harbor.debugger.again({ session, evaluation, how });
    if (!begun) return;
    const measured: Measured = { evaluation: begun.evaluation, how, filter };
    this.#dependencies.viewState.setState((state) => ({
      measured: { ...state.measured, [session]: measured },
    }));
    this.openTab(session, 'run');
  }

  /** Suspends a running evaluation where it is, and shows the debugger. */
  async breakIn(session: SessionId, evaluation: number): Promise<void> {
    const broken = await this.harbor.sessions.break({ session, evaluation });
    if (broken !== undefined) this.openTab(session, 'debugger');
  }

  /** Shows the description of a name in the session's image. */
  browse(session: SessionId, name: string): void {
    const { viewState } = this.#dependencies;
    viewState.setState(({ browsed }) => ({
      browsed: { ...browsed, [session]: [...(browsed[session] ?? []), name].slice(-MOST_BROWSED) },
    }));
    this.openTab(session, 'browse');
  }

  /** Replaces the session's image and restores as much of its state as possible. */
  async restart({ id, name }: SessionView): Promise<void> {
    const answer = await this.harbor.sessions.restart({ session: id });
    if (answer !== undefined) this.#done(({ newImage }) => newImage(name));
  }

  /**
   * Saves the session's state while the session continues.
   * @param name '' for a generated name
   */
  async saveCheckpoint(session: SessionId, name: string): Promise<void> {
    const saved = await this.harbor.checkpoints.save({ session, ...(name !== '' && { name }) });
    // Waits for the list to contain the checkpoint before the "saving" state ends.
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['checkpoints'] });
    if (!saved) return;
    const isWhole = saved.missing.length === 0;
    this.#done(({ saved: message, incomplete }) => message(saved.name) + (isWhole ? '' : incomplete));
  }

  /**
   * Restores a checkpoint. The message offers to undo that. If the current state cannot be saved, it offers to
   * restore without saving.
   * @param discard whether the current state may be lost
   */
  async restoreCheckpoint(
    session: SessionView,
    checkpoint: Pick<CheckpointView, 'id' | 'name'>,
    discard = false,
  ): Promise<void> {
    const { toasts } = this.#dependencies;
    const { restored, previousState, undo, withoutSaving, invalidNow } = this.#messages;
    const answer = await this.harbor.checkpoints.restore({
      session: session.id,
      id: checkpoint.id,
      discard,
    });
    if (!answer) return;
    if ('unsaved' in answer) {
      const run = () => void this.restoreCheckpoint(session, checkpoint, true);
      toasts.failed(answer.unsaved, { label: withoutSaving, run });
      return;
    }
    const { savedAs, lost } = answer;
    const message =
      restored(session.name, checkpoint.name) + (savedAs === null ? '' : previousState(savedAs.name));
    const back = savedAs
      ? { label: undo, run: () => void this.restoreCheckpoint(session, savedAs) }
      : undefined;
    if (lost === 0) toasts.done(message, back);
    else toasts.failed(message + invalidNow(lost), back);
  }

  async dropCheckpoint({ id, name }: CheckpointView): Promise<void> {
    const answer = await this.harbor.checkpoints.drop({ id });
    if (answer !== undefined) this.#done(({ dropped }) => dropped(name));
  }

  /**
   * Undoes the commands of the session's world after `command`.
   * @param undone number of commands that follow it
   */
  async undoTo({ id, name }: SessionView, command: number, undone: number): Promise<void> {
    await this.#undo({ session: id, command, alone: false }, this.#messages.undone(undone, name));
  }

  /** Removes a command from the session's world. The commands after it are proved again. */
  async takeOut({ id, name }: SessionView, command: number): Promise<void> {
    await this.#undo({ session: id, command, alone: true }, this.#messages.commandRemoved(command, name));
  }

  /** Evaluates the code of an evaluation again in its engine. Returns the id of the new evaluation. */
  async runAgain(id: number, where: RunAgainSession): Promise<number | undefined> {
    const answer = await this.harbor.history.runAgain({ id, where });
    if (!answer) return undefined;
    const { session, evaluation } = answer;
    this.#dependencies.live.setState((state) => withSession(state, session));
    this.#done(({ runsAgain }) => runsAgain(id, evaluation, session.name));
    return evaluation;
  }

  /** Writes the evaluations that match a filter to a file that the user chooses. */
  async exportHistory(filter: Args<'history:export'>['filter'], format: ExportFormat): Promise<void> {
    const exported = await this.harbor.history.export({ filter, format });
    if (!exported) return;
    const { file, evaluations, left: omitted } = exported;
    this.#done(
      ({ evaluationsWritten, notInIt }) =>
        evaluationsWritten(evaluations, file) + (omitted === 0 ? '' : notInIt(omitted)),
    );
  }

  /** Writes the report of a final check to a file that the user chooses. */
  async saveCheck(id: number): Promise<void> {
    const saved = await this.harbor.history.saveCheck({ id });
    if (saved) this.#done(({ reportWritten }) => reportWritten(saved.file));
  }

  async #undo(args: Args<'world:undo'>, done: string): Promise<void> {
    const { toasts } = this.#dependencies;
    const answer = await this.harbor.world.undo(args);
    if (!answer) return;
    const { evaluation, outcome, problem, lost } = answer;
    const { nothingUndone, invalidWithout } = this.#messages;
    if (outcome !== 'ok') toasts.failed(problem ?? nothingUndone(evaluation, outcome));
    else if (lost.length === 0) toasts.done(done);
    else toasts.failed(done + invalidWithout(lost.length, evaluation));
  }

  /** Closes an editor port and ends the threads that the editor started in the image. */
  async closeEditorPort(port: Args<'editor:close'>): Promise<void> {
    const closed = await this.harbor.editor.close(port);
    if (!closed || closed.threads.length === 0) return;
    this.#dependencies.toasts.failed(this.#messages.threadsOfEditor(closed.threads));
  }

  /** Returns whether the settings were changed. */
  async changeSettings(change: SettingsChange): Promise<boolean> {
    const settings = await this.harbor.settings.change(change);
    if (settings) this.#dependencies.queries.setQueryData(['settings'], settings);
    return settings !== undefined;
  }

  /** Asks the user for a project. The choice approves the project for new sessions. */
  async chooseProject(): Promise<void> {
    const chosen = await this.harbor.projects.choose();
    if (!chosen) return;
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['settings'] });
    this.#done(({ newSessionsIn }) => newSessionsIn(chosen.project));
  }

  /**
   * Copies `text` to the clipboard. Returns whether it succeeded.
   * @param what the name of the text in an error message
   */
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
}

/** The definitions to write to one file. */
export interface FileToWrite {
  path: string;
  definitions: readonly DefinitionChange[];
}

class ChangeActions {
  readonly #dependencies: ActionDependencies;
  readonly #harbor: ReportingProxy;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
    this.#harbor = reportingHarbor(dependencies.toasts);
  }

  /**
   * Writes definitions, one file at a time. Returns whether all are written.
   * @param over the hash of a file whose newer definitions the user agreed to replace
   */
  async write(
    session: SessionView,
    files: readonly FileToWrite[],
    over: string | null = null,
  ): Promise<boolean> {
    for (const { path, definitions } of files) {
      const names = definitions.flatMap(({ writeAs }) => writeAs ?? []);
      const written = await this.#harbor.changes.write({
        session: session.id,
        path,
        definitions: [...new Set(names)],
        over,
      });
      await this.#refetchChanges(session);
      if (!written) return false;
      const [first] = definitions;
      const { toasts, words } = this.#dependencies;
      const { common, messages } = words();
      const what = definitions.length === 1 && first ? first.title : common.definitions(definitions.length);
      toasts.done(messages.written(what, nameInProject(written.path, session.project)));
    }
    return true;
  }

  /**
   * Restores the previous state of a definition.
   * @param since the start of the shown changes
   */
  async revert(
    session: SessionView,
    { key, title, what }: DefinitionChange,
    since: ChangesSince,
  ): Promise<void> {
    const { toasts, words } = this.#dependencies;
    const answer = await this.#harbor.changes.revert({ session: session.id, since, key });
    await this.#refetchChanges(session);
    if (!answer) return;
    const { evaluation, problem } = answer;
    const { removed, restoredDefinition, notRestored } = words().messages;
    if (problem !== null) toasts.failed(notRestored(title, problem));
    else toasts.done((what === 'added' ? removed : restoredDefinition)(title, evaluation));
  }

  /** Evaluates a definition as its file has it. @param since the start of the shown changes */
  async load(session: SessionView, { key, title }: DefinitionChange, since: ChangesSince): Promise<void> {
    const { toasts, words } = this.#dependencies;
    const answer = await this.#harbor.changes.load({ session: session.id, since, key });
    await this.#refetchChanges(session);
    if (!answer) return;
    const { loadedDefinition, notLoaded } = words().messages;
    if (answer.problem !== null) toasts.failed(notLoaded(title, answer.problem));
    else toasts.done(loadedDefinition(title, answer.evaluation));
  }

  /** Restores the previous content of a file, or deletes a file that did not exist. */
  async revertFile(session: SessionView, { path, earlierContent, hash }: FileChange): Promise<void> {
    if (hash === null) return;
    const { toasts, words } = this.#dependencies;
    const answer = await this.#harbor.changes.revertFile({
      session: session.id,
      path,
      earlierContent,
      hash,
    });
    await this.#refetchChanges(session);
    const { fileRestored, fileDeleted } = words().messages;
    const done = earlierContent === null ? fileDeleted : fileRestored;
    if (answer !== undefined) toasts.done(done(nameInProject(path, session.project)));
  }

  async #refetchChanges({ id }: SessionView): Promise<void> {
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['image', id, 'changes'] });
  }
}
