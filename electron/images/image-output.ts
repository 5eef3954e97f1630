/**
 * Output of an image on its way to whoever evaluates: text of its wire, and raw bytes that foreign code, child
 * processes and the runtime write to descriptors 1 and 2. What comes while nothing runs waits for the next evaluation.
 */
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Stream, Warning } from '../contract/model';
import type { OutputSink } from './image';
import { wholeCharacters } from './limited-output';

/** Characters held while nothing runs; what comes after them is dropped and counted. */
const HELD_LIMIT = 65_536;

/** Characters of descriptor 2 kept: they say why a process ended. */
const KEPT_STDERR = 65_536;

export class ImageOutput {
  #sink: OutputSink | null = null;
  #held: { stream: Stream; text: string }[] = [];
  #heldLength = 0;
  #dropped = 0;
  #stderr = '';
  #lineBegun = false;
  #rawLeft = Number.POSITIVE_INFINITY;
  #rawDropped = 0;

  /** The last text on descriptor 2 since it was known whose output it is: what an earlier evaluation left there says
   * nothing of an end that comes after it. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Sends output to `sink` from now on, first what was held. Answers notes on that. */
  attach(sink: OutputSink): string[] {
    const held = this.#held;
    const dropped = this.#dropped;
    this.#held = [];
    this.#heldLength = 0;
    this.#dropped = 0;
    this.#sink = sink;
    this.#stderr = '';
    this.#lineBegun = false;
    for (const { stream, text } of held) sink(stream, text);
    if (held.length === 0) return [];
    const cut = dropped > 0 ? `; ${dropped} more characters of it were dropped` : '';
    return [`The output begins with what was printed after the evaluation before${cut}.`];
  }

  detach(): void {
    this.#sink = null;
    this.#stderr = '';
  }

  /** How many characters of raw bytes are passed on from now on; of more, `takeRawNotes` tells. The image itself keeps
   * count of what comes over its wire. */
  allowRaw(characters = Number.POSITIVE_INFINITY): void {
    this.#rawLeft = characters;
  }

  /** A sentence on raw bytes that were dropped since it was asked for last, or none. */
  takeRawNotes(): string[] {
    const dropped = this.#rawDropped;
    this.#rawDropped = 0;
    return dropped === 0
      ? []
      : [`${dropped} characters that programs or foreign code printed beyond the output limit were dropped.`];
  }

  /** To `sink`, or to the one that is attached. `dropped` counts characters that are lost right before `text`. */
  write(stream: Stream, text: string, sink: OutputSink | null = this.#sink, dropped = 0): void {
    if (text === '') return;
    this.#lineBegun = !text.endsWith('\n');
    if (!sink) this.#dropped += dropped;
    if (sink) sink(stream, text, dropped);
    else if (this.#heldLength + text.length > HELD_LIMIT) this.#dropped += text.length;
    else {
      this.#held.push({ stream, text });
      this.#heldLength += text.length;
    }
  }

  /** Writes `line` on a line of its own, after whatever stream began one. */
  writeLine(stream: Stream, line: string, sink?: OutputSink): void {
    this.write(stream, this.#lineBegun ? `\n${line}` : line, sink);
  }

  /** Reads `source` until it ends, so that the image never waits for us. Bytes that are not UTF-8 become U+FFFD. */
  follow(stream: Stream, source: Readable): void {
    source.setEncoding('utf8');
    source.on('data', (text: string) => {
      if (stream === 'stderr') this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
      this.#writeRaw(stream, text);
    });
  }

  /** Waits until the bytes that the image had written by now are read: they are in the pipes already. */
  async caughtUp(): Promise<void> {
    await turn();
    await turn();
  }

  #writeRaw(stream: Stream, text: string): void {
    const fits = wholeCharacters(text, this.#rawLeft);
    this.#rawLeft = fits === text.length ? this.#rawLeft - fits : 0;
    this.write(stream, text.slice(0, fits));
    this.#rawDropped += text.length - fits;
  }
}

export function asComment({ severity, message }: Pick<Warning, 'severity' | 'message'>): string {
  return `; ${severity.toUpperCase()}: ${message.replaceAll('\n', '\n; ')}\n`;
}
