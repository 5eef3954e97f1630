/**
 * Joins output before it crosses to the page: every 16 ms at most one text for each stream, and of a very long text only
 * the end. The page tells what it has shown; while too much is on its way there, output waits here, where it is cut. So a
 * flood neither stalls the page nor grows a queue, however slow the page is.
 */
import type { EventName } from '../contract/channels';
import type { Payload } from '../contract/contract';

/** An event with its payload; distributed over the names so that the two belong together. */
export type WindowEvent = { [E in EventName]: { event: E; payload: Payload<E> } }[EventName];
type OutputEvent = Extract<WindowEvent, { event: 'evaluation:output' | 'listener:output' }>;

/** What one stream said since the last frame, and how many characters of it were dropped. */
interface Waiting {
  item: OutputEvent;
  dropped: number;
}

/** One frame of a 60 Hz screen: sending more often shows a person nothing more. */
const FRAME_MS = 16;

/** Characters of one stream in one batch. At 60 batches that is 4 MiB a second, about what a terminal in a page can draw. */
export const BATCH_LIMIT = 65_536;

/** Characters on their way to the page from which on output waits: a page that draws has always something to do. */
export const MOST_ON_THE_WAY = 2 * BATCH_LIMIT;

export class OutputBatch {
  readonly #send: (item: WindowEvent) => void;
  readonly #pending = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | null = null;
  /** Characters that were sent and of which the page has not told. */
  #onTheWay = 0;

  constructor(send: (item: WindowEvent) => void) {
    this.#send = send;
  }

  /** Output waits for the next frame; any other event goes at once, after what its session has put out before it. */
  push(item: WindowEvent): void {
    if (item.event === 'evaluation:output' || item.event === 'listener:output') {
      this.#add(item);
      this.#sendInTime();
    } else {
      const session = sessionOf(item);
      for (const [key, waiting] of this.#pending)
        if (waiting.item.payload.session === session) this.#sendWaiting(key, waiting);
      this.#send(item);
    }
  }

  /** Sends all that waits, however much is on its way, in the order in which its streams first spoke. */
  flush(): void {
    for (const [key, waiting] of this.#pending) this.#sendWaiting(key, waiting);
  }

  /** The page has shown so many characters of output. */
  taken(characters: number): void {
    this.#onTheWay = Math.max(0, this.#onTheWay - characters);
    if (this.#pending.size > 0) this.#sendInTime();
  }

  /** Another page begins: what was on its way went to the one before, which tells of it no more. */
  begin(): void {
    this.taken(this.#onTheWay);
  }

  #sendInTime(): void {
    if (this.#timer !== null || this.#isFull) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#sendWhatFits();
    }, FRAME_MS);
  }

  /** A stream that has to wait comes first the next time. */
  #sendWhatFits(): void {
    for (const [key, waiting] of this.#pending) {
      if (this.#isFull) return;
      this.#sendWaiting(key, waiting);
    }
  }

  get #isFull(): boolean {
    return this.#onTheWay >= MOST_ON_THE_WAY;
  }

  #sendWaiting(key: string, waiting: Waiting): void {
    this.#pending.delete(key);
    const { item, dropped } = cut(waiting);
    const notice = dropped > 0 ? `[${dropped} characters of output not shown]\n` : '';
    const whole = withText(item, notice + item.payload.text);
    this.#onTheWay += whole.payload.text.length;
    this.#send(whole);
  }

  #add(item: OutputEvent): void {
    const key = streamKey(item);
    const earlier = this.#pending.get(key);
    const joined = withText(item, (earlier?.item.payload.text ?? '') + item.payload.text);
    const waiting = { item: joined, dropped: earlier?.dropped ?? 0 };
    // Cutting copies the text. At twice the limit it is done once for many small pieces.
    this.#pending.set(key, joined.payload.text.length > 2 * BATCH_LIMIT ? cut(waiting) : waiting);
  }
}

function cut({ item, dropped }: Waiting): Waiting {
  const text = lastLines(item.payload.text, BATCH_LIMIT);
  return { item: withText(item, text), dropped: dropped + item.payload.text.length - text.length };
}

/** The session that an event tells of, if it does of one. */
function sessionOf({ event, payload }: WindowEvent): string | null {
  if (event === 'session:changed') return payload.id;
  return payload !== null && 'session' in payload ? payload.session : null;
}

function streamKey(item: OutputEvent): string {
  if (item.event === 'listener:output') return item.payload.session;
  return `${item.payload.evaluation} ${item.payload.stream}`;
}

function withText(item: OutputEvent, text: string): OutputEvent {
  return item.event === 'listener:output'
    ? { event: item.event, payload: { ...item.payload, text } }
    : { event: item.event, payload: { ...item.payload, text } };
}

/** The end of a text, from the start of a line. A line longer than the limit is cut too, but never within a character. */
function lastLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = text.slice(-limit);
  const line = tail.indexOf('\n');
  if (line >= 0 && line < tail.length - 1) return tail.slice(line + 1);
  return /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
}
