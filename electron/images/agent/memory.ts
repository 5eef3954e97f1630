/** What fills the memory of an SBCL image: the query that resources/lisp/sbcl/memory.lisp answers. */
import { Memory } from '../../contract/memory';
import type { MemoryReader } from '../memory';
import type { AgentQueries } from './queries';

export class AgentMemory implements MemoryReader {
  readonly #queries: AgentQueries;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  read(limit: number): Promise<Memory> {
    return this.#queries.ask('memory', { limit }, Memory);
  }
}
