/** What was given to `tap>` in Clojure on a JVM: resources/clojure/taps.clj keeps it. */
import { z } from 'zod';
import { Tap } from '../../contract/taps';
import type { Taps } from '../optional-groups';
import type { NreplQueries } from './queries';

export class ClojureTaps implements Taps {
  readonly #queries: NreplQueries;

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  read(): Promise<Tap[]> {
    return this.#queries.ask('lisp-harbor.taps/taps', {}, z.array(Tap));
  }

  async forget(): Promise<void> {
    await this.#queries.ask('lisp-harbor.taps/forget', {}, z.int());
  }
}
