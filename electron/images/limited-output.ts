/** The output limit of an evaluation whose image keeps none itself: the first half and the last half arrive. */
import type { Stream } from '../contract/model';
import type { OutputSink } from './image';

export class LimitedOutput {
  readonly #sink: OutputSink;
  readonly #limit: number;
  readonly #half: number;
  #sent = 0;
  /** What came after the first half, cut to as much as the last half. */
  #tail: { stream: Stream; text: string }[] = [];
  #tailLength = 0;
  #dropped = 0;

  /** @param limit in characters, of both streams together */
  constructor(sink: OutputSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
    this.#half = Math.floor(limit / 2);
  }

  readonly write: OutputSink = (stream, text, dropped = 0) => {
    const fits = this.#tail.length > 0 ? 0 : wholeCharacters(text, this.#half - this.#sent);
    this.#sent += fits;
    if (fits > 0 || dropped > 0) this.#sink(stream, text.slice(0, fits), dropped);
    if (fits < text.length) this.#keep(stream, text.slice(fits));
  };

  /** Passes on the last half. Answers a sentence on what was dropped between the halves, or none. */
  end(): string[] {
    let gap = this.#dropped;
    for (const { stream, text } of this.#tail.splice(0)) {
      this.#sink(stream, text, gap);
      gap = 0;
    }
    if (this.#dropped === 0) return [];
    return [
      `It printed more than the ${this.#limit} characters that the limit of this session allows: the beginning and the end are kept, and ${this.#dropped} characters between them are not.`,
    ];
  }

  #keep(stream: Stream, text: string): void {
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

/** How much of `text` fits into `room` without the first half of a surrogate pair at its end. */
export function wholeCharacters(text: string, room: number): number {
  if (room <= 0) return 0;
  if (text.length <= room) return text.length;
  return isHighSurrogate(text, room - 1) ? room - 1 : room;
}

/** `at`, or the place after it where it would tear a surrogate pair. */
function endOfCharacter(text: string, at: number): number {
  return isHighSurrogate(text, at - 1) ? at + 1 : at;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
