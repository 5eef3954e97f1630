/** Looking into values of Clojure on a JVM: questions to resources/clojure, which knows objects by number. */
import { z } from 'zod';
import { Inspection, type PathStep } from '../../contract/inspection';
import type { Inspector, InspectRequest } from '../inspector';
import { KeptValues } from '../kept-values';
import { clojureData } from './clojure-data';
import type { NreplQueries } from './queries';

export class NreplInspector implements Inspector {
  readonly #queries: NreplQueries;
  readonly #kept = new KeptValues();

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  async inspect({ start, ...page }: InspectRequest): Promise<Inspection> {
    const request = { object: this.#kept.startOf(start), ...page };
    return this.#queries.ask('lisp-harbor.inspection/inspect', request, Inspection);
  }

  settingCode(object: number, path: readonly PathStep[], expression: string): string {
    return `(lisp-harbor.inspection/set-part ${object} ${clojureData(path)}\n${expression}\n)`;
  }

  /** Keeps the last value of the session as that of `evaluation`. @throws HarborError as questions do */
  async keep(evaluation: number): Promise<void> {
    this.#kept.keep(evaluation, await this.#queries.ask('lisp-harbor.inspection/keep-last', {}, z.int()));
  }
}
