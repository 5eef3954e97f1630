/** What was given to `tap>` in Clojure on a JVM: resources/clojure/taps.clj keeps it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Tap } from '../../contract/taps';
import type { Taps } from '../optional-groups';
import type { NreplQueries } from './queries';

/** What is tapped is kept as soon as a server has the code that this needs. */
export const KEEPS_TAPS = 'lisp-harbor.taps/taps';

/** Milliseconds that a server may take over it before we go all the same. */
const LEAVING_MS = 2_000;

export class ClojureTaps implements Taps {
  readonly #queries: NreplQueries;
  /** Others of ours may look on in the same server. */
  readonly #by = randomUUID();
  #looksOn = false;

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  read(): Promise<Tap[]> {
    this.#looksOn = true;
    return this.#queries.ask(KEEPS_TAPS, { by: this.#by }, z.array(Tap));
  }

  /** Has the server keep no taps for us any more; one that cannot be asked is left as it is. */
  async leave(): Promise<void> {
    if (!this.#looksOn) return;
    const left = this.#queries
      .ask('lisp-harbor.taps/leave', { by: this.#by }, z.int())
      .catch(() => undefined);
    await Promise.race([left, delay(LEAVING_MS, undefined, { ref: false })]);
  }

  async forget(): Promise<void> {
    await this.#queries.ask('lisp-harbor.taps/forget', {}, z.int());
  }
}
