/**
 * Looking into values of Clojure, on a JVM (resources/clojure) and in nbb (resources/nbb): questions to an image that knows
 * objects by number.
 */
import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import { Inspection, type InspectStart, type PathStep } from '../../contract/inspection';
import type { OneForm } from '../../source/code';
import type { Inspector, InspectRequest } from '../optional-groups';
import { type ClojureData, clojureData } from './clojure-code';

/** As `NreplQueries`. */
interface Queries {
  ask<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T>;
}

/** Values whose numbers are remembered. The image lets old ones go as well. */
const MOST_VALUES = 1_000;

/** Characters of a problem in a note. */
const LONGEST_PROBLEM = 500;

const Unprinted = z.object({ text: z.string(), problem: z.string() });

/** Which object of the image is the value of which evaluation. */
class ValueNumbers {
  readonly #objects = new Map<number, number>();

  keep(evaluation: number, object: number): void {
    this.#objects.set(evaluation, object);
    const [oldest] = this.#objects.keys();
    if (this.#objects.size > MOST_VALUES && oldest !== undefined) this.#objects.delete(oldest);
  }

  /** The object to begin from; undefined stands for the last value. @throws HarborError `unknown_handle` */
  startOf(start: InspectStart): number | undefined {
    if ('last' in start) return undefined;
    if ('object' in start) return start.object;
    const object = this.#objects.get(start.evaluation);
    if (object !== undefined) return object;
    throw new HarborError('unknown_handle', `The value of evaluation ${start.evaluation} was not kept.`);
  }
}

export class ClojureInspector implements Inspector {
  readonly #queries: Queries;
  readonly #numbers = new ValueNumbers();

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async inspect({ start, ...page }: InspectRequest): Promise<Inspection> {
    const request = { object: this.#numbers.startOf(start), ...page };
    return this.#queries.ask('lisp-harbor.inspection/inspect', request, Inspection);
  }

  settingCode(object: number, path: readonly PathStep[], expression: OneForm): string {
    return `(lisp-harbor.inspection/set-part ${object} ${clojureData(path)}\n${expression}\n)`;
  }

  /** Keeps the last value of the session as that of `evaluation`; what prevents it is told by a note. */
  async keep(evaluation: number): Promise<string[]> {
    try {
      this.#numbers.keep(
        evaluation,
        await this.#queries.ask('lisp-harbor.inspection/keep-last', {}, z.int()),
      );
      return [];
    } catch (error) {
      return [`Its value was not kept for the inspector: ${asFailure(error).message}`];
    }
  }

  /** The value of a form that failed with `message`, where only printing it did, which a note tells; null where there is none. */
  async unprinted(
    message: string,
    notes: string[],
  ): Promise<{ kind: 'values'; values: string[]; truncated: false } | null> {
    const asked = this.#queries.ask('lisp-harbor.unprinted/last-value', { message }, Unprinted.nullish());
    const found = await asked.catch(() => null);
    if (!found) return null;
    notes.push(
      `Printing a value failed (${found.problem.slice(0, LONGEST_PROBLEM)}): its text shows what could be printed, inspect looks into it, and *e is the error.`,
    );
    return { kind: 'values', values: [found.text], truncated: false };
  }
}
