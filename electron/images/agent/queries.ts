/**
 * Queries to the agent of an image: one at a time, each on its own thread, in parallel to the running
 * evaluation. A query that takes too long is cancelled, so that a looping user method does not block others.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { ErrorCode } from '../../contract/model';
import type { WireEvent, WireRequest } from './wire';

/** Maximum milliseconds of a query; the agent limits printing alone to six seconds. */
const QUERY_MS = 10_000;

/**
 * Maximum number of interrupts of a cancelled query, and the milliseconds between them; code may loop in
 * cleanup forms.
 */
const CANCEL = { count: 10, pause: 500 } as const;

type Answer = Extract<WireEvent, { event: 'answer' }>;

export class AgentQueries {
  readonly #send: (request: WireRequest) => void;
  readonly #waiting = new Map<number, (answer: Answer | HarborError) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #count = 0;
  #end: string | null = null;

  constructor(send: (request: WireRequest) => void) {
    this.#send = send;
  }

  /**
   * Runs the query `name` (see DEFINE-QUERY in resources/lisp). Validates the answer with `schema`, because
   * code in the image can forge it.
   * @throws HarborError with the agent's error; `took_too_long`, `query_failed`, `image_lost`
   */
  async query<S extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    schema: S,
  ): Promise<z.output<S>> {
    return checked(name, await this.alone(() => this.#request(name, args, QUERY_MS)), schema);
  }

  /** Like `query`, for slow queries of up to `limitMs`; other queries do not wait for it. */
  async queryConcurrently<S extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    schema: S,
    limitMs: number,
  ): Promise<z.output<S>> {
    return checked(name, await this.#request(name, args, limitMs), schema);
  }

  /** Runs `action` while no query is running: it waits for earlier ones, and later ones wait for it. */
  alone<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(action);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  answered(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
  }

  /** Called when the image has ended; pending queries fail. */
  ended(description: string): void {
    this.#end = description;
    for (const settle of this.#waiting.values()) settle(this.#lost());
  }

  async #request(name: string, args: Record<string, unknown>, limitMs: number): Promise<unknown> {
    if (this.#end !== null) throw this.#lost();
    const id = ++this.#count;
    const { promise: answered, resolve } = Promise.withResolvers<Answer | HarborError>();
    this.#waiting.set(id, resolve);
    void answered.then(() => this.#waiting.delete(id));
    this.#send({ op: 'query', id, name, arguments: args });
    const late = new AbortController();
    const answer = await Promise.race([answered, tooLate(limitMs, late.signal)]);
    late.abort();
    if (answer === null) {
      void this.#cancel(id, answered);
      throw new HarborError(
        'took_too_long',
        `The image did not answer within ${limitMs / 1000} s: one of its methods that prints, reads or documents an object may loop. The query was cancelled; the session continues.`,
      );
    }
    return settledValue(answer);
  }

  async #cancel(id: number, answered: Promise<unknown>): Promise<void> {
    for (let sent = 0; sent < CANCEL.count && this.#waiting.has(id); sent += 1) {
      this.#send({ op: 'abandon', id });
      await Promise.race([answered, delay(CANCEL.pause, undefined, { ref: false })]);
    }
    this.#waiting.delete(id);
  }

  #lost(): HarborError {
    return new HarborError('image_lost', `The image cannot answer: ${this.#end ?? 'it has ended'}.`);
  }
}

/** Validates the answer. */
function checked<S extends z.ZodType>(name: string, value: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HarborError('query_failed', `The image returned an invalid answer to ${name}. Try again.`);
}

async function tooLate(limitMs: number, signal: AbortSignal): Promise<null> {
  return delay(limitMs, null, { signal, ref: false }).catch(() => null);
}

function settledValue(answer: Answer | HarborError): unknown {
  if (answer instanceof HarborError) throw answer;
  if (answer.error === undefined) return answer.value;
  const code = ErrorCode.safeParse(answer.error.code);
  throw new HarborError(code.success ? code.data : 'query_failed', answer.error.message);
}
