/**
 * Inspects values of Clojure on the JVM (resources/clojure) and nbb (resources/nbb): objects by number,
 * exceptions and taps.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Thrown, type ThrownAt, ThrownPlace } from '../../contract/debugger';
import { asFailure, HarborError } from '../../contract/errors';
import { Inspection, type InspectStart, type PathStep, Tap } from '../../contract/inspection';
import { mention, ours } from '../../contract/mention';
import { type Note, note } from '../../contract/note';
import type { OneForm } from '../../source/code';
import type { Exceptions, Inspector, InspectRequest, Taps } from '../optional-groups';
import { type ClojureData, clojureData } from './clojure-code';
import type { NreplQueries } from './queries';

/** See `NreplQueries`. */
interface Queries {
  query<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T>;
}

/** Maximum number of evaluations whose object numbers are remembered. The image drops old objects as well. */
const MOST_VALUES = 1_000;

/** Maximum characters of an error message in a note. */
const LONGEST_PROBLEM = 500;

const Unprinted = z.object({ text: z.string(), problem: z.string() });

/** Maps evaluations to object numbers of the image. */
class ValueNumbers {
  readonly #objects = new Map<number, number>();

  keep(evaluation: number, object: number): void {
    this.#objects.set(evaluation, object);
    const [oldest] = this.#objects.keys();
    if (this.#objects.size > MOST_VALUES && oldest !== undefined) this.#objects.delete(oldest);
  }

  /**
   * Returns the object to start from; undefined means the last value. @throws HarborError `unknown_handle`
   */
  startOf(start: InspectStart): number | undefined {
    if ('last' in start) return undefined;
    if ('object' in start) return start.object;
    const object = this.#objects.get(start.evaluation);
    if (object !== undefined) return object;
    throw new HarborError('unknown_handle', `The value of evaluation ${start.evaluation} was not saved.`);
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
    return this.#queries.query('lisp-harbor.inspection/inspect', request, Inspection);
  }

  settingCode(object: number, path: readonly PathStep[], expression: OneForm): string {
    return `(lisp-harbor.inspection/set-part ${object} ${clojureData(path)}\n${expression}\n)`;
  }

  /**
   * Saves the value of `evaluation`, which KEEPING printed, or without `isPrinted` the last one of the session;
   * returns a note if that fails.
   */
  async keep(evaluation: number, isPrinted = false): Promise<Note[]> {
    const question = isPrinted ? 'lisp-harbor.kept/keep-printed' : 'lisp-harbor.inspection/keep-last';
    try {
      this.#numbers.keep(evaluation, await this.#queries.query(question, { evaluation }, z.int()));
      return [];
    } catch (error) {
      return [
        note('value_not_saved', `Its value was not saved for the inspector: ${asFailure(error).message}`),
      ];
    }
  }

  /**
   * Returns the value of a form that failed with `message` only because printing it failed, and adds a note;
   * null if there is none.
   */
  async unprinted(
    message: string,
    notes: Note[],
  ): Promise<{ kind: 'values'; values: string[]; truncated: false } | null> {
    const pending = this.#queries.query('lisp-harbor.unprinted/last-value', { message }, Unprinted.nullish());
    const found = await pending.catch(() => null);
    if (!found) return null;
    notes.push(
      note(
        'value_unprinted',
        `Printing a value failed (${found.problem.slice(0, LONGEST_PROBLEM)}): its text shows the part that could be printed, and *e is the error.`,
        mention`${ours('inspect')} shows its contents.`,
      ),
    );
    return { kind: 'values', values: [found.text], truncated: false };
  }
}

/** The exception of the last failed evaluation, which Clojure stores in `*e` until another fails. */
export class ClojureExceptions implements Exceptions {
  readonly #queries: NreplQueries;
  #failed: number | null = null;

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  /** Records the evaluation that just failed. */
  noteFailure(evaluation: number): void {
    this.#failed = evaluation;
  }

  async causes(evaluation: number): Promise<Thrown[]> {
    if (evaluation !== this.#failed) return [];
    return this.#queries.query('lisp-harbor.thrown/causes', {}, z.array(Thrown));
  }

  async source(evaluation: number, at: ThrownAt): Promise<ThrownPlace | null> {
    if (evaluation !== this.#failed) return null;
    const place = ThrownPlace.optional();
    return (await this.#queries.query('lisp-harbor.thrown/source', { evaluation, ...at }, place)) ?? null;
  }
}

/** Prints a value and keeps it under the number in its option `evaluation`. */
export const KEEPING = 'lisp-harbor.kept/print-kept';

/** Loading this function registers the tap handler. */
export const KEEPS_TAPS = 'lisp-harbor.taps/taps';

/** Milliseconds to wait for the server when leaving. */
const LEAVING_MS = 2_000;

export class ClojureTaps implements Taps {
  readonly #queries: NreplQueries;
  /** Identifies us among several observers of one server. */
  readonly #by = randomUUID();
  #looksOn = false;

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  read(): Promise<Tap[]> {
    this.#looksOn = true;
    return this.#queries.query(KEEPS_TAPS, { by: this.#by }, z.array(Tap));
  }

  /** Stops collecting taps for us. Errors are ignored. */
  async leave(): Promise<void> {
    if (!this.#looksOn) return;
    const leaving = this.#queries
      .query('lisp-harbor.taps/leave', { by: this.#by }, z.int())
      .catch(() => undefined);
    await Promise.race([leaving, delay(LEAVING_MS, undefined, { ref: false })]);
  }

  async forget(): Promise<void> {
    await this.#queries.query('lisp-harbor.taps/forget', {}, z.int());
  }
}
