/**
 * Questions to SCI, the interpreter of nbb, Joyride and babashka, whose answer is data: functions of resources/nbb. It does
 * one thing at a time, so they wait for an evaluation that keeps it busy, and are given up after a while.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type ClojureData, clojureData } from './clojure-code';
import { answerIn } from './queries';

/** Milliseconds that a question may take, waiting for its turn included. */
const QUESTION_MS = 10_000;

/** With a question that answers by what it prints: its value is of no interest, so a large one is cut. */
export const TERSE = {
  'nrepl.middleware.print/print': 'cider.nrepl.pprint/pprint',
  'nrepl.middleware.print/options': { length: 1, level: 1 },
};

/** What calling `question` with `request`, both Clojure code, prints; null when the image is gone. */
export type Asking = (question: string, request: string) => Promise<string | null>;

export class SciQueries {
  readonly #name: string;
  readonly #asking: Asking;

  /** @param name what error messages call the image */
  constructor(name: string, asking: Asking) {
    this.#name = name;
    this.#asking = asking;
  }

  /**
   * What the function `question` (as `lisp-harbor.knowledge/apropos`) answers to `request`.
   * @throws HarborError as the function refuses it; `took_too_long`, `query_failed`, `image_lost`
   */
  async ask<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T> {
    const over = new AbortController();
    const late = delay(QUESTION_MS, 'late' as const, { signal: over.signal, ref: false });
    const given = await Promise.race([
      this.#asking(question, clojureData(request)).then((printed) => ({ printed })),
      late.catch(() => 'late' as const),
    ]);
    over.abort();
    if (given === 'late')
      throw new HarborError(
        'took_too_long',
        `${this.#name} does one thing at a time, and an evaluation keeps it busy. Ask when that is over, or interrupt it.`,
      );
    if (given.printed === null)
      throw new HarborError('image_lost', 'The image cannot answer: the connection to it is gone.');
    return answerIn(given.printed, answer);
  }
}
