/** Server-sent events to one client, and the last events of a session for clients that resume a broken stream. */

import type { ServerResponse } from 'node:http';
import { every } from '../../host/listeners';

/** Interval of keep-alive comments. Proxies close idle streams. */
const KEEP_ALIVE_MS = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

/** A stream of server-sent events to one client. */
export class EventStream {
  /** null after either side closed the stream. */
  #res: ServerResponse | null;
  readonly #stopKeepAlive: () => void;

  /** @param headers additional response headers */
  constructor(res: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#res = res;
    this.#stopKeepAlive = every(KEEP_ALIVE_MS, () => this.#write(': keepalive\n\n'));
    res.once('close', () => this.#ended());
    if (res.destroyed) this.#ended();
    res.writeHead(200, { ...HEADERS, ...headers });
    // Sends the first events in one packet with the headers.
    const { socket } = res;
    socket?.cork();
    setImmediate(() => socket?.uncork());
    res.flushHeaders();
  }

  message(json: string, id: string): void {
    this.#write(`event: message\nid: ${id}\ndata: ${json}\n\n`);
  }

  /** Sends an event without a message, so that a client can resume from its id (MCP 2025-11-25). */
  prime(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  end(): void {
    this.#res?.end();
    this.#ended();
  }

  #write(text: string): void {
    this.#res?.write(text);
  }

  #ended(): void {
    this.#stopKeepAlive();
    this.#res = null;
  }
}

const MAX_EVENTS = 128;
const MAX_CHARACTERS = 2 * 1024 * 1024;

export interface SentEvent {
  id: string;
  json: string;
}

interface StoredEvent extends SentEvent {
  sequence: number;
  stream: string;
}

/**
 * The last events of one 2025-era session, for clients that resume a broken stream with `Last-Event-ID` (MCP
 * 2025-11-25, transports: resumability). It is in memory and bounded, so a client that was disconnected for
 * long loses the oldest events.
 */
export class SessionEvents {
  readonly #stored: StoredEvent[] = [];
  #sequence = 0;
  #characters = 0;

  /**
   * Stores a message of a stream.
   * @returns the id of its event
   */
  store(stream: string, json: string): string {
    const id = this.mark(stream);
    this.#stored.push({ id, sequence: this.#sequence, stream, json });
    this.#characters += json.length;
    this.#forgetOldest();
    return id;
  }

  /** Returns an id for the current position of a stream, without a message. */
  mark(stream: string): string {
    this.#sequence += 1;
    // The stream’s name is part of the id, so an id stays valid after its event was dropped.
    return `${this.#sequence}_${stream}`;
  }

  /** Returns the later events of the stream in order, or undefined for an invalid id. */
  after(eventId: string): { stream: string; events: readonly SentEvent[] } | undefined {
    const [, sequence, stream] = /^(\d+)_(.+)$/.exec(eventId) ?? [];
    if (stream === undefined) return undefined;
    const later = (stored: StoredEvent) => stored.stream === stream && stored.sequence > Number(sequence);
    return { stream, events: this.#stored.filter(later) };
  }

  #forgetOldest(): void {
    while (
      this.#stored.length > MAX_EVENTS ||
      (this.#stored.length > 1 && this.#characters > MAX_CHARACTERS)
    ) {
      this.#characters -= this.#stored.shift()?.json.length ?? 0;
    }
  }
}
