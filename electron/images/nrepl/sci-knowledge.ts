/** What SCI, the interpreter of nbb, Joyride and babashka, knows of its names: questions to resources/nbb/knowledge.cljs. */
import { HarborError } from '../../contract/errors';
import { Findings, type FindRequest, type NameRequest, SymbolDescription } from '../../contract/knowledge';
import type { Knowledge } from '../optional-groups';
import { expansionCode } from './clojure-code';
import type { SciQueries } from './sci-queries';

export class SciKnowledge implements Knowledge {
  readonly expansionCode = expansionCode;
  readonly #name: string;
  readonly #queries: SciQueries;
  readonly #namespace: () => string;

  /**
   * @param name what error messages call the image
   * @param namespace the one that the session is in
   */
  constructor(name: string, queries: SciQueries, namespace: () => string) {
    this.#name = name;
    this.#queries = queries;
    this.#namespace = namespace;
  }

  describe({ symbol, package: packageName = this.#namespace() }: NameRequest): Promise<SymbolDescription> {
    const request = { symbol, package: packageName };
    return this.#queries.ask('lisp-harbor.knowledge/describe', request, SymbolDescription);
  }

  async disassemble(): Promise<string> {
    throw new HarborError('not_supported', `${this.#name} interprets: there is no machine code to show.`);
  }

  async find({ kind, package: packageName = this.#namespace(), ...request }: FindRequest): Promise<Findings> {
    if (kind === 'callers' || kind === 'references')
      throw new HarborError(
        'not_supported',
        `${this.#name} keeps no record of who uses a name. Search the sources of the project for it.`,
      );
    const question = `lisp-harbor.knowledge/${kind}`;
    return this.#queries.ask(question, { ...request, package: packageName }, Findings);
  }
}
