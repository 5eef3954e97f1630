/** What nbb knows of its names: questions to resources/nbb/knowledge.cljs. */
import { HarborError } from '../../contract/errors';
import { Findings, type FindRequest, type NameRequest, SymbolDescription } from '../../contract/knowledge';
import type { Knowledge } from '../knowledge';
import type { NbbQueries } from './queries';

const EXPANSIONS = {
  once: (form: string) => `(macroexpand-1 '${form}\n)`,
  full: (form: string) => `(do (require 'clojure.walk) (clojure.walk/macroexpand-all '${form}\n))`,
} as const;

export class NbbKnowledge implements Knowledge {
  readonly #queries: NbbQueries;
  readonly #namespace: () => string;

  /** @param namespace the one that the session is in */
  constructor(queries: NbbQueries, namespace: () => string) {
    this.#queries = queries;
    this.#namespace = namespace;
  }

  describe({ symbol, package: packageName = this.#namespace() }: NameRequest): Promise<SymbolDescription> {
    const request = { symbol, package: packageName };
    return this.#queries.ask('lisp-harbor.knowledge/describe', request, SymbolDescription);
  }

  async disassemble(): Promise<string> {
    throw new HarborError('not_supported', 'nbb interprets: there is no machine code to show.');
  }

  async find({ kind, package: packageName = this.#namespace(), ...request }: FindRequest): Promise<Findings> {
    if (kind === 'callers' || kind === 'references')
      throw new HarborError(
        'not_supported',
        'nbb keeps no record of who uses a name. Search the sources of the project for it.',
      );
    const question = `lisp-harbor.knowledge/${kind}`;
    return this.#queries.ask(question, { ...request, package: packageName }, Findings);
  }

  expansionCode(form: string, extent: 'once' | 'full'): string {
    return EXPANSIONS[extent](form);
  }
}
