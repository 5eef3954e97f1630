/** A listener over one session for whoever types and reads elsewhere: over telnet, or at the command line. */
import type { SessionId } from '../contract/model';
import type { SessionEvents } from './events';
import { Listener } from './listener';
import type { Session } from './session/session';

export interface TerminalOptions {
  session: Session;
  events: SessionEvents;
  /** In whose name it evaluates. */
  client: string;
  /** Gets what is printed, the first prompt included. */
  show: (text: string) => void;
  /** Gives up what the terminal alone has. */
  giveUp: () => Promise<void>;
}

export class ListenerTerminal {
  readonly #options: TerminalOptions;
  readonly #listener: Listener;
  readonly #gone = Promise.withResolvers<void>();
  readonly #submitted = new Set<Promise<void>>();

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { session, events, client, show } = options;
    this.#listener = new Listener(session, events, client);
    show(this.#listener.transcript);
    this.#listener.on('output', show);
    events.on('ended', this.#onEnded);
  }

  get gone(): Promise<void> {
    return this.#gone.promise;
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
    this.#listener.on('waiting', look);
    look();
    await Promise.race([Promise.all(this.#submitted), unanswered]);
    this.#listener.off('waiting', look);
  }

  async end(): Promise<void> {
    const { session, giveUp } = this.#options;
    const { latest } = this.#listener;
    if (latest && session.state !== 'ended') await session.cancel(latest);
    this.#stop();
    await giveUp();
  }

  readonly #onEnded = (ended: SessionId): void => {
    if (ended === this.#options.session.id) this.#stop();
  };

  #stop(): void {
    this.#options.events.off('ended', this.#onEnded);
    this.#listener.end();
    this.#gone.resolve();
  }
}
