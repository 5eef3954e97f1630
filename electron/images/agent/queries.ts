/**
 * Questions to the agent of an image: one at a time, each answered on a thread of its own there, beside the
 * evaluation that runs. One that takes too long is given up, so that a looping method of the user stops nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { ErrorCode } from '../../contract/error-code';
import { HarborError } from '../../contract/errors';
import type { WireEvent, WireRequest } from './wire';

/** Milliseconds that one query may take; printing alone is bounded to six seconds by the agent. */
const QUERY_MS = 10_000;

/** How often a given-up query is told to end, and the milliseconds between: code may loop in its cleanup forms. */
const GIVE_UP = { count: 10, pause: 500 } as const;

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
   * The answer to the query `name` (resources/lisp has them under DEFINE-QUERY). Code in the image may forge it, so
   * what does not fit `schema` is an error.
   * @throws HarborError as the agent says it; `took_too_long`, `query_failed`, `image_lost`
   */
  async ask<S extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    schema: S,
  ): Promise<z.output<S>> {
    return checked(name, await this.alone(() => this.#ask(name, args, QUERY_MS)), schema);
  }

  /** As `ask`, for what may take long, up to `limitMs`: nothing waits for it. */
  async askAside<S extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    schema: S,
    limitMs: number,
  ): Promise<z.output<S>> {
    return checked(name, await this.#ask(name, args, limitMs), schema);
  }

  /** Runs `action` while no query is under way: it waits for those that are, and later ones wait for it. */
  alone<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(action);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  answered(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
  }

  /** The image is gone: nothing will be answered any more. */
  ended(description: string): void {
    this.#end = description;
    for (const settle of this.#waiting.values()) settle(this.#lost());
  }

  async #ask(name: string, args: Record<string, unknown>, limitMs: number): Promise<unknown> {
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
      void this.#giveUp(id, answered);
      throw new HarborError(
        'took_too_long',
        `The image did not answer within ${limitMs / 1000} s: a method of its own that prints, reads or documents an object may loop. The query was given up; the session goes on.`,
      );
    }
    return settledValue(answer);
  }

  async #giveUp(id: number, answered: Promise<unknown>): Promise<void> {
    for (let told = 0; told < GIVE_UP.count && this.#waiting.has(id); told += 1) {
      this.#send({ op: 'abandon', id });
      await Promise.race([answered, delay(GIVE_UP.pause, undefined, { ref: false })]);
    }
    this.#waiting.delete(id);
  }

  #lost(): HarborError {
    return new HarborError('image_lost', `The image cannot answer: ${this.#end ?? 'it has ended'}.`);
  }
}

/** What the image answered, if it is an answer. */
function checked<S extends z.ZodType>(name: string, value: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HarborError('query_failed', `The image answered ${name} with something else. Ask again.`);
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
