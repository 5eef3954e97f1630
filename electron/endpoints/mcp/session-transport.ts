/**
 * Streamable HTTP of the 2025 era (MCP 2025-11-25, basic/transports) as an SDK transport: what is posted is answered by a
 * `PostAnswer`, what the server says unasked goes to the newest stream that the client opened with GET. The SDK's own
 * gives every event an id, keeps a client out whose earlier stream it has not seen end, and leaves the stream of a
 * cancelled request open.
 */
import { randomUUID } from 'node:crypto';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { errorResponse } from '../http/web-exchange';
import { EventStream } from './event-stream';
import { cancelledBy, INVALID_REQUEST, methodOf, NO_SESSION, REFUSED } from './json-rpc';
import { answeredBy, type Incoming, readMessages, UNNAMED_VERSION } from './messages';
import { PostAnswer } from './post-answer';
import { SessionEvents } from './session-events';

/** The stream that is opened with GET. */
const LISTENING = 'listening';

export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  sessionId: string | undefined;
  readonly #onBegun: (id: string) => void;
  readonly #events = new SessionEvents();
  /** By each request that it still has to answer. */
  readonly #answers = new Map<RequestId, PostAnswer>();
  #listening: EventStream | null = null;
  #version: string | undefined;
  #supported: readonly string[] = [];
  #closed = false;

  /** @param onBegun called with the session's id before its `initialize` is answered */
  constructor(onBegun: (id: string) => void) {
    this.#onBegun = onBegun;
  }

  async start(): Promise<void> {
    // There is nothing to open.
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#supported = versions;
  }

  /** Answers a request that was checked to be of this session, or its `initialize`. */
  async handle(request: Request, body: unknown): Promise<Response> {
    if (this.#closed) return errorResponse(404, NO_SESSION, 'Session not found: it has ended.');
    return this.#refusal(request) ?? (await this.#answer(request, body));
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const answered = answeredBy(message);
    // A request without its answer was cancelled.
    if (answered !== undefined) return this.#settle(answered, message);
    const related = options?.relatedRequestId;
    if (related === undefined) return this.#tell(message);
    const answer = this.#answers.get(related);
    if (!answer) throw new Error(`Request ${related} has its answer, or was cancelled.`);
    answer.tell(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const answer of new Set(this.#answers.values())) answer.end();
    this.#answers.clear();
    this.#listening?.end();
    this.onclose?.();
  }

  #refusal({ method, headers }: Request): Response | null {
    const accept = headers.get('accept') ?? '';
    const needed = ACCEPTED.get(method) ?? [];
    if (!needed.every((type) => accept.includes(type)))
      return errorResponse(406, REFUSED, `Not Acceptable: the client must accept ${needed.join(' and ')}.`);
    const version = headers.get('mcp-protocol-version');
    if (this.sessionId === undefined || version === null || this.#supported.includes(version)) return null;
    const known = this.#supported.join(', ');
    return errorResponse(400, REFUSED, `Unsupported protocol version ${version}. Supported: ${known}.`);
  }

  async #answer(request: Request, body: unknown): Promise<Response> {
    switch (request.method) {
      case 'POST':
        return this.#post(request, body);
      case 'GET':
        return this.#get(request);
      default:
        await this.close();
        return new Response(null, { status: 200 });
    }
  }

  #post(request: Request, body: unknown): Promise<Response> | Response {
    const read = readMessages(body, this.#version ?? UNNAMED_VERSION);
    if ('refused' in read) return errorResponse(400, read.code, read.refused, { id: read.id });
    if (read.messages.some((message) => methodOf(message) === 'initialize')) {
      if (this.sessionId !== undefined) return refused('this session was initialized before.');
      this.sessionId = randomUUID();
      this.#onBegun(this.sessionId);
    }
    const requests = read.messages.filter(isJSONRPCRequest);
    const running = requests.find(({ id }) => this.#answers.has(id));
    if (running)
      return refused(`request ${running.id} of this session still runs. Each has an id of its own.`);
    if (requests.length > 0) return this.#ask(request, read);
    for (const message of read.messages) this.#receive(message, { request });
    return new Response(null, { status: 202 });
  }

  #ask(request: Request, read: Incoming): Promise<Response> {
    const version = this.#version ?? UNNAMED_VERSION;
    const answer = new PostAnswer(read, { events: this.#events, headers: this.#headers, version });
    for (const id of answer.open) this.#answers.set(id, answer);
    for (const message of read.messages)
      this.#receive(message, { request, closeSSEStream: () => answer.closeStream() });
    return answer.response;
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo): void {
    const cancelled = cancelledBy(message);
    this.onmessage?.(message, extra);
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  #settle(id: RequestId, answer?: JSONRPCMessage): void {
    this.#answers.get(id)?.settle(id, answer);
    this.#answers.delete(id);
  }

  /** The newest stream of a client counts: it may have opened it because the one before broke unseen. */
  #get({ headers }: Request): Response {
    const last = headers.get('last-event-id');
    const missed = last === null ? { stream: LISTENING, events: [] } : this.#events.after(last);
    if (!missed) return refused(`Last-Event-ID ${last ?? ''} is no id of an event.`);
    const { stream: name, events } = missed;
    const answer = [...this.#answers.values()].find((each) => each.name === name);
    const ended = name !== LISTENING && !answer;
    // To a client that has all of an ended stream this says not to come again (HTML, server-sent events).
    if (ended && events.length === 0) return new Response(null, { status: 204, headers: this.#headers });
    const stream = new EventStream(this.#headers);
    if (answer) answer.resume(stream, events);
    else for (const { id, json } of events) stream.message(json, id);
    if (ended) stream.end();
    if (name === LISTENING) this.#listen(stream);
    return stream.response;
  }

  #listen(stream: EventStream): void {
    this.#listening?.end();
    this.#listening = stream;
  }

  /** Says what nobody asked for. */
  #tell(message: JSONRPCMessage): void {
    const json = JSON.stringify(message);
    const id = this.#events.keep(LISTENING, json);
    this.#listening?.message(json, id);
  }

  get #headers(): Record<string, string> {
    return this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId };
  }
}

const ACCEPTED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    POST: ['application/json', 'text/event-stream'],
    GET: ['text/event-stream'],
  }),
);

function refused(message: string): Response {
  return errorResponse(400, INVALID_REQUEST, `Invalid Request: ${message}`);
}
