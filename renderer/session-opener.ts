/** The ways to a new session in the window. None throws: the person is told of a failure. */
import type { QueryClient } from '@tanstack/react-query';
import type { StoreApi } from 'zustand';
import type { EngineName, SessionView } from '../electron/contract/model';
import type { Container, ServerAddress } from '../electron/contract/server';
import type { Words } from '../electron/words/words';
import { call, messageOf, tryCall } from './bridge';
import { type LiveState, withSession } from './live';
import { formatRoute, type Route } from './route';
import type { Toasts } from './toasts';
import type { ViewState } from './view-state';

/** What actions read and change in the page. */
export interface ActionDependencies {
  live: StoreApi<LiveState>;
  route: StoreApi<Route>;
  viewState: StoreApi<ViewState>;
  queries: QueryClient;
  toasts: Toasts;
  /** The texts in the language of the moment. */
  words: () => Words;
}

export class SessionOpener {
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a session and shows its REPL. A person who has gone elsewhere meanwhile stays there and is told.
   * @param engine the default one if absent
   */
  open(engine?: EngineName): Promise<void> {
    return this.#show(() => tryCall(this.#dependencies.toasts, 'sessions:open', engine ? { engine } : {}));
  }

  /** The same in a folder, which is the project of new sessions from then on. */
  openProject(folder: string): Promise<void> {
    return this.#show(() => tryCall(this.#dependencies.toasts, 'projects:open', { folder }));
  }

  /** The same with the state of a checkpoint. */
  openCheckpoint(id: number): Promise<void> {
    return this.#show(() => tryCall(this.#dependencies.toasts, 'checkpoints:branch', { id }));
  }

  async #show(open: () => Promise<SessionView | undefined>): Promise<void> {
    const askedFrom = formatRoute(this.#dependencies.route.getState());
    const session = await this.#opening(open);
    if (session) this.#showOpened(session, askedFrom);
  }

  /** Lets the window say that a session is being opened, until `open` has settled. */
  async #opening<T>(open: () => Promise<T>): Promise<T> {
    const { live } = this.#dependencies;
    live.setState({ opening: '' });
    return open().finally(() => live.setState({ opening: null }));
  }

  /** Attaches a session to a server; answers why that failed, or null. From then on agents may attach to it as well. */
  attach(server: ServerAddress): Promise<string | null> {
    return this.#named(() => call('sessions:attach', server));
  }

  /** The same with a server that is started in a container. */
  startContainer(container: Container): Promise<string | null> {
    return this.#named(() => call('sessions:container', container));
  }

  async #named(open: () => Promise<SessionView>): Promise<string | null> {
    const askedFrom = formatRoute(this.#dependencies.route.getState());
    try {
      this.#showOpened(await this.#opening(open), askedFrom);
      return null;
    } catch (error) {
      return messageOf(error);
    } finally {
      await this.#dependencies.queries.invalidateQueries({ queryKey: ['settings'] });
    }
  }

  #showOpened(session: SessionView, askedFrom: string): void {
    this.#dependencies.live.setState((state) => withSession(state, session));
    if (formatRoute(this.#dependencies.route.getState()) === askedFrom) {
      this.#dependencies.route.setState({ view: 'sessions', session: session.id, typing: true });
    } else {
      this.#dependencies.toasts.done(this.#dependencies.words().messages.sessionOpen(session.name));
    }
  }
}
