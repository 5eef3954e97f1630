/**
 * Questions to the thread of an image that is held in the debugger. They are answered there, in their turn, for
 * only that thread can read its stack and take its restarts; an interrupt of the held evaluation ends one that loops.
 */
import type { z } from 'zod';
import { DebuggerView, Departure, FrameContents, type StepWay } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import type { Debugger, RestartChoice } from '../optional-groups';
import type { DebuggerQuestion, WireEvent, WireRequest } from './wire';

type Answer = Extract<WireEvent, { event: 'debugged' }>;

export class AgentDebugger implements Debugger {
  readonly #send: (request: WireRequest) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  /** Who waits until an evaluation has left its level. */
  readonly #leaving = new Map<number, PromiseWithResolvers<void>>();
  #questions = 0;
  #end: HarborError | null = null;

  constructor(send: (request: WireRequest) => void) {
    this.#send = send;
  }

  show(page: { offset: number; limit: number }): Promise<DebuggerView> {
    return this.#ask({ action: 'show', ...page }, DebuggerView);
  }

  frame(index: number): Promise<FrameContents> {
    return this.#ask({ action: 'frame', frame: index }, FrameContents);
  }

  restart(choice: RestartChoice): Promise<Departure> {
    return this.#leave({ action: 'restart', ...choice });
  }

  step(way: StepWay): Promise<Departure> {
    return this.#leave({ action: 'step', step: way });
  }

  abort(level: number): Promise<Departure> {
    return this.#leave({ action: 'abort', level });
  }

  answered({ id, value, error }: Answer): void {
    const asked = this.#waiting.get(id);
    if (!asked) return;
    this.#waiting.delete(id);
    if (error !== null) {
      asked.reject(new HarborError('bad_arguments', error));
      return;
    }
    // Heard at once, because the level is left in the next line of the wire.
    const { evaluation } = Departure.safeParse(value).data ?? {};
    if (evaluation !== undefined) this.#leaving.set(evaluation, Promise.withResolvers());
    asked.resolve(value);
  }

  /** The evaluation has left its level. */
  left(evaluation: number): void {
    this.#leaving.get(evaluation)?.resolve();
    this.#leaving.delete(evaluation);
  }

  /** The image is gone; nothing will be answered any more. */
  ended(description: string): void {
    this.#end = new HarborError('image_lost', `The image cannot answer: ${description}.`);
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    // An evaluation that went on and was lost tells so itself.
    for (const evaluation of [...this.#leaving.keys()]) this.left(evaluation);
  }

  async #leave(question: DebuggerQuestion): Promise<Departure> {
    const departure = await this.#ask(question, Departure);
    if (departure.evaluation !== undefined) await this.#leaving.get(departure.evaluation)?.promise;
    return departure;
  }

  /** Code in the image may forge an answer, so what does not fit `schema` is an error. */
  async #ask<S extends z.ZodType>(question: DebuggerQuestion, schema: S): Promise<z.output<S>> {
    if (this.#end) throw this.#end;
    const id = ++this.#questions;
    const asked = Promise.withResolvers<unknown>();
    this.#waiting.set(id, asked);
    this.#send({ op: 'debug', id, ...question });
    const { success, data } = schema.safeParse(await asked.promise);
    if (success) return data;
    throw new HarborError('bad_arguments', 'The image answered with something that is no answer. Ask again.');
  }
}
