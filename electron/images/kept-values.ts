/**
 * Which object of an image is the value of which evaluation, for inspectors whose images know only numbers of objects.
 * The image itself lets old ones go, so the oldest are forgotten here as well.
 */
import { HarborError } from '../contract/errors';
import type { InspectStart } from '../contract/inspection';

const MOST = 1_000;

export class KeptValues {
  readonly #objects = new Map<number, number>();

  keep(evaluation: number, object: number): void {
    this.#objects.set(evaluation, object);
    const [oldest] = this.#objects.keys();
    if (this.#objects.size > MOST && oldest !== undefined) this.#objects.delete(oldest);
  }

  /** The object to begin from; undefined stands for the last value. @throws HarborError `unknown_handle` */
  startOf(start: InspectStart): number | undefined {
    if ('last' in start) return undefined;
    if ('object' in start) return start.object;
    const object = this.#objects.get(start.evaluation);
    if (object !== undefined) return object;
    throw new HarborError('unknown_handle', `The value of evaluation ${start.evaluation} was not kept.`);
  }
}
