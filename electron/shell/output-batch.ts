/**
 * Joins output before it crosses to the page: every 16 ms at most one text for each stream, and of a very long text only
 * the end. A flood of output then neither stalls the page nor grows its queue.
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

export class OutputBatch {
  readonly #send: (item: WindowEvent) => void;
  readonly #pending = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | null = null;

  constructor(send: (item: WindowEvent) => void) {
    this.#send = send;
  }

  /** Output waits for the next frame; any other event goes at once, after the output that came before it. */
  push(item: WindowEvent): void {
    if (item.event === 'evaluation:output' || item.event === 'listener:output') {
      this.#add(item);
      this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
    } else {
      this.flush();
      this.#send(item);
    }
  }

  /** Sends what waits, in the order in which its streams first spoke. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { item, dropped } of waiting.map(cut)) {
      const notice = dropped > 0 ? `[${dropped} characters of output not shown]\n` : '';
      this.#send(withText(item, notice + item.payload.text));
    }
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
