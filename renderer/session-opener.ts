/** Opens new sessions. Failures are shown in toasts; no method throws. */
import type { QueryClient } from '@tanstack/react-query';
import type { StoreApi } from 'zustand';
import type { EngineName, SessionView } from '../electron/contract/model';
import type { Container, ServerAddress } from '../electron/contract/server';
import type { Words } from '../electron/words/words';
import { harbor, messageOf, tryCall } from './bridge';
import { type LiveState, withSession } from './live';
import { formatRoute, type Route } from './route';
import type { Toasts } from './toasts';
import type { ViewState } from './view-state';

/** The stores and services that actions use. */
export interface ActionDependencies {
  live: StoreApi<LiveState>;
  route: StoreApi<Route>;
  viewState: StoreApi<ViewState>;
  queries: QueryClient;
  toasts: Toasts;
  /** The texts in the current language. */
  words: () => Words;
}

export class SessionOpener {
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a session and shows its REPL. If the user has navigated elsewhere in the meantime, shows a message
   * instead.
   * @param engine absent for the default engine
   */
  open(engine?: EngineName): Promise<void> {
    return this.#show(() => tryCall(this.#dependencies.toasts, 'sessions:open', engine ? { engine } : {}));
  }

  /** Opens a session in a folder, which becomes the project of new sessions. */
  openProject(folder: string): Promise<void> {
    return this.#show(() => tryCall(this.#dependencies.toasts, 'projects:open', { folder }));
  }

  /** Opens a session with the state of a checkpoint. */
  openCheckpoint(id: number): Promise<void> {
    return this.#show(() => tryCall(this.#dependencies.toasts, 'checkpoints:branch', { id }));
  }

  async #show(open: () => Promise<SessionView | undefined>): Promise<void> {
    const startedFrom = formatRoute(this.#dependencies.route.getState());
    const session = await this.#opening(open);
    if (session) this.#showOpened(session, startedFrom);
  }

  /** Sets `opening` in the live store until `open` settles. */
  async #opening<T>(open: () => Promise<T>): Promise<T> {
    const { live } = this.#dependencies;
    live.setState({ opening: '' });
    return open().finally(() => live.setState({ opening: null }));
  }

  /**
   * Attaches a session to a server. Returns an error message, or null. Afterwards agents may attach to the
   * server too.
   */
  attach(server: ServerAddress): Promise<string | null> {
    return this.#named(() => harbor.sessions.attach(server));
  }

  /** Starts a server in a container and attaches a session to it. Returns an error message, or null. */
  startContainer(container: Container): Promise<string | null> {
    return this.#named(() => harbor.sessions.container(container));
  }

  async #named(open: () => Promise<SessionView>): Promise<string | null> {
    const startedFrom = formatRoute(this.#dependencies.route.getState());
    try {
      this.#showOpened(await this.#opening(open), startedFrom);
      return null;
    } catch (error) {
      return messageOf(error);
    } finally {
      await this.#dependencies.queries.invalidateQueries({ queryKey: ['settings'] });
    }
  }

  #showOpened(session: SessionView, startedFrom: string): void {
    this.#dependencies.live.setState((state) => withSession(state, session));
    if (formatRoute(this.#dependencies.route.getState()) === startedFrom) {
      this.#dependencies.route.setState({ view: 'sessions', session: session.id, typing: true });
    } else {
      this.#dependencies.toasts.done(this.#dependencies.words().messages.sessionOpen(session.name));
    }
  }
}
