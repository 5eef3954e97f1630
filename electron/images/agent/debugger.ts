/**
 * Queries to a thread that is suspended in the debugger. They run in that thread, one at a time, because only
 * it can read its stack and invoke its restarts; interrupting the suspended evaluation ends a query that
 * loops.
 */
import type { z } from 'zod';
import { DebuggerView, FrameContents, RestartResult, type StepMode } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import type { Debugger, RestartChoice } from '../optional-groups';
import type { DebuggerQuestion, WireEvent, WireRequest } from './wire';

type Answer = Extract<WireEvent, { event: 'debugged' }>;

export class AgentDebugger implements Debugger {
  readonly #send: (request: WireRequest) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  /** Evaluations that are about to exit their level. */
  readonly #departing = new Map<number, PromiseWithResolvers<void>>();
  #questions = 0;
  #end: HarborError | null = null;

  constructor(send: (request: WireRequest) => void) {
    this.#send = send;
  }

  show(page: { offset: number; limit: number }): Promise<DebuggerView> {
    return this.#query({ action: 'show', ...page }, DebuggerView);
  }

  frame(index: number): Promise<FrameContents> {
    return this.#query({ action: 'frame', frame: index }, FrameContents);
  }

  restart(choice: RestartChoice): Promise<RestartResult> {
    return this.#depart({ action: 'restart', ...choice });
  }

  step(way: StepMode): Promise<RestartResult> {
    return this.#depart({ action: 'step', step: way });
  }

  abort(level: number): Promise<RestartResult> {
    return this.#depart({ action: 'abort', level });
  }

  answered({ id, value, error }: Answer): void {
    const pending = this.#waiting.get(id);
    if (!pending) return;
    this.#waiting.delete(id);
    if (error !== null) {
      pending.reject(new HarborError('bad_arguments', error));
      return;
    }
    // Processed immediately, because the next line of the wire reports the exit.
    const { evaluation } = RestartResult.safeParse(value).data ?? {};
    if (evaluation !== undefined) this.#departing.set(evaluation, Promise.withResolvers());
    pending.resolve(value);
  }

  /** Called when the evaluation exits its level. */
  exited(evaluation: number): void {
    this.#departing.get(evaluation)?.resolve();
    this.#departing.delete(evaluation);
  }

  /** Called when the image has ended; pending queries are rejected. */
  ended(description: string): void {
    this.#end = new HarborError('image_lost', `The image cannot answer: ${description}.`);
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    // An evaluation that was resumed and lost reports that itself.
    for (const evaluation of [...this.#departing.keys()]) this.exited(evaluation);
  }

  async #depart(question: DebuggerQuestion): Promise<RestartResult> {
    const departure = await this.#query(question, RestartResult);
    if (departure.evaluation !== undefined) await this.#departing.get(departure.evaluation)?.promise;
    return departure;
  }

  /** Validates the answer with `schema`, because code in the image can forge it. */
  async #query<S extends z.ZodType>(question: DebuggerQuestion, schema: S): Promise<z.output<S>> {
    if (this.#end) throw this.#end;
    const id = ++this.#questions;
    const pending = Promise.withResolvers<unknown>();
    this.#waiting.set(id, pending);
    this.#send({ op: 'debug', id, ...question });
    const { success, data } = schema.safeParse(await pending.promise);
    if (success) return data;
    throw new HarborError('bad_arguments', 'The image returned an invalid answer. Try again.');
  }
}
