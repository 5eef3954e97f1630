/** What was given to `tap>` in Clojure on a JVM: resources/clojure/taps.clj keeps it. */
import { z } from 'zod';
import { Tap } from '../../contract/taps';
import type { Taps } from '../optional-groups';
import type { NreplQueries } from './queries';

/** What is tapped is kept as soon as a server has the code that this needs. */
export const KEEPS_TAPS = 'lisp-harbor.taps/taps';

export class ClojureTaps implements Taps {
  readonly #queries: NreplQueries;

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  read(): Promise<Tap[]> {
    return this.#queries.ask(KEEPS_TAPS, {}, z.array(Tap));
  }

  async forget(): Promise<void> {
    await this.#queries.ask('lisp-harbor.taps/forget', {}, z.int());
  }
}
