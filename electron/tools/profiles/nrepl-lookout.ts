/** Looks for a server from time to time, and connects when there is one: a port file may appear long after its client. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAddress } from '../../contract/server';

/** Milliseconds between two looks, of which each reads a few small files at most. */
const LOOK_MS = 1_000;
/** A server that was tried in vain is left alone for longer and longer, up to this. */
const LONGEST_MS = 60_000;

export interface Looking {
  /** Where the server should be. @throws when nothing says so */
  where(): Promise<ServerAddress | null>;
  connect(): Promise<void>;
  /** Whether there is a connection, whoever made it. */
  done(): boolean;
}

export class NreplLookout {
  readonly #every: number;
  #ending: AbortController | null = null;

  constructor(every = LOOK_MS) {
    this.#every = every;
  }

  /** Goes on until there is a connection, or until the end; does nothing while it looks already. */
  begin(looking: Looking): void {
    if (this.#ending) return;
    this.#ending = new AbortController();
    void this.#look(looking, this.#ending.signal);
  }

  end(): void {
    this.#ending?.abort();
    this.#ending = null;
  }

  async #look({ where, connect, done }: Looking, ended: AbortSignal): Promise<void> {
    const failed = new FailedTries(this.#every);
    while (!done() && !ended.aborted) {
      const server = await where().catch(() => null);
      // What went wrong is told to the call that needs the connection.
      if (server && failed.mayTry(server)) await connect().catch(() => failed.note(server));
      await delay(this.#every, undefined, { ref: false, signal: ended }).catch(() => undefined);
    }
  }
}

/** Remembers which server was tried in vain, and when it may be tried again. */
class FailedTries {
  readonly #first: number;
  #server = '';
  #pause = 0;
  #again = 0;

  constructor(first: number) {
    this.#first = first;
  }

  mayTry(server: ServerAddress): boolean {
    return this.#server !== nameOf(server) || performance.now() >= this.#again;
  }

  note(server: ServerAddress): void {
    const same = this.#server === nameOf(server);
    this.#server = nameOf(server);
    this.#pause = same ? Math.min(this.#pause * 2, LONGEST_MS) : this.#first;
    this.#again = performance.now() + this.#pause;
  }
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host} ${port}`;
}
