/** A JVM behind a wire: it ends when that is closed, and how it ended is told. */
import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchEnd, Launched } from '../../launchers/launcher';
import type { ImageEnd } from '../image';
import type { NreplClient } from '../nrepl/client';
import { describeKilled } from '../process-end';

/** Milliseconds that it gets to end by itself. */
const GRACE_MS = 1_000;

export class Jvm {
  readonly ended: Promise<ImageEnd>;
  readonly #launched: Launched;
  #endExpected = false;

  constructor(launched: Launched) {
    this.#launched = launched;
    this.ended = launched.ended.then((end) => ({
      description: describeEnd(end),
      expected: this.#endExpected,
    }));
  }

  async end(client: NreplClient): Promise<void> {
    this.#endExpected = true;
    void client.close();
    await Promise.race([this.ended, delay(GRACE_MS, undefined, { ref: false })]);
    void this.#launched.signal('SIGKILL');
    await this.ended;
  }
}

function describeEnd(end: LaunchEnd): string {
  if (end.error !== undefined) return `Java could not be started (${end.error})`;
  return describeKilled('The JVM', end) ?? `The JVM exited with code ${end.code ?? '(unknown)'}`;
}
