/**
 * Questions to nbb whose answer is data: functions of resources/nbb. nbb does one thing at a time, so they wait for an
 * evaluation that keeps it busy, and are given up after a while.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type ClojureData, clojureData } from '../nrepl/clojure-data';
import { answerIn } from '../nrepl/queries';

/** Milliseconds that a question may take, waiting for its turn included. */
const QUESTION_MS = 10_000;

export class NbbQueries {
  readonly #evaluate: (code: string) => Promise<string | null>;

  /** @param evaluate what evaluating code between forms prints, null when the image is gone */
  constructor(evaluate: (code: string) => Promise<string | null>) {
    this.#evaluate = evaluate;
  }

  /**
   * What the function `question` (as `lisp-harbor.knowledge/apropos`) answers to `request`.
   * @throws HarborError as the function refuses it; `took_too_long`, `query_failed`, `image_lost`
   */
  async ask<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T> {
    const call = `(lisp-harbor.image/print-answer '${question} ${clojureData(request)})`;
    const over = new AbortController();
    const late = delay(QUESTION_MS, 'late' as const, { signal: over.signal, ref: false });
    const given = await Promise.race([
      this.#evaluate(call).then((printed) => ({ printed })),
      late.catch(() => 'late' as const),
    ]);
    over.abort();
    if (given === 'late')
      throw new HarborError(
        'took_too_long',
        'nbb does one thing at a time, and an evaluation keeps it busy. Ask when that is over, or interrupt it.',
      );
    if (given.printed === null)
      throw new HarborError('image_lost', 'The image cannot answer: the connection to it is gone.');
    return answerIn(given.printed, answer);
  }
}
