/**
 * Responses to POST requests of the 2025 era. A quick response is plain JSON, which needs no event id because
 * it cannot be resumed. A response that takes longer, or that follows notifications, is an event stream,
 * which the client can resume.
 */

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { sendText, setHeaders } from '../http/http-messages';
import { EventStream, type SentEvent, type SessionEvents } from './event-stream';
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
