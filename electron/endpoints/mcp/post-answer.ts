/**
 * Responses to POST requests of the 2025 era. A quick response is plain JSON, which needs no event id because
 * it cannot be resumed. A response that takes longer, or that follows notifications, is an event stream,
 * which the client can resume.
 */

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { every } from '../../host/listeners';
import { sendText, setHeaders } from '../http/http-messages';
import { type Incoming, OpenRequests } from './messages';

/** Time limit of a plain JSON response, in milliseconds. */
const AT_ONCE_MS = 250;
/** Time after which a client should resume a broken stream, in milliseconds. */
const RETRY_MS = 1000;
/** Clients of earlier revisions treat every event as a message. */
const FIRST_WITH_PRIMING = '2025-11-25';

interface PostAnswerOptions {
  res: ServerResponse;
  events: SessionEvents;
  /** Headers of the response. */
  headers: Readonly<Record<string, string>>;
  /** Negotiated protocol version. */
  version: string;
}

export class PostAnswer {
  /** Stream name in the event ids. */
  readonly name = randomUUID();
  readonly #options: PostAnswerOptions;
  readonly #requests: OpenRequests;
  readonly #batch: boolean;
  readonly #atOnce: NodeJS.Timeout;
  /** null while the response may still be plain JSON. */
  #stream: EventStream | null = null;
  #ended = false;

  constructor({ messages, batch }: Incoming, options: PostAnswerOptions) {
    this.#options = options;
    this.#batch = batch;
    this.#requests = new OpenRequests(messages);
    this.#atOnce = setTimeout(() => this.#begin(), AT_ONCE_MS);
  }

  /** The unanswered requests. */
  get open(): ReadonlySet<RequestId> {
    return this.#requests.ids;
  }

  /** Sends a notification before the response. */
  notify(message: JSONRPCMessage): void {
    this.#send(this.#begin(), message);
  }

  /** @param answer absent for a cancelled request, which gets no response */
  settle(id: RequestId, answer?: JSONRPCMessage): void {
    this.#requests.settle(id, answer);
    if (this.#stream && answer) this.#send(this.#stream, answer);
    if (this.#requests.settled) this.end();
  }

  /** Continues on a new stream with the missed events. */
  resume(stream: EventStream, missed: readonly SentEvent[]): void {
    this.#stream?.end();
    this.#stream = stream;
    for (const { id, json } of missed) stream.message(json, id);
  }

  /** Closes the stream. The client may resume it for later responses. */
  closeStream(): void {
    this.#begin().end();
  }

  /** Closes the response for good. */
  end(): void {
    clearTimeout(this.#atOnce);
    if (this.#ended) return;
    this.#ended = true;
    const { answers } = this.#requests;
    if (this.#stream) this.#stream.end();
    else if (answers.length > 0) this.#answerAtOnce(answers);
    // Without any answer, the response is an empty stream.
    else this.#open().end();
  }

  #begin(): EventStream {
    if (this.#stream) return this.#stream;
    clearTimeout(this.#atOnce);
    const stream = this.#open();
    this.#stream = stream;
    const { events, version } = this.#options;
    if (version >= FIRST_WITH_PRIMING) stream.prime(events.mark(this.name), RETRY_MS);
    for (const answer of this.#requests.answers) this.#send(stream, answer);
    return stream;
  }

  #answerAtOnce(answers: readonly JSONRPCMessage[]): void {
    const { res, headers } = this.#options;
    setHeaders(res, headers);
    sendText(res, 200, JSON.stringify(this.#batch ? answers : answers[0]), 'application/json');
  }

  #open(): EventStream {
    const { res, headers } = this.#options;
    return new EventStream(res, headers);
  }

  #send(stream: EventStream, message: JSONRPCMessage): void {
    const json = JSON.stringify(message);
    stream.message(json, this.#options.events.store(this.name, json));
  }
}

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
