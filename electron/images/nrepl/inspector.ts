/**
 * Looking into values of Clojure, on a JVM (resources/clojure) and in nbb (resources/nbb): questions to an image that knows
 * objects by number.
 */
import { z } from 'zod';
import { asFailure } from '../../contract/errors';
import { Inspection, type PathStep } from '../../contract/inspection';
import { KeptValues } from '../kept-values';
import type { Inspector, InspectRequest } from '../optional-groups';
import { type ClojureData, clojureData } from './clojure-data';

/** As `NreplQueries`. */
interface Queries {
  ask<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T>;
}

export class ClojureInspector implements Inspector {
  readonly #queries: Queries;
  readonly #kept = new KeptValues();

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async inspect({ start, ...page }: InspectRequest): Promise<Inspection> {
    const request = { object: this.#kept.startOf(start), ...page };
    return this.#queries.ask('lisp-harbor.inspection/inspect', request, Inspection);
  }

  settingCode(object: number, path: readonly PathStep[], expression: string): string {
    return `(lisp-harbor.inspection/set-part ${object} ${clojureData(path)}\n${expression}\n)`;
  }

  /** Keeps the last value of the session as that of `evaluation`; what prevents it is told by a note. */
  async keep(evaluation: number): Promise<string[]> {
    try {
      this.#kept.keep(evaluation, await this.#queries.ask('lisp-harbor.inspection/keep-last', {}, z.int()));
      return [];
    } catch (error) {
      return [`Its value was not kept for the inspector: ${asFailure(error).message}`];
    }
  }
}
