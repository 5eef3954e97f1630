/**
 * Streamable HTTP of the 2025 era (MCP 2025-11-25, basic/transports) as an SDK transport. A POST is answered
 * by a `PostAnswer`; other messages of the server go to the newest stream that the client opened with GET.
 * The SDK’s own transport gives every event an id, refuses a client whose earlier stream it has not seen
 * close, and leaves the stream of a cancelled request open.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { refuse } from '../http/http-messages';
import { headerOf, type McpExchange } from './caller';
import { EventStream, type SentEvent, SessionEvents } from './event-stream';
import type { HarborServer } from './harbor-server';
import { cancelledBy, INVALID_REQUEST, idOf, methodOf, NO_SESSION, REFUSED } from './json-rpc';
import { answeredBy, type Incoming, isRequest, readMessages, UNNAMED_VERSION } from './messages';
import { PostAnswer } from './post-answer';

type Answerable = Pick<McpExchange, 'req' | 'res' | 'body'>;

/** Why a request is refused before its body is read. */
interface Problem {
  status: number;
  /** JSON-RPC error code. */
  code: number;
  message: string;
}

/** Name of the stream that GET opens. */
const LISTENING = 'listening';

export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  sessionId: string | undefined;
  /** Answers calls that need not pass through the SDK. */
  direct: Pick<HarborServer, 'answer'> | undefined;
  readonly #onBegun: (id: string) => void;
  readonly #events = new SessionEvents();
  /** Responses by the requests that they still have to answer. */
  readonly #answers = new Map<RequestId, PostAnswer>();
  #listening: EventStream | null = null;
  #version: string | undefined;
  #supported: readonly string[] = [];
  #closed = false;

  /** @param onBegun called with the session’s id before `initialize` is answered */
  constructor(onBegun: (id: string) => void) {
    this.#onBegun = onBegun;
  }

  async start(): Promise<void> {
    // Nothing to open.
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#supported = versions;
  }

  /** Handles a request of this session, or its `initialize`. */
  handle({ req, res, body }: Answerable): void {
    if (this.#refuses(req, res)) return;
    if (req.method === 'POST') this.#post(res, body);
    else this.#get(req, res);
  }

  /**
   * Closes the session at the client’s request.
   * @returns whether it was allowed
   */
  async leave({ req, res }: Answerable): Promise<boolean> {
    if (this.#refuses(req, res)) return false;
    await this.close();
    return true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const answered = answeredBy(message);
    // The response to a cancelled request is dropped.
    if (answered !== undefined) return this.#settle(answered, message);
    const related = options?.relatedRequestId;
    if (related === undefined) return this.#notify(message);
    const answer = this.#answers.get(related);
    if (!answer) throw new Error(`Request ${related} is already answered or cancelled.`);
    answer.notify(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const answer of new Set(this.#answers.values())) answer.end();
    this.#answers.clear();
    this.#listening?.end();
    this.onclose?.();
  }

  #refuses(req: IncomingMessage, res: ServerResponse): boolean {
    const problem = this.#problemOf(req);
    if (problem) refuse(res, problem.status, problem.code, problem.message);
    return problem !== null;
  }

  #problemOf({ method = '', headers }: IncomingMessage): Problem | null {
    if (this.#closed) return { status: 404, code: NO_SESSION, message: 'Session not found: it has ended.' };
    const { accept = '' } = headers;
    const version = headers['mcp-protocol-version']?.toString();
    const needed = ACCEPTED.get(method) ?? [];
    if (!needed.every((type) => accept.includes(type))) {
      const message = `Not Acceptable: the client must accept ${needed.join(' and ')}.`;
      return { status: 406, code: REFUSED, message };
    }
    const isOurs = version === undefined || this.#supported.includes(version);
    if (this.sessionId === undefined || isOurs) return null;
    const known = this.#supported.join(', ');
    const message = `Unsupported protocol version ${version}. Supported: ${known}.`;
    return { status: 400, code: REFUSED, message };
  }

  #post(res: ServerResponse, body: unknown): void {
    const read = readMessages(body, this.#version ?? UNNAMED_VERSION);
    if ('refused' in read) {
      refuse(res, 400, read.code, read.refused, { id: read.id });
      return;
    }
    const problem = this.#problemIn(read);
    if (problem !== null) refuseRequest(res, problem);
    else this.#accept(res, read);
  }

  #problemIn({ messages }: Incoming): string | null {
    if (this.sessionId !== undefined && messages.some(opens)) return 'this session was initialized before.';
    const running = messages.filter(isRequest).find(({ id }) => this.#answers.has(id));
    if (!running) return null;
    return `request ${running.id} of this session is still running. Use a new id for each request.`;
  }

  #accept(res: ServerResponse, read: Incoming): void {
    const { messages } = read;
    if (messages.some(opens)) {
      this.sessionId = randomUUID();
      this.#onBegun(this.sessionId);
    }
    if (messages.some(isRequest)) {
      this.#answer(res, read);
    } else {
      for (const message of messages) this.#receive(message);
      res.writeHead(202).end();
    }
  }

  #answer(res: ServerResponse, read: Incoming): void {
    const version = this.#version ?? UNNAMED_VERSION;
    const answer = new PostAnswer(read, { res, events: this.#events, headers: this.#headers, version });
    for (const id of answer.open) this.#answers.set(id, answer);
    for (const message of read.messages)
      this.#receive(message, { closeSSEStream: () => answer.closeStream() });
  }

  #receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if (this.direct?.answer(message, (response) => this.#settle(idOf(response) ?? '', response))) return;
    const cancelled = cancelledBy(message);
    this.onmessage?.(message, extra);
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  #settle(id: RequestId, answer?: JSONRPCMessage): void {
    this.#answers.get(id)?.settle(id, answer);
    this.#answers.delete(id);
  }

  /** The newest stream of a client replaces the earlier one, which may have broken unnoticed. */
  #get(req: IncomingMessage, res: ServerResponse): void {
    const last = headerOf(req, 'last-event-id');
    const missed = last === undefined ? { stream: LISTENING, events: [] } : this.#events.after(last);
    if (missed) this.#goOn(res, missed.stream, missed.events);
    else refuseRequest(res, `Last-Event-ID ${last ?? ''} is not the id of an event.`);
  }

  #goOn(res: ServerResponse, name: string, events: readonly SentEvent[]): void {
    const answer = [...this.#answers.values()].find((each) => each.name === name);
    const ended = name !== LISTENING && !answer;
    if (ended && events.length === 0) {
      // Status 204 tells a client that received all of an ended stream not to reconnect (HTML, server-sent
      // events).
      res.writeHead(204, this.#headers).end();
      return;
    }
    const stream = new EventStream(res, this.#headers);
    if (answer) answer.resume(stream, events);
    else for (const { id, json } of events) stream.message(json, id);
    if (ended) stream.end();
    if (name === LISTENING) this.#listen(stream);
  }

  #listen(stream: EventStream): void {
    this.#listening?.end();
    this.#listening = stream;
  }

  /** Sends a message that answers no request. */
  #notify(message: JSONRPCMessage): void {
    const json = JSON.stringify(message);
    const id = this.#events.store(LISTENING, json);
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

function refuseRequest(res: ServerResponse, message: string): void {
  refuse(res, 400, INVALID_REQUEST, `Invalid Request: ${message}`);
}

function opens(message: JSONRPCMessage): boolean {
  return methodOf(message) === 'initialize';
}
