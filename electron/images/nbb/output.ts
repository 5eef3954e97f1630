/** The output of an nbb process: to the evaluation that runs, or held for the next one. */
import type { Readable } from 'node:stream';
import type { Stream } from '../../contract/model';
import type { OutputSink } from '../image';

/** Characters held while nothing runs; what comes after them is dropped. */
const HELD_LIMIT = 65_536;

export class NbbOutput {
  #sink: OutputSink | null = null;
  #held: { stream: Stream; text: string }[] = [];
  #heldLength = 0;
  #dropped = 0;

  /** Sends output to `sink` from now on. Answers a sentence when there was some already, from before. */
  attach(sink: OutputSink): string | null {
    const { length } = this.#held;
    for (const { stream, text } of this.#held) sink(stream, text);
    const cut = this.#dropped > 0 ? `; ${this.#dropped} more characters of it were dropped` : '';
    this.#held = [];
    this.#heldLength = 0;
    this.#dropped = 0;
    this.#sink = sink;
    return length > 0 ? `The output begins with what was printed after the evaluation before${cut}.` : null;
  }

  detach(): void {
    this.#sink = null;
  }

  write(stream: Stream, text: string): void {
    if (text === '') return;
    if (this.#sink) this.#sink(stream, text);
    else if (this.#heldLength + text.length > HELD_LIMIT) this.#dropped += text.length;
    else {
      this.#held.push({ stream, text });
      this.#heldLength += text.length;
    }
  }

  /** What comes past the wire: from programs that the code started, and from the runtime when it dies. */
  follow(stream: Stream, source: Readable): void {
    source.setEncoding('utf8');
    source.on('data', (text: string) => this.write(stream, text));
  }
}
