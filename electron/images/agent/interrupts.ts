/** Interrupts of an evaluation over the wire, asked for until the image has told that one has reached it. */
import type { InterruptStep } from '../image';
import { inTime, type Observed } from '../patience';
import type { AgentEvaluation } from './evaluation';
import type { WireRequest } from './wire';

/** Milliseconds of its own after which an image that does not answer is taken for stuck. A healthy one answers in one, unless
 * its garbage collector runs: with a big heap that takes seconds. */
const ANSWER_MS = 5_000;

/** Milliseconds between two interrupts of one step, and how many there are. */
const INTERRUPTS = {
  /** More than one only while the evaluation has not begun in the image. */
  cooperative: { pause: 50, count: 20 },
  /** Each one ends the cleanup form that the one before it began. */
  insistent: { pause: 200, count: 10 },
} as const;

/** What the image says of one: `too-early` when the evaluation has not begun there, `none` when it is stuck. */
type Answer = 'delivered' | 'too-early' | 'none';

export class AgentInterrupts {
  readonly #image: Observed;
  readonly #send: (request: WireRequest) => void;
  readonly #replies = new Map<number, (done: boolean) => void>();
  #requests = 0;

  constructor(image: Observed, send: (request: WireRequest) => void) {
    this.#image = image;
    this.#send = send;
  }

  /** The image has answered request `id`. */
  answered(id: number, done: boolean): void {
    this.#replies.get(id)?.(done);
  }

  /** As `Image.interrupt`, for an evaluation that is not settled. */
  async climb(evaluation: AgentEvaluation, step: InterruptStep): Promise<boolean> {
    const { pause, count } = INTERRUPTS[step];
    let over = false;
    const end = evaluation.settled.then(() => {
      over = true;
    });
    let delivered = false;
    for (let sent = 0; sent < count && !over; sent += 1) {
      const answer = await this.#request(evaluation);
      if (answer === 'none') return delivered;
      delivered ||= answer === 'delivered';
      if (delivered && step === 'cooperative') return true;
      await inTime(this.#image, pause, end);
    }
    return delivered;
  }

  async #request(evaluation: AgentEvaluation): Promise<Answer> {
    const id = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#replies.set(id, (done) => resolve(done ? 'delivered' : 'too-early'));
    this.#send({ op: 'interrupt', id, evaluation: evaluation.id });
    const over = evaluation.settled.then(() => 'delivered' as const);
    const heard = Promise.race([promise, over]);
    const isHeard = await inTime(this.#image, ANSWER_MS, heard);
    this.#replies.delete(id);
    return isHeard ? heard : 'none';
  }
}
