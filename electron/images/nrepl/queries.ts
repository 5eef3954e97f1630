/** Questions whose answer is data: functions of resources/clojure, asked through `lisp-harbor.answers/print-answer`. */
import { z } from 'zod';
import { ErrorCode } from '../../contract/error-code';
import { HarborError } from '../../contract/errors';
import { boundedJson } from '../../host/bounded-json';
import { type ClojureData, clojureData } from './clojure-code';
import type { NreplQuestions } from './questions';

const Printed = z.union([
  z.object({ error: z.object({ code: ErrorCode.catch('query_failed'), message: z.string() }) }),
  z.object({ value: z.unknown() }),
]);

const NO_ANSWER: Readonly<Record<'late' | 'lost' | 'error', readonly [ErrorCode, string]>> = {
  late: ['took_too_long', 'The image did not answer in time, and the question was given up.'],
  lost: ['image_lost', 'The image cannot answer: the connection to it is gone.'],
  error: [
    'query_failed',
    'The image could not answer: it may run out of memory, or our code in it was changed.',
  ],
};

export class NreplQueries {
  readonly #questions: NreplQuestions;

  constructor(questions: NreplQuestions) {
    this.#questions = questions;
  }

  /**
   * What the function `question` (as `lisp-harbor.finding/apropos`) answers to `request`.
   * @throws HarborError as the function refuses it; `took_too_long`, `query_failed`, `image_lost`
   */
  async ask<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T> {
    const given = await this.#questions.ask(
      `(lisp-harbor.answers/print-answer ${question} ${clojureData(request)})`,
    );
    if ('failure' in given) throw new HarborError(...NO_ANSWER[given.failure]);
    return answerIn(given.printed, answer);
  }
}

/** The value in the last line that a question has printed: `{"value": …}` or `{"error": {"code", "message"}}`.
 * @throws HarborError as the image refuses it, or `query_failed` when it printed something else */
export function answerIn<T>(printed: string, answer: z.ZodType<T>): T {
  const said = Printed.safeParse(parsed(printed.slice(printed.lastIndexOf('\n') + 1))).data;
  if (said && 'error' in said) throw new HarborError(said.error.code, said.error.message);
  const value = answer.safeParse(said?.value);
  if (value.success) return value.data;
  throw new HarborError('query_failed', 'The image answered with something else than was asked.');
}

function parsed(text: string): unknown {
  try {
    return boundedJson(text);
  } catch {
    return undefined;
  }
}
