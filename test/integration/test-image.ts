/** An image of whatever engine with the shorthand that tests need. */

import type { Stream } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import type { EvaluateRequest, Image, ImageOutcome, InterruptStep } from '../../electron/images/image';

export interface Evaluated extends Omit<ImageOutcome, 'notes'> {
  /** As our own profile shows them. */
  notes: string[];
  /** Output in the order it came, neighbours of one stream joined. */
  output: [Stream, string][];
  stdout: string;
  stderr: string;
  /** The values of all forms. */
  values: string[][];
}

export class TestImage {
  readonly image: Image;
  #id = 0;

  constructor(image: Image) {
    this.image = image;
  }

  /** `heard` is called with each piece of output when it comes. */
  async evaluate(
    code: string,
    options: Omit<EvaluateRequest, 'id' | 'code'> = {},
    heard: (stream: Stream, text: string) => void = () => undefined,
  ): Promise<Evaluated> {
    const output: [Stream, string][] = [];
    this.#id += 1;
    const outcome = await this.image.evaluate({ id: this.#id, code, ...options }, (stream, text) => {
      const last = output.at(-1);
      if (last?.[0] === stream) last[1] += text;
      else output.push([stream, text]);
      heard(stream, text);
    });
    const of = (wanted: Stream) =>
      output.flatMap(([stream, text]) => (stream === wanted ? [text] : [])).join('');
    return {
      ...outcome,
      notes: noteTexts(outcome.notes),
      output,
      stdout: of('stdout'),
      stderr: of('stderr'),
      values: outcome.forms.map((form) => form.values),
    };
  }

  /** Interrupts the evaluation that began last. */
  interrupt(step: InterruptStep): Promise<boolean> {
    return this.image.interrupt(this.#id, step);
  }

  /** Starts `code`, which prints "ready" when it is where it should be, and resolves then. */
  async running(
    code: string,
    options: Omit<EvaluateRequest, 'id' | 'code'> = {},
  ): Promise<{ settled: Promise<Evaluated> }> {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const settled = this.evaluate(code, options, (_stream, text) => {
      if (text.includes('ready')) resolve();
    });
    await ready;
    return { settled };
  }
}
