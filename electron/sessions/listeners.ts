/** The window's listeners, one a session, kept so that a view which comes back finds its transcript. */
import { EventEmitter } from 'node:events';
import type { ListenerView } from '../contract/listener';
import type { SessionId } from '../contract/model';
import { Listener } from './listener';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

export class Listeners extends EventEmitter<{
  output: [session: SessionId, text: string];
  changed: [session: SessionId, view: ListenerView];
  /** A session has ended, whether or not it had a listener. `unread` was typed there and nothing had taken it. */
  ended: [session: SessionId, unread: string];
}> {
  readonly #sessions: Sessions;
  readonly #client: string;
  readonly #listeners = new Map<SessionId, Listener>();

  /** @param client who evaluates through these listeners */
  constructor(sessions: Sessions, client: string) {
    super();
    this.#sessions = sessions;
    this.#client = client;
    sessions.events.on('ended', (session) => this.#end(session));
  }

  /** The session's listener, made when first asked for. */
  of(session: Session): Listener {
    const known = this.#listeners.get(session.id);
    if (known) return known;
    const listener = new Listener(session, this.#sessions.events, this.#client);
    listener.on('output', (text) => this.emit('output', session.id, text));
    listener.on('changed', () => this.emit('changed', session.id, listener.view));
    this.#listeners.set(session.id, listener);
    return listener;
  }

  /** Whether a person has looked at the session's REPL. */
  has(session: Session): boolean {
    return this.#listeners.has(session.id);
  }

  #end(session: SessionId): void {
    const unread = this.#listeners.get(session)?.end() ?? '';
    this.#listeners.delete(session);
    this.emit('ended', session, unread);
  }
}
