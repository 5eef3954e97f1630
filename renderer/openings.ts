/** The ways to a new session in the window. Each tells its failure; none throws. */
import type { QueryClient } from '@tanstack/react-query';
import type { StoreApi } from 'zustand';
import type { EngineName, SessionView } from '../electron/contract/model';
import type { Container, ServerAddress } from '../electron/contract/server';
import { call, messageOf } from './bridge';
import { type LiveState, withSession } from './live';
import { formatPlace, type Place } from './place';
import type { Toasts } from './toasts';
import { triedCall } from './tried-call';

/** What actions read and change in the page. */
export interface Surroundings {
  live: StoreApi<LiveState>;
  place: StoreApi<Place>;
  queries: QueryClient;
  toasts: Toasts;
}

export class Openings {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /**
   * Opens a session, of the default engine unless one is named, and shows its REPL; a person who has gone elsewhere
   * meanwhile stays there and is told.
   */
  session(engine?: EngineName): Promise<void> {
    return this.#show(() => triedCall(this.#around.toasts, 'sessions:open', engine ? { engine } : {}));
  }

  /** The same with the state of a checkpoint. */
  checkpoint(id: number): Promise<void> {
    return this.#show(() => triedCall(this.#around.toasts, 'checkpoints:branch', { id }));
  }

  async #show(open: () => Promise<SessionView | undefined>): Promise<void> {
    const askedFrom = formatPlace(this.#around.place.getState());
    const session = await this.#opening(open);
    if (session) this.#showOpened(session, askedFrom);
  }

  /** Whatever way a session is asked for, the window says that one is being opened. */
  async #opening<T>(open: () => Promise<T>): Promise<T> {
    const { live } = this.#around;
    live.setState({ opening: '' });
    return open().finally(() => live.setState({ opening: null }));
  }

  /** Attaches a session to a server, which names it for agents as well; answers why that failed, or null. */
  server(server: ServerAddress): Promise<string | null> {
    return this.#named(() => call('sessions:attach', server));
  }

  /** The same with one that is started in a container. */
  container(container: Container): Promise<string | null> {
    return this.#named(() => call('sessions:container', container));
  }

  async #named(open: () => Promise<SessionView>): Promise<string | null> {
    const askedFrom = formatPlace(this.#around.place.getState());
    try {
      this.#showOpened(await this.#opening(open), askedFrom);
      return null;
    } catch (error) {
      return messageOf(error);
    } finally {
      await this.#around.queries.invalidateQueries({ queryKey: ['settings'] });
    }
  }

  #showOpened(session: SessionView, askedFrom: string): void {
    this.#around.live.setState((state) => withSession(state, session));
    if (formatPlace(this.#around.place.getState()) === askedFrom) {
      this.#around.place.setState({ view: 'sessions', session: session.id, tab: 'repl', typing: true });
    } else {
      this.#around.toasts.done(`Session ${session.name} is open.`);
    }
  }
}
