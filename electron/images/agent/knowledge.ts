/** Queries about names, values and memory of an image, answered by resources/lisp. */

import { z } from 'zod';
import { Inspection, Numbers, Octets, type PathStep, Records } from '../../contract/inspection';
import {
  Findings,
  type FindRequest,
  lispString,
  type NameGroup,
  type NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../../contract/knowledge';
import { Memory } from '../../contract/model';
import { Trace } from '../../contract/trace';
import type { OneForm } from '../../source/code';
import type {
  Inspector,
  InspectPlace,
  InspectRequest,
  Knowledge,
  MemoryReader,
  Tracer,
} from '../optional-groups';
import type { AgentQueries } from './queries';

/** Functions that expand a form once or fully. */
export type Expanders = Readonly<Record<'once' | 'full', string>>;

/** Kinds of definition as in resources/lisp/definitions.lisp. */
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
  /** Whether the agent of this Lisp records loads. */
  readonly #recordsLoads: boolean;

  constructor(queries: AgentQueries, expanders: Expanders, recordsLoads: boolean) {
    this.#queries = queries;
    this.#expanders = expanders;
    this.#recordsLoads = recordsLoads;
  }

  describe(request: NameRequest): Promise<SymbolDescription> {
    return this.#queries.query('describe', { ...request }, SymbolDescription);
  }

  disassemble(request: NameRequest): Promise<string> {
    return this.#queries.query('disassemble', { ...request }, z.string());
  }

  find({ kind, only, ...request }: FindRequest): Promise<Findings> {
    const kinds = only === undefined ? {} : { kinds: only.flatMap((group) => KINDS[group]) };
    return this.#queries.query(kind, { ...request, ...kinds }, Findings);
  }

  unknownPackages(request: NameRequest, packages: readonly string[]): Promise<string[]> {
    return this.#queries.query('strangers', { ...request, packages }, z.array(z.string()));
  }

  systemFolders(): Promise<SystemFolder[]> {
    return this.#queries.query('system-folders', {}, z.array(SystemFolder));
  }

  async loadedText(path: string): Promise<string | null> {
    if (!this.#recordsLoads) return null;
    return (await this.#queries.query('loaded-text', { path }, z.string())) || null;
  }

  /** Copies the expansion, because shared structure would be printed as #1=. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string {
    return `(copy-tree (${this.#expanders[extent]} '${form}\n))`;
  }
}

/** Inspects the values of an image (resources/lisp/sbcl). */
export class AgentInspector implements Inspector {
  readonly #queries: AgentQueries;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  inspect({ start, ...page }: InspectRequest): Promise<Inspection> {
    return this.#queries.query('inspect', { ...start, ...page }, Inspection);
  }

  records({ start, ...page }: InspectRequest): Promise<Records> {
    return this.#queries.query('records', { ...start, ...page }, Records);
  }

  numbers({ start, path }: InspectPlace): Promise<Numbers> {
    return this.#queries.query('numbers', { ...start, path }, Numbers);
  }

  octets({ start, ...page }: InspectRequest): Promise<Octets> {
    return this.#queries.query('octets', { ...start, ...page }, Octets);
  }

  retainedValueCode(evaluation: number, place: number): string {
    return `(lisp-harbor:value ${evaluation} ${place})`;
  }

  settingCode(object: number, path: readonly PathStep[], expression: OneForm): string {
    const steps = path.map((step) => ` ${typeof step === 'number' ? step : lispString(step)}`).join('');
    return `(setf (lisp-harbor:part (lisp-harbor:object ${object})${steps})\n${expression}\n)`;
  }
}

export class AgentMemory implements MemoryReader {
  readonly #queries: AgentQueries;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  read(limit: number): Promise<Memory> {
    return this.#queries.query('memory', { limit }, Memory);
  }
}

export class AgentTracer implements Tracer {
  readonly #queries: AgentQueries;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  trace(evaluation: number): Promise<Trace> {
    return this.#queries.query('trace', { evaluation }, Trace);
  }

  call(evaluation: number, place: number): Promise<number> {
    return this.#queries.query('traced-call', { evaluation, place }, z.int());
  }
}
