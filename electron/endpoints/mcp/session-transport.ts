/**
 * Streamable HTTP of the 2025 era (MCP 2025-11-25, basic/transports) as an SDK transport: what is posted is answered by a
 * `PostAnswer`, what the server says unasked goes to the newest stream that the client opened with GET. The SDK's own
 * gives every event an id, keeps a client out whose earlier stream it has not seen end, and leaves the stream of a
 * cancelled request open.
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
import { refuse } from '../http/http-answer';
import { EventStream } from './event-stream';
import { cancelledBy, INVALID_REQUEST, methodOf, NO_SESSION, REFUSED } from './json-rpc';
import { headerOf, type McpExchange } from './mcp-exchange';
import { answeredBy, type Incoming, isRequest, readMessages, UNNAMED_VERSION } from './messages';
import { PostAnswer } from './post-answer';
import { type SentEvent, SessionEvents } from './session-events';

type Answerable = Pick<McpExchange, 'req' | 'res' | 'body'>;

/** Why a request is refused, whatever its body says. */
interface Problem {
  status: number;
  /** Of JSON-RPC. */
  code: number;
  message: string;
}

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
  handle({ req, res, body }: Answerable): void {
    if (this.#refuses(req, res)) return;
    if (req.method === 'POST') this.#post(res, body);
    else this.#get(req, res);
  }

  /** Ends the session for its client. @returns whether it may */
  async leave({ req, res }: Answerable): Promise<boolean> {
    if (this.#refuses(req, res)) return false;
    await this.close();
    return true;
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
    else this.#take(res, read);
  }

  #problemIn({ messages }: Incoming): string | null {
    if (this.sessionId !== undefined && messages.some(opens)) return 'this session was initialized before.';
    const running = messages.filter(isRequest).find(({ id }) => this.#answers.has(id));
    if (!running) return null;
    return `request ${running.id} of this session still runs. Each has an id of its own.`;
  }

  #take(res: ServerResponse, read: Incoming): void {
    const { messages } = read;
    if (messages.some(opens)) {
      this.sessionId = randomUUID();
      this.#onBegun(this.sessionId);
    }
    if (messages.some(isRequest)) {
      this.#ask(res, read);
    } else {
      for (const message of messages) this.#receive(message);
      res.writeHead(202).end();
    }
  }

  #ask(res: ServerResponse, read: Incoming): void {
    const version = this.#version ?? UNNAMED_VERSION;
    const answer = new PostAnswer(read, { res, events: this.#events, headers: this.#headers, version });
    for (const id of answer.open) this.#answers.set(id, answer);
    for (const message of read.messages)
      this.#receive(message, { closeSSEStream: () => answer.closeStream() });
  }

  #receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const cancelled = cancelledBy(message);
    this.onmessage?.(message, extra);
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  #settle(id: RequestId, answer?: JSONRPCMessage): void {
    this.#answers.get(id)?.settle(id, answer);
    this.#answers.delete(id);
  }

  /** The newest stream of a client counts: it may have opened it because the one before broke unseen. */
  #get(req: IncomingMessage, res: ServerResponse): void {
    const last = headerOf(req, 'last-event-id');
    const missed = last === undefined ? { stream: LISTENING, events: [] } : this.#events.after(last);
    if (missed) this.#goOn(res, missed.stream, missed.events);
    else refuseRequest(res, `Last-Event-ID ${last ?? ''} is no id of an event.`);
  }

  #goOn(res: ServerResponse, name: string, events: readonly SentEvent[]): void {
    const answer = [...this.#answers.values()].find((each) => each.name === name);
    const ended = name !== LISTENING && !answer;
    if (ended && events.length === 0) {
      // To a client that has all of an ended stream this says not to come again (HTML, server-sent events).
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

function refuseRequest(res: ServerResponse, message: string): void {
  refuse(res, 400, INVALID_REQUEST, `Invalid Request: ${message}`);
}

function opens(message: JSONRPCMessage): boolean {
  return methodOf(message) === 'initialize';
}
