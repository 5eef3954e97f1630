/** What a person can do that changes something outside the page. Each tells its failure; none throws. */
import type { QueryClient } from '@tanstack/react-query';
import type { StoreApi } from 'zustand';
import type { CallName } from '../electron/contract/channels';
import type { Args, Result } from '../electron/contract/contract';
import type { EngineName, SessionId } from '../electron/contract/model';
import type { SettingsChange } from '../electron/contract/settings';
import { call, messageOf } from './bridge';
import { type LiveState, withSession } from './live';
import { loadSnapshot } from './live-feed';
import { count } from './parts/format';
import { formatPlace, type Place } from './place';
import type { Toasts } from './toasts';

export interface ActionSurroundings {
  live: StoreApi<LiveState>;
  place: StoreApi<Place>;
  queries: QueryClient;
  toasts: Toasts;
}

export class Actions {
  readonly #around: ActionSurroundings;

  constructor(around: ActionSurroundings) {
    this.#around = around;
  }

  /**
   * Opens a session, of the default engine unless one is named, and shows its REPL; a person who has gone elsewhere
   * meanwhile stays there and is told.
   */
  async openSession(engine?: EngineName): Promise<void> {
    const askedFrom = formatPlace(this.#around.place.getState());
    const session = await this.#try('sessions:open', engine ? { engine } : {});
    if (!session) return;
    this.#around.live.setState((state) => withSession(state, session));
    if (formatPlace(this.#around.place.getState()) === askedFrom) {
      this.#around.place.setState({ view: 'sessions', session: session.id, tab: 'repl', typing: true });
    } else {
      this.#around.toasts.done(`Session ${session.name} is open.`);
    }
  }

  /** Ends the sessions; of several it says when that is done. */
  async endSessions(sessions: readonly SessionId[]): Promise<void> {
    const ended = await Promise.all(sessions.map((session) => this.#try('sessions:close', { session })));
    const done = ended.filter((answer) => answer !== undefined).length;
    if (done > 1) this.#around.toasts.done(`${done} sessions have ended.`);
  }

  /** Writes what was defined in the session into a file that a person chooses. */
  async exportSession(session: SessionId): Promise<void> {
    const exported = await this.#try('sessions:export', { session });
    if (!exported) return;
    const { definitions, file } = exported;
    this.#around.toasts.done(`${count(definitions, 'definition')} written to ${file}.`);
  }

  /** The interrupt ladder; answers false when nothing ran. */
  async interrupt(session: SessionId): Promise<boolean> {
    const answer = await this.#try('sessions:interrupt', { session });
    return answer?.interrupted ?? false;
  }

  /** Whether errors of the session are held in the debugger until somebody chooses. */
  async hold(session: SessionId, hold: boolean): Promise<void> {
    await this.#try('sessions:hold', { session, hold });
  }

  /** Writes or takes back our entry in another program's configuration; answers whether that was done. */
  async changeConnection(name: string, action: 'add' | 'remove'): Promise<boolean> {
    const view = await this.#try(action === 'add' ? 'connect:add' : 'connect:remove', { name });
    await this.#around.queries.invalidateQueries({ queryKey: ['connections'] });
    if (!view) return false;
    const done = `${view.title} ${action === 'add' ? 'is connected' : 'is disconnected'}.`;
    this.#around.toasts.done(`${done} ${view.afterwards}`);
    return true;
  }

  async revokeToken(id: number, name: string): Promise<void> {
    const answer = await this.#try('tokens:revoke', { id });
    await this.#around.queries.invalidateQueries({ queryKey: ['tokens'] });
    if (answer !== undefined) this.#around.toasts.done(`Token ${name} is revoked.`);
  }

  /** Issues a token and answers its secret, which nobody can read again. */
  async issueToken(args: Args<'tokens:issue'>): Promise<Result<'tokens:issue'> | undefined> {
    const issued = await this.#try('tokens:issue', args);
    await this.#around.queries.invalidateQueries({ queryKey: ['tokens'] });
    return issued;
  }

  async changeSettings(change: SettingsChange): Promise<void> {
    const settings = await this.#try('settings:change', change);
    if (settings) this.#around.queries.setQueryData(['settings'], settings);
  }

  /** Lets a person choose a project, which approves it for sessions opened from now on. */
  async chooseProject(): Promise<void> {
    const chosen = await this.#try('projects:choose', null);
    if (!chosen) return;
    await this.#around.queries.invalidateQueries({ queryKey: ['settings'] });
    this.#around.toasts.done(`New sessions work in ${chosen.project}.`);
  }

  /** Puts `text` on the clipboard and answers whether that worked; `what` names it in the message if not. */
  async copy(text: string, what: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      this.#around.toasts.failed(`The ${what} could not be copied: ${messageOf(error)}`);
      return false;
    }
  }

  reload(): Promise<void> {
    return loadSnapshot(this.#around.live);
  }

  /** The result, or undefined after a failure, which the person has then been told. */
  async #try<C extends CallName>(name: C, args: Args<C>): Promise<Result<C> | undefined> {
    try {
      return await call(name, args);
    } catch (error) {
      this.#around.toasts.failed(messageOf(error));
      return undefined;
    }
  }
}
