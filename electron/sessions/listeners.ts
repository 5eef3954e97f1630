/**
 * The listeners of the window, one for each session. They outlive a view, so that it finds its transcript
 * again.
 */

import { EventEmitter } from 'node:events';
import type { Completion } from '../contract/knowledge';
import type { ListenerView, SessionId } from '../contract/model';
import { addListeners } from '../host/listeners';
import type { SessionEvents } from './journal';
import { Listener } from './listener';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

export class Listeners extends EventEmitter<{
  output: [session: SessionId, text: string];
  changed: [session: SessionId, view: ListenerView];
  /** A session has ended, with or without a listener. `unread` is its unused input. */
  ended: [session: SessionId, unread: string];
}> {
  readonly #sessions: Sessions;
  readonly #client: string;
  readonly #listeners = new Map<SessionId, Listener>();

  /** @param client the client that evaluates through these listeners */
  constructor(sessions: Sessions, client: string) {
    super();
    this.#sessions = sessions;
    this.#client = client;
    sessions.events.on('ended', (session) => this.#end(session));
  }

  /** Returns the listener of the session; creates it at first use. */
  of(session: Session): Listener {
    const known = this.#listeners.get(session.id);
    if (known) return known;
    const listener = new Listener(session, this.#sessions.events, this.#client);
    listener.on('output', (text) => this.emit('output', session.id, text));
    listener.on('changed', () => this.emit('changed', session.id, listener.view));
    this.#listeners.set(session.id, listener);
    return listener;
  }

  /** Reports whether the session has a listener. */
  has(session: Session): boolean {
    return this.#listeners.has(session.id);
  }

  #end(session: SessionId): void {
    const unread = this.#listeners.get(session)?.end() ?? '';
    this.#listeners.delete(session);
    this.emit('ended', session, unread);
  }
}

/** Options of a listener for a remote terminal: telnet or the command line. */
interface TerminalOptions {
  session: Session;
  events: SessionEvents;
  /** The client that evaluates. */
  client: string;
  /** Receives the output, including the first prompt. */
  show: (text: string) => void;
  /** Releases what belongs to this terminal only. */
  giveUp: () => Promise<void>;
}

export class ListenerTerminal {
  readonly #options: TerminalOptions;
  readonly #listener: Listener;
  readonly #removeListeners: () => void;
  readonly #closed = Promise.withResolvers<void>();
  readonly #submitted = new Set<Promise<void>>();

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { session, events, client, show } = options;
    this.#listener = new Listener(session, events, client);
    show(this.#listener.transcript);
    this.#listener.on('output', show);
    this.#removeListeners = addListeners(events, (on) =>
      on('ended', (ended) => {
        if (ended === session.id) this.#stop();
      }),
    );
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  submit(line: string): Promise<void> {
    const taken = this.#listener.submit(line);
    this.#submitted.add(taken);
    return taken.finally(() => this.#submitted.delete(taken));
  }

  async interrupt(): Promise<void> {
    if (!(await this.#options.session.interrupt(this.#options.client))) this.#listener.cancel();
  }

  async drained(): Promise<void> {
    const { promise: unanswered, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#listener.expects === 'line') resolve();
    };
    const removeListener = addListeners(this.#listener, (on) => on('waiting', look));
    look();
    await Promise.race([Promise.all(this.#submitted), unanswered]);
    removeListener();
  }

  async end(): Promise<void> {
    const { session, giveUp } = this.#options;
    const { latest } = this.#listener;
    if (latest && session.state !== 'ended') await session.cancel(latest);
    this.#stop();
    await giveUp();
  }

  #stop(): void {
    this.#removeListeners();
    this.#listener.end();
    this.#closed.resolve();
  }
}

// Completion and argument lists while the user types.

/** Maximum number of completions. */
const MOST = 60;

/** Time limit of the image in milliseconds; a later answer is out of date. */
const TIMEOUT_MS = 1_000;

/**
 * Returns names that begin with `prefix`; none if the image has no answer in time.
 * @param packageName the package from which they are seen; the session's by default
 */
export async function completions(
  session: Session,
  prefix: string,
  packageName?: string,
  milliseconds = TIMEOUT_MS,
): Promise<Completion[]> {
  if (!session.offers('knowledge')) return [];
  const request = {
    kind: 'completions',
    query: prefix,
    limit: MOST,
    ...(packageName === undefined ? {} : { package: packageName }),
  } as const;
  const found = await inTime(async () => await session.ability('knowledge').find(request), milliseconds);
  return (found?.results ?? []).map(({ text, kind, arglist: called }) => ({
    name: text,
    kind,
    ...(called === undefined ? {} : { arglist: called }),
  }));
}

/**
 * Returns the argument list of an operator; null if the image has no answer in time.
 * @param packageName the package in which the name is read; the session's by default
 */
export async function arglist(
  session: Session,
  operator: string,
  packageName?: string,
): Promise<string | null> {
  if (!session.offers('knowledge')) return null;
  const described = await inTime(
    async () =>
      await session
        .ability('knowledge')
        .describe({ symbol: operator, ...(packageName === undefined ? {} : { package: packageName }) }),
  );
  return described?.definitions.find(({ arglist: called }) => called !== undefined)?.arglist ?? null;
}

/** Resolves with null after the time limit or on an error, which is not shown. */
export async function inTime<T>(query: () => Promise<T>, milliseconds = TIMEOUT_MS): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), milliseconds);
  try {
    return await Promise.race([query(), late.promise]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
