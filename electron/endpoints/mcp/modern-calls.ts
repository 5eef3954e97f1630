/**
 * Calls of tools in the 2026 era as nearly all of them come: a request that says all of itself and wants one piece of JSON.
 * The SDK's handler for HTTP makes a `Request`, a `Response` with its stream, a server and a transport for each, which took
 * a quarter of an evaluation. Here one server answers them all, as it does the lines of one client, each under an id of its
 * own. What is not as plain as that is for the SDK's handler.
 */
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  ProtocolErrorCode,
  type RequestId,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { sendText } from '../http/http-answer';
import { isRecord } from './json-rpc';
import { headerOf, type McpExchange } from './mcp-exchange';
import { answeredBy } from './messages';

const CALL = 'tools/call';
const SAID: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

interface PlainCall {
  id: RequestId;
  params: Record<string, unknown>;
}

/** The call that a request of the 2026 era makes, which the SDK has looked at; null where it is no plain one. */
export function plainCallIn(
  { req, body }: Pick<McpExchange, 'req' | 'body'>,
  version: string,
): PlainCall | null {
  if (!isRecord(body) || body.method !== CALL || !isRecord(body.params)) return null;
  const { id, params } = body;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const { name, _meta: meta } = params;
  const isPlain =
    isRecord(meta) && !('progressToken' in meta) && Object.keys(params).every((key) => SAID.has(key));
  const saysSo =
    headerOf(req, 'mcp-protocol-version') === version &&
    headerOf(req, 'mcp-method') === CALL &&
    headerOf(req, 'mcp-name') === name;
  return isPlain && saysSo ? { id, params } : null;
}

export class ModernCalls {
  readonly #channel = new CallChannel();
  readonly #served: ReturnType<typeof serveStdio>;

  constructor(makeServer: () => Server) {
    this.#served = serveStdio(makeServer, { transport: this.#channel, legacy: 'reject' });
  }

  /** A caller that goes away cancels its call. */
  answer({ id, params }: PlainCall, res: McpExchange['res']): void {
    const own = this.#channel.ask(params, (answer) => {
      if (res.writable)
        sendText(res, statusOf(answer), JSON.stringify({ ...answer, id }), 'application/json');
    });
    res.once('close', () => this.#channel.forget(own));
  }

  close(): Promise<void> {
    return this.#served.close();
  }
}

/** As the SDK's handler has it (MCP 2026-07-28, basic/transports): what went wrong in a call is no error of HTTP. */
function statusOf(answer: JSONRPCMessage): number {
  const isMissing =
    'error' in answer && answer.error.code === ProtocolErrorCode.MissingRequiredClientCapability;
  return isMissing ? 400 : 200;
}

/** Requests in, the answer of each to whoever asked. */
class CallChannel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  readonly #asked = new Map<RequestId, (answer: JSONRPCMessage) => void>();
  #newest = 0;

  async start(): Promise<void> {
    // There is nothing to open.
  }

  /** What is said beside answers has no way to these clients: they asked for no progress. */
  async send(message: JSONRPCMessage): Promise<void> {
    const id = answeredBy(message);
    if (id === undefined) return;
    const answer = this.#asked.get(id);
    this.#asked.delete(id);
    answer?.(message);
  }

  async close(): Promise<void> {
    this.#asked.clear();
    this.onclose?.();
  }

  /** @returns what `forget` takes */
  ask(params: Record<string, unknown>, answer: (answer: JSONRPCMessage) => void): RequestId {
    this.#newest += 1;
    const id = this.#newest;
    this.#asked.set(id, answer);
    this.onmessage?.({ jsonrpc: '2.0', id, method: CALL, params });
    return id;
  }

  /** Nobody waits for the answer; where there is none yet, its call is cancelled. */
  forget(id: RequestId): void {
    if (!this.#asked.delete(id)) return;
    const params = { requestId: id, reason: 'The client went away.' };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }
}
