/** Events from main to the window, batched and with invisible characters made visible. */
import type { BrowserWindow } from 'electron';
import type { EventName } from '../contract/channels';
import type { CallName, Payload } from '../contract/contract';
import { visibleText, withTexts } from '../contract/visible-text';

/** Sends events to the window. Without a window they are dropped, because a page loads all that it shows. */
export class WindowEvents {
  readonly texts = new VisibleTexts();
  readonly #batch: OutputBatch;

  constructor(window: () => BrowserWindow | null) {
    this.#batch = new OutputBatch(({ event, payload }) => {
      const target = window();
      if (target !== null && !target.isDestroyed()) target.webContents.send(event, payload);
    });
  }

  send<E extends EventName>(event: E, payload: Payload<E>): void {
    this.#batch.push({ event, payload: this.texts.forWindow(event, payload) } as WindowEvent);
  }

  /** Sends pending events now. */
  flush(): void {
    this.#batch.flush();
  }

  /** Called when a page loads: no output is in transit to it. */
  begin(): void {
    this.#batch.begin();
  }

  /** Called when the page has shown that many characters of output. */
  taken(characters: number): void {
    this.#batch.taken(characters);
  }
}

/**
 * Calls and events with terminal text. A terminal gives each character its own cell, without bidirectional
 * reordering, and its control characters are removed.
 */
const OF_TERMINAL: ReadonlySet<CallName | EventName> = new Set(['listener:open', 'listener:output'] as const);

/** Part of every visible replacement of a character. */
const MARK = '⟨U+';

/** Maximum length of a path. */
const LONGEST = 4096;

/** Maximum number of remembered texts, more than a page shows at once. */
const MOST = 1_000;

export class VisibleTexts {
  /** Original text by shown text, newest last; null if two originals look the same. */
  readonly #originals = new Map<string, string | null>();

  /**
   * Makes invisible characters of an answer or event visible. Everything that the window shows passes here.
   */
  forWindow<T>(channel: CallName | EventName, value: T): T {
    return OF_TERMINAL.has(channel) ? value : this.shown(value);
  }

  /** Makes invisible characters visible, except in terminals. */
  shown<T>(value: T): T {
    return withTexts(value, (text) => this.#visible(text));
  }

  /** Restores the original texts in arguments of the window. */
  originals(value: unknown): unknown {
    return withTexts(value, (text) => this.#originals.get(text) ?? text);
  }

  #visible(text: string): string {
    const shown = visibleText(text);
    if (text.length <= LONGEST && shown.includes(MARK)) this.#remember(shown, text);
    return shown;
  }

  #remember(shown: string, text: string): void {
    const known = this.#originals.get(shown);
    this.#originals.delete(shown);
    this.#originals.set(shown, known === undefined || known === text ? text : null);
    const [oldest] = this.#originals.keys();
    if (this.#originals.size > MOST && oldest !== undefined) this.#originals.delete(oldest);
  }
}

/** An event with its payload, distributed over the names so that both match. */
export type WindowEvent = { [E in EventName]: { event: E; payload: Payload<E> } }[EventName];
type OutputEvent = Extract<WindowEvent, { event: 'evaluation:output' | 'listener:output' }>;

/** Pending output of one stream, and the number of dropped characters. */
interface Waiting {
  item: OutputEvent;
  dropped: number;
}

/** One frame at 60 Hz. Sending more often has no visible effect. */
const FRAME_MS = 16;

/**
 * Maximum characters of one stream in a batch. At 60 batches a second that is 4 MiB/s, about what a terminal
 * in a page can draw.
 */
export const BATCH_LIMIT = 65_536;

/** Characters in transit from which on output waits, so that the page always has something to draw. */
export const MAX_IN_TRANSIT = 2 * BATCH_LIMIT;

export class OutputBatch {
  readonly #send: (item: WindowEvent) => void;
  readonly #pending = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | null = null;
  /** Characters that were sent and not yet confirmed by the page. */
  #onTheWay = 0;

  constructor(send: (item: WindowEvent) => void) {
    this.#send = send;
  }

  /**
   * Queues output for the next frame. Other events are sent at once, after pending output of their session.
   */
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

  /**
   * Sends all pending output in the order of the first output of its streams, without regard to the limit.
   */
  flush(): void {
    for (const [key, waiting] of this.#pending) this.#sendWaiting(key, waiting);
  }

  /** Called when the page has shown that many characters of output. */
  taken(characters: number): void {
    this.#onTheWay = Math.max(0, this.#onTheWay - characters);
    if (this.#pending.size > 0) this.#sendInTime();
  }

  /** Called when another page loads: output in transit to the previous page is never confirmed. */
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

  /** A stream that has to wait is first in the next batch. */
  #sendWhatFits(): void {
    for (const [key, waiting] of this.#pending) {
      if (this.#isFull) return;
      this.#sendWaiting(key, waiting);
    }
  }

  get #isFull(): boolean {
    return this.#onTheWay >= MAX_IN_TRANSIT;
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

/** Returns the session of an event; null if it has none. */
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

/**
 * Returns the end of a text from the start of a line. A line longer than the limit is cut, but not within a
 * character.
 */
function lastLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = text.slice(-limit);
  const line = tail.indexOf('\n');
  if (line >= 0 && line < tail.length - 1) return tail.slice(line + 1);
  return /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
}
