/** Looking into the values of an image: queries to the agent, whose files inspection and parts answer. */
import { Inspection, type PathStep } from '../../contract/inspection';
import { lispString } from '../../contract/lisp-string';
import type { Inspector, InspectRequest } from '../inspector';
import type { AgentQueries } from './queries';

export class AgentInspector implements Inspector {
  readonly #queries: AgentQueries;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  inspect({ start, ...page }: InspectRequest): Promise<Inspection> {
    return this.#queries.ask('inspect', { ...start, ...page }, Inspection);
  }

  settingCode(object: number, path: readonly PathStep[], expression: string): string {
    const steps = path.map((step) => ` ${typeof step === 'number' ? step : lispString(step)}`).join('');
    return `(setf (lisp-harbor:part (lisp-harbor:object ${object})${steps})\n${expression}\n)`;
  }
}
