/** Looking into the values of an image, and into what fills its memory: queries that files of resources/lisp/sbcl answer. */
import { Inspection, Numbers, Octets, type PathStep, Records } from '../../contract/inspection';
import { lispString } from '../../contract/knowledge';
import { Memory } from '../../contract/memory';
import type { OneForm } from '../../source/code';
import type { Inspector, InspectPlace, InspectRequest, MemoryReader } from '../optional-groups';
import type { AgentQueries } from './queries';

export class AgentInspector implements Inspector {
  readonly #queries: AgentQueries;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  inspect({ start, ...page }: InspectRequest): Promise<Inspection> {
    return this.#queries.ask('inspect', { ...start, ...page }, Inspection);
  }

  records({ start, ...page }: InspectRequest): Promise<Records> {
    return this.#queries.ask('records', { ...start, ...page }, Records);
  }

  numbers({ start, path }: InspectPlace): Promise<Numbers> {
    return this.#queries.ask('numbers', { ...start, path }, Numbers);
  }

  octets({ start, ...page }: InspectRequest): Promise<Octets> {
    return this.#queries.ask('octets', { ...start, ...page }, Octets);
  }

  keptValueCode(evaluation: number, place: number): string {
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
    return this.#queries.ask('memory', { limit }, Memory);
  }
}
