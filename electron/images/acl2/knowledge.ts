/** What ACL2's world knows of names: queries to the helper (resources/lisp/acl2/knowledge.lisp). */
import { HarborError } from '../../contract/errors';
import {
  Findings,
  type FindRequest,
  type NameGroup,
  type NameRequest,
  type SymbolDescription,
} from '../../contract/knowledge';
import type { OneForm } from '../../source/code';
import type { Knowledge } from '../optional-groups';
import { DocumentedDescription } from './documented';
import type { Acl2Queries } from './queries';

/** Kinds of definition as definitions.lisp names them. */
const KINDS: Readonly<Record<NameGroup, readonly string[]>> = {
  function: ['function', 'constrained function'],
  macro: ['macro'],
  variable: ['constant', 'stobj'],
  theorem: ['theorem'],
  class: ['class'],
  type: ['type'],
};

export class Acl2Knowledge implements Knowledge {
  readonly #queries: Acl2Queries;

  constructor(queries: Acl2Queries) {
    this.#queries = queries;
  }

  describe({ symbol, package: packageName }: NameRequest): Promise<SymbolDescription> {
    return this.#queries.ask('describe', symbol, { package: packageName }, DocumentedDescription);
  }

  async disassemble(): Promise<never> {
    throw new HarborError(
      'not_supported',
      'ACL2 does not show machine code. `describe` has the definition and its rules.',
    );
  }

  find({ kind, query, only, ...request }: FindRequest): Promise<Findings> {
    const kinds = only === undefined ? {} : { kinds: only.flatMap((group) => KINDS[group]) };
    const { limit, package: packageName, in: searched } = request;
    return this.#queries.ask(kind, query, { limit, package: packageName, in: searched, ...kinds }, Findings);
  }

  /** As :TRANS1 and :TRANS, which print and have no value. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string {
    return extent === 'once'
      ? `(acl2::trans1-fn '${form}\n acl2::state)`
      : `(acl2::translate '${form}\n acl2::t acl2::nil acl2::t 'acl2::top-level (acl2::w acl2::state) acl2::state)`;
  }
}
