/**
 * Questions to a Swank server beside what it evaluates: each in a thread of its own, or in one that is held, and none
 * waited for without end. A question that signals is given up where it was asked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import type { SwankClient, SwankReply, SwankThread } from './client';
import { leaving } from './leaving';
import type { Sexp } from './sexp';
import type { Debug } from './swank-events';

/** Milliseconds that a question may take. */
const QUESTION_MS = 10_000;

export interface Asking {
  thread?: SwankThread;
  /** In which names in strings of the question are understood. */
  package?: string;
  /** Infinity waits as long as the connection lasts. */
  milliseconds?: number;
}

/** `failure`: what the question signalled. A question can also be given up without one, when its thread is unwound. */
export type Answer = SwankReply & { failure: { type: string; message: string } | null };

export class SwankQuestions {
  readonly #client: SwankClient;
  /** Failures of the questions that are asked, by the ids of their requests. */
  readonly #asked = new Map<number, Answer['failure']>();

  constructor(client: SwankClient) {
    this.#client = client;
  }

  /** @throws HarborError `query_failed` with what the server says, `unknown_handle`, `took_too_long`, `image_lost` */
  async ask(question: Sexp, asking: Asking = {}): Promise<Sexp> {
    const answer = await this.answerTo(question, asking);
    if (answer.reply === 'value') return answer.value;
    if (answer.reply === 'lost') throw lost(answer.reason);
    const { type = '', message = answer.reason } = answer.failure ?? {};
    throw new HarborError(type.endsWith('UNKNOWN-OBJECT') ? 'unknown_handle' : 'query_failed', message);
  }

  /** @throws HarborError `took_too_long` */
  async answerTo(
    question: Sexp,
    { thread = 'own', package: packageName = 'CL-USER', milliseconds = QUESTION_MS }: Asking = {},
  ): Promise<Answer> {
    const { id, reply } = this.#client.request(question, thread, packageName);
    this.#asked.set(id, null);
    try {
      const answer = await inTime(reply, milliseconds);
      return { ...answer, failure: this.#asked.get(id) ?? null };
    } finally {
      this.#asked.delete(id);
    }
  }

  /** Gives up a question that has signalled. False when it was none that is in the debugger there. */
  debugged(debug: Debug): boolean {
    const [id] = debug.requests;
    if (id === undefined || !this.#asked.has(id)) return false;
    this.#asked.set(id, { type: debug.type, message: debug.message });
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
    `The server did not answer within ${milliseconds / 1000} s. It may be busy: one without threads answers nothing while it evaluates.`,
  );
}
