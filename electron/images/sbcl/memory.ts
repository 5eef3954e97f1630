/** What fills the memory of an SBCL image: the query that resources/lisp/memory.lisp answers. */
import { Memory } from '../../contract/memory';
import type { MemoryReader } from '../memory';
import type { SbclQueries } from './queries';

export class SbclMemory implements MemoryReader {
  readonly #queries: SbclQueries;

  constructor(queries: SbclQueries) {
    this.#queries = queries;
  }

  read(limit: number): Promise<Memory> {
    return this.#queries.ask('memory', { limit }, Memory);
  }
}
