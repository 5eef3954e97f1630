/**
 * How one POST of the 2025 era is answered. At once, as plain JSON: there is nothing to resume, so nothing has an event id
 * that a client would come back with. What takes longer, or has something to say before, is answered with an event stream,
 * and its client may come back for the rest.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { sendText, setHeaders } from '../http/http-answer';
import { EventStream } from './event-stream';
import { type Incoming, OpenRequests } from './messages';
import type { SentEvent, SessionEvents } from './session-events';

/** An answer that takes no longer is one piece of JSON. */
const AT_ONCE_MS = 250;
/** After this long a client whose stream broke should come back for the rest. */
const RETRY_MS = 1000;
/** Clients of earlier revisions take every event for a message. */
const FIRST_WITH_PRIMING = '2025-11-25';

export interface PostAnswerOptions {
  res: ServerResponse;
  events: SessionEvents;
  /** Of its response. */
  headers: Readonly<Record<string, string>>;
  /** What client and server speak. */
  version: string;
}

export class PostAnswer {
  /** Names its events. */
  readonly name = randomUUID();
  readonly #options: PostAnswerOptions;
  readonly #requests: OpenRequests;
  readonly #batch: boolean;
  readonly #atOnce: NodeJS.Timeout;
  /** null until it has become clear that this is no answer at once. */
  #stream: EventStream | null = null;
  #ended = false;

  constructor({ messages, batch }: Incoming, options: PostAnswerOptions) {
    this.#options = options;
    this.#batch = batch;
    this.#requests = new OpenRequests(messages);
    this.#atOnce = setTimeout(() => this.#begin(), AT_ONCE_MS);
  }

  /** The requests that it has not answered. */
  get open(): ReadonlySet<RequestId> {
    return this.#requests.ids;
  }

  /** Sends what goes with the requests, before their answers. */
  tell(message: JSONRPCMessage): void {
    this.#send(this.#begin(), message);
  }

  /** @param answer absent for a request that was cancelled: it gets none */
  settle(id: RequestId, answer?: JSONRPCMessage): void {
    this.#requests.settle(id, answer);
    if (this.#stream && answer) this.#send(this.#stream, answer);
    if (this.#requests.settled) this.end();
  }

  /** Goes on on a new stream, after `missed`. */
  resume(stream: EventStream, missed: readonly SentEvent[]): void {
    this.#stream?.end();
    this.#stream = stream;
    for (const { id, json } of missed) stream.message(json, id);
  }

  /** Ends the stream; its client may come back for what is answered later. */
  closeStream(): void {
    this.#begin().end();
  }

  /** Nothing more comes. */
  end(): void {
    clearTimeout(this.#atOnce);
    if (this.#ended) return;
    this.#ended = true;
    const { answers } = this.#requests;
    if (this.#stream) this.#stream.end();
    else if (answers.length > 0) this.#answerAtOnce(answers);
    // Where nothing was answered, a stream without a message says so.
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
    stream.message(json, this.#options.events.keep(this.name, json));
  }
}
