/** What an image knows of its names: queries that resources/lisp answers, in definitions, descriptions, findings and names. */
import { z } from 'zod';
import {
  Findings,
  type FindRequest,
  type NameGroup,
  type NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../../contract/knowledge';
import type { OneForm } from '../../source/code';
import type { Knowledge } from '../optional-groups';
import type { AgentQueries } from './queries';

/** Functions that expand a form: one step of it, or all that is in it. */
export type Expanders = Readonly<Record<'once' | 'full', string>>;

/** Kinds of definition as resources/lisp/definitions.lisp names them. */
const KINDS: Readonly<Record<NameGroup, readonly string[]>> = {
  function: ['function', 'generic function', 'method', 'special operator'],
  macro: ['macro', 'compiler macro', 'symbol macro', 'setf expander'],
  variable: ['variable', 'constant'],
  class: ['class', 'structure', 'condition'],
  type: ['type'],
  theorem: ['theorem'],
};

export class AgentKnowledge implements Knowledge {
  readonly #queries: AgentQueries;
  readonly #expanders: Expanders;

  constructor(queries: AgentQueries, expanders: Expanders) {
    this.#queries = queries;
    this.#expanders = expanders;
  }

  describe(request: NameRequest): Promise<SymbolDescription> {
    return this.#queries.ask('describe', { ...request }, SymbolDescription);
  }

  disassemble(request: NameRequest): Promise<string> {
    return this.#queries.ask('disassemble', { ...request }, z.string());
  }

  find({ kind, only, ...request }: FindRequest): Promise<Findings> {
    const kinds = only === undefined ? {} : { kinds: only.flatMap((group) => KINDS[group]) };
    return this.#queries.ask(kind, { ...request, ...kinds }, Findings);
  }

  strangers(request: NameRequest, packages: readonly string[]): Promise<string[]> {
    return this.#queries.ask('strangers', { ...request, packages }, z.array(z.string()));
  }

  systemFolders(): Promise<SystemFolder[]> {
    return this.#queries.ask('system-folders', {}, z.array(SystemFolder));
  }

  /** A copy, because a form that a macro uses twice would be printed as #1=. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string {
    return `(copy-tree (${this.#expanders[extent]} '${form}\n))`;
  }
}
