/**
 * Output of an image: text of its wire, and raw bytes that foreign code, child processes and the runtime
 * write to descriptors 1 and 2. Output that arrives while nothing runs is buffered for the next evaluation.
 */
import type { Readable } from 'node:stream';
import type { Stream, Warning } from '../contract/model';
import { type Note, note } from '../contract/note';
import { polled } from '../host/listeners';
import type { OutputSink } from './image';

/** Maximum characters buffered while nothing runs. Further output is dropped and counted. */
const BUFFER_LIMIT = 65_536;

/** Characters of descriptor 2 retained to explain the end of a process. */
const STDERR_TAIL = 65_536;

export class ImageOutput {
  #sink: OutputSink | null = null;
  #buffered: { stream: Stream; text: string }[] = [];
  #bufferedLength = 0;
  #dropped = 0;
  #stderr = '';
  #lineBegun = false;
  #rawRemaining = Number.POSITIVE_INFINITY;
  #rawDropped = 0;

  /**
   * The end of descriptor 2's output during the current evaluation. Earlier output does not explain a later
   * end.
   */
  get stderr(): string {
    return this.#stderr;
  }

  /** Sends output to `sink` from now on, buffered output first. Returns notes about it. */
  attach(sink: OutputSink): Note[] {
    const buffered = this.#buffered;
    const dropped = this.#dropped;
    this.#buffered = [];
    this.#bufferedLength = 0;
    this.#dropped = 0;
    this.#sink = sink;
    this.#stderr = '';
    this.#lineBegun = false;
    for (const { stream, text } of buffered) sink(stream, text);
    if (buffered.length === 0) return [];
    const cut = dropped > 0 ? `; ${dropped} more characters were dropped` : '';
    return [
      note(
        'earlier_output',
        `The output starts with text that was printed after the previous evaluation${cut}.`,
      ),
    ];
  }

  detach(): void {
    this.#sink = null;
    this.#stderr = '';
  }

  /**
   * Sets the maximum number of raw characters to pass on; `drainRawNotes` reports the excess. The image
   * itself limits the output of its wire.
   */
  allowRaw(characters = Number.POSITIVE_INFINITY): void {
    this.#rawRemaining = characters;
  }

  /** Returns a note on raw characters dropped since the last call, if any. */
  drainRawNotes(): Note[] {
    const dropped = this.#rawDropped;
    this.#rawDropped = 0;
    return dropped === 0
      ? []
      : [
          note(
            'output_cut',
            `${dropped} characters of foreign code and child processes exceeded the output limit and were dropped.`,
          ),
        ];
  }

  /**
   * Writes to `sink`, by default the attached one. `dropped` counts characters lost directly before `text`.
   */
  write(stream: Stream, text: string, sink: OutputSink | null = this.#sink, dropped = 0): void {
    if (text === '') return;
    this.#lineBegun = !text.endsWith('\n');
    if (!sink) this.#dropped += dropped;
    if (sink) sink(stream, text, dropped);
    else if (this.#bufferedLength + text.length > BUFFER_LIMIT) this.#dropped += text.length;
    else {
      this.#buffered.push({ stream, text });
      this.#bufferedLength += text.length;
    }
  }

  /** Writes `line` on its own line. */
  writeLine(stream: Stream, line: string, sink?: OutputSink): void {
    this.write(stream, this.#lineBegun ? `\n${line}` : line, sink);
  }

  /** Reads `source` until it ends, so that the image never blocks. Bytes that are not UTF-8 become U+FFFD. */
  follow(stream: Stream, source: Readable): void {
    source.setEncoding('utf8');
    source.on('data', (text: string) => {
      if (stream === 'stderr') this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
      this.#writeRaw(stream, text);
    });
  }

  /** Waits until everything that the image has written so far is read from the pipes. */
  caughtUp(): Promise<void> {
    return polled();
  }

  #writeRaw(stream: Stream, text: string): void {
    const fits = wholeCharacters(text, this.#rawRemaining);
    this.#rawRemaining = fits === text.length ? this.#rawRemaining - fits : 0;
    this.write(stream, text.slice(0, fits));
    this.#rawDropped += text.length - fits;
  }
}

export function asComment({ severity, message }: Pick<Warning, 'severity' | 'message'>): string {
  return `; ${severity.toUpperCase()}: ${message.replaceAll('\n', '\n; ')}\n`;
}

/**
 * Enforces the output limit of an evaluation for images that do not. Passes on the first half and the last
 * half.
 */
export class LimitedOutput {
  readonly #sink: OutputSink;
  readonly #limit: number;
  readonly #half: number;
  #sent = 0;
  /** Output after the first half, truncated at its start. */
  #tail: { stream: Stream; text: string }[] = [];
  #tailLength = 0;
  #dropped = 0;

  /** @param limit in characters, for both streams together */
  constructor(sink: OutputSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
    this.#half = Math.floor(limit / 2);
  }

  readonly write: OutputSink = (stream, text, dropped = 0) => {
    const fits = this.#tail.length > 0 ? 0 : wholeCharacters(text, this.#half - this.#sent);
    this.#sent += fits;
    if (fits > 0 || dropped > 0) this.#sink(stream, text.slice(0, fits), dropped);
    if (fits < text.length) this.#retain(stream, text.slice(fits));
  };

  /** Passes on the last half. Returns a note on the characters dropped between the halves, if any. */
  end(): Note[] {
    let gap = this.#dropped;
    for (const { stream, text } of this.#tail.splice(0)) {
      this.#sink(stream, text, gap);
      gap = 0;
    }
    if (this.#dropped === 0) return [];
    return [
      note(
        'output_cut',
        `The output exceeded the session's limit of ${this.#limit} characters. Its start and end are shown; ${this.#dropped} characters between them were dropped.`,
      ),
    ];
  }

  #retain(stream: Stream, text: string): void {
    this.#tail.push({ stream, text });
    this.#tailLength += text.length;
    while (this.#tailLength > this.#half) this.#dropSome(this.#tailLength - this.#half);
  }

  #dropSome(most: number): void {
    const [oldest] = this.#tail;
    if (!oldest) return;
    const end = oldest.text.length <= most ? oldest.text.length : endOfCharacter(oldest.text, most);
    oldest.text = oldest.text.slice(end);
    if (oldest.text === '') this.#tail.shift();
    this.#tailLength -= end;
    this.#dropped += end;
  }
}

/** Returns how many characters of `text` fit into `room` without splitting a surrogate pair. */
function wholeCharacters(text: string, room: number): number {
  if (room <= 0) return 0;
  if (text.length <= room) return text.length;
  return isHighSurrogate(text, room - 1) ? room - 1 : room;
}

/** Returns `at`, or the next index if `at` would split a surrogate pair. */
function endOfCharacter(text: string, at: number): number {
  return isHighSurrogate(text, at - 1) ? at + 1 : at;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
