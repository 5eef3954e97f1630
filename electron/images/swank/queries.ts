/**
 * Queries to a Swank server in parallel to its evaluations: each in its own thread or in a suspended one,
 * with a time limit. A query that signals is aborted.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import type { SwankClient, SwankReply, SwankThread } from './client';
import type { Sexp } from './sexp';
import { type Debug, leaving } from './swank-events';

/** Default maximum milliseconds of a query. */
const QUESTION_MS = 10_000;

export interface QueryOptions {
  thread?: SwankThread;
  /** The package for symbol names in strings of the query. */
  package?: string;
  /** Infinity waits until the connection ends. */
  milliseconds?: number;
}

/**
 * `failure` is the condition that the query signalled. A query can also be aborted without one, if its thread
 * is unwound.
 */
export type Answer = SwankReply & { failure: { type: string; message: string } | null };

export class SwankQueries {
  readonly #client: SwankClient;
  /** Failures of running queries, by request id. */
  readonly #running = new Map<number, Answer['failure']>();

  constructor(client: SwankClient) {
    this.#client = client;
  }

  /**
   * @throws HarborError `query_failed` with the server's message, `unknown_handle`, `took_too_long`,
   *   `image_lost`
   */
  async query(question: Sexp, options: QueryOptions = {}): Promise<Sexp> {
    const answer = await this.answerTo(question, options);
    if (answer.reply === 'value') return answer.value;
    if (answer.reply === 'lost') throw lost(answer.reason);
    const { type = '', message = answer.reason } = answer.failure ?? {};
    throw new HarborError(type.endsWith('UNKNOWN-OBJECT') ? 'unknown_handle' : 'query_failed', message);
  }

  /** @throws HarborError `took_too_long` */
  async answerTo(
    question: Sexp,
    { thread = 'own', package: packageName = 'CL-USER', milliseconds = QUESTION_MS }: QueryOptions = {},
  ): Promise<Answer> {
    const { id, reply } = this.#client.request(question, thread, packageName);
    this.#running.set(id, null);
    try {
      const answer = await inTime(reply, milliseconds);
      return { ...answer, failure: this.#running.get(id) ?? null };
    } finally {
      this.#running.delete(id);
    }
  }

  /** Aborts a query that signalled. Returns false if the thread in the debugger does not run a query. */
  debugged(debug: Debug): boolean {
    const [id] = debug.requests;
    if (id === undefined || !this.#running.has(id)) return false;
    this.#running.set(id, { type: debug.type, message: debug.message });
    this.#client.request(leaving(debug), debug.thread, 'CL-USER');
    return true;
  }
}

export function lost(reason: string): HarborError {
  return new HarborError('image_lost', `The server cannot answer: ${reason}.`);
}

async function inTime(reply: Promise<SwankReply>, milliseconds: number): Promise<SwankReply> {
  if (milliseconds === Number.POSITIVE_INFINITY) return reply;
  const late = new AbortController();
  const tooLate = delay(milliseconds, null, { signal: late.signal, ref: false }).catch(() => null);
  const answer = await Promise.race([reply, tooLate]);
  late.abort();
  if (answer !== null) return answer;
  throw new HarborError(
    'took_too_long',
    `The server did not answer within ${milliseconds / 1000} s. It may be busy: a server without threads does not answer while it evaluates.`,
  );
}
