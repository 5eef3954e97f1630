/**
 * Output of an image on its way to whoever evaluates: text that comes over the wire, and raw bytes that foreign
 * code, child processes and SBCL's runtime write to descriptors 1 and 2, which need not be UTF-8.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as turn } from 'node:timers/promises';
import type { Stream } from '../../contract/model';
import type { OutputSink } from '../image';

/** Characters of raw stderr kept: they say why a process ended. */
const KEPT_STDERR = 65_536;

/** Characters kept of what came while nothing was evaluated. */
const KEPT_BETWEEN = 2_000;

export class SbclOutput {
  #sink: OutputSink | null = null;
  #stderr = '';
  #between = '';

  /** Reads `source` until it ends, so that the image never waits for us. */
  follow(stream: Stream, source: Readable): void {
    const decoder = new StringDecoder('utf8');
    source.on('data', (bytes: Buffer) => {
      const text = decoder.write(bytes);
      if (stream === 'stderr') this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
      this.write(stream, text);
    });
  }

  /** To the evaluation that runs; text that comes between two is kept for the next one's notes. */
  write(stream: Stream, text: string): void {
    if (text === '') return;
    if (this.#sink) this.#sink(stream, text);
    else if (this.#between.length < KEPT_BETWEEN)
      this.#between = (this.#between + text).slice(0, KEPT_BETWEEN);
  }

  /** From now on output goes to `sink`. Answers notes on what came before. */
  attach(sink: OutputSink): string[] {
    const between = this.#between.trim();
    this.#between = '';
    this.#sink = sink;
    return between === '' ? [] : [`Since the last evaluation the image printed: ${between}`];
  }

  detach(): void {
    this.#sink = null;
  }

  /** The last text on descriptor 2. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until the bytes that the image had written by now are read: they are in the pipes already. */
  async caughtUp(): Promise<void> {
    await turn();
    await turn();
  }
}
