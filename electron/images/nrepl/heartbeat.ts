/** Asks a server from time to time whether it is there, on a connection of its own, so that no evaluation is in the way. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAddress } from '../../contract/server';
import type { Heartbeat } from '../optional-groups';
import type { NreplClient } from './client';

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 15_000;

export class NreplHeartbeat implements Heartbeat {
  readonly server: ServerAddress;
  readonly operations: number;
  lastAt: number | null = null;
  failures = 0;
  readonly #every: number;

  /** @param every milliseconds between two questions */
  constructor(server: ServerAddress, operations: number, every: number) {
    this.server = server;
    this.operations = operations;
    this.#every = every;
  }

  /** There is no connection on which to ask. */
  fail(): void {
    this.failures += 1;
  }

  /** Asks until `stop` is aborted. Settles with true when an answer failed to come: the server is lost, or stuck. */
  async watch(client: NreplClient, stop: AbortSignal): Promise<boolean> {
    const stopped = new Promise<null>((resolve) =>
      stop.addEventListener('abort', () => resolve(null), { once: true }),
    );
    while (!stop.aborted) {
      const late = delay(PATIENCE_MS, null, { ref: false });
      const answer = await Promise.race([client.request({ op: 'describe' }), late, stopped]);
      if (stop.aborted) return false;
      if (!answer?.done) {
        this.fail();
        return true;
      }
      this.lastAt = Date.now();
      const pause = delay(this.#every, undefined, { ref: false, signal: stop }).catch(() => undefined);
      await Promise.race([pause, client.ended]);
    }
    return false;
  }
}
