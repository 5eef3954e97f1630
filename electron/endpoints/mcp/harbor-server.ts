/**
 * The SDK’s `Server`, with what it does differently here: every message is well-formed, wrong parameters are refused
 * in words, and ordinary tool calls do not pass through the SDK. For each request the SDK matches the message, its
 * envelope and its parameters against schemas and makes a context of a dozen functions, which takes longer than all
 * other JavaScript of an evaluation together.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { asFailure } from '../../contract/errors';
import { boundedJson, wellFormedData } from '../../host/json';
import { problemsText } from '../../tools/arguments';
import { isRecord } from './json-rpc';
import { isRequest } from './messages';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;
type CallHandler = (
  request: CallToolRequest,
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;
type Request = ServerContext['mcpReq'];

const CALL = 'tools/call';
/** Retries have more, such as `requestState`. */
const USUAL_PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const ENVELOPE: readonly string[] = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
];
const IN_META: ReadonlySet<string> = new Set(['progressToken', ...ENVELOPE]);

export class HarborServer extends Server {
  #handler: CallHandler | undefined;
  /** The envelope of the newest call that the SDK accepted, as JSON; empty for a client that sends none. */
  #envelope: string | undefined;

  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(wellFormedData(message), options);
    return super.connect(transport);
  }

  /** Handles `tools/call`, from the SDK and from `answer`. */
  handleCalls(handler: CallHandler): void {
    this.#handler = handler;
    this.setRequestHandler(CALL, (request, context) => {
      this.#envelope = envelopeText(context.mcpReq.envelope);
      return handler(request, context);
    });
  }

  /**
   * Answers a tool call that is like one which the SDK accepted, with the response that the SDK would send.
   * @param message a valid message of this conversation
   * @param respond not called if the call is cancelled or the connection closes
   * @returns false if the SDK must have the message
   */
  answer(message: JSONRPCMessage, respond: (response: JSONRPCMessage) => void): boolean {
    const handler = this.#handler;
    if (handler === undefined || this.#envelope === undefined || !isRequest(message)) return false;
    const { id, method, params } = message;
    if (method !== CALL || !isUsual(params)) return false;
    const meta = isRecord(params._meta) ? params._meta : {};
    const envelope = envelopeIn(meta);
    // With the same envelope, it is a call of the same era from the same client.
    if (envelopeText(envelope) !== this.#envelope) return false;
    // The SDK aborts those that are in its list, when the client cancels the request or the connection closes.
    const running = this['_requestHandlerAbortControllers'];
    const controller = new AbortController();
    running.set(id, controller);
    const related = { relatedRequestId: id };
    const mcpReq: Partial<Request> = {
      ...{ id, method, _meta: meta as NonNullable<Request['_meta']>, signal: controller.signal },
      ...(envelope && { envelope: envelope as NonNullable<Request['envelope']> }),
      requestState: (() => undefined) as Request['requestState'],
      send: ((request: never, options: object) =>
        this.request(request, { ...options, ...related })) as Request['send'],
      notify: (notification) => this.notification(notification, related),
    };
    const end = (response: object): void => {
      if (running.get(id) === controller) running.delete(id);
      if (!controller.signal.aborted)
        respond(wellFormedData({ jsonrpc: '2.0', id, ...response }) as JSONRPCMessage);
    };
    handler({ method: CALL, params }, { mcpReq } as ServerContext).then(
      (result) =>
        end({
          result: this['_negotiatedWireCodec']().encodeResult(CALL, result, this['_outboundServerInfo']()),
        }),
      (error: unknown) => end({ error: errorOf(error) }),
    );
    return true;
  }

  /**
   * Wraps handlers without the SDK’s schema validation of tool calls and results. The toolbox validates calls, and
   * results have one type.
   */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped: Handler =
      method === CALL
        ? (request, context) => this['_invokeInputRequiredCapableHandler'](method, handler, request, context)
        : super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw paramsProblem(request, error) ?? error;
      }
    };
  }
}

/** Reports whether a call is neither a retry nor bound to a task, and the SDK would accept its parameters. */
function isUsual(params: JSONRPCRequest['params']): params is CallToolRequest['params'] {
  if (!isRecord(params) || typeof params.name !== 'string') return false;
  for (const name in params) if (!USUAL_PARAMS.has(name)) return false;
  const { arguments: args, _meta: meta } = params;
  if (args !== undefined && !isRecord(args)) return false;
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  for (const name in meta) if (!IN_META.has(name)) return false;
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  return !(isRecord(capabilities) && 'extensions' in capabilities);
}

/** Returns the envelope of a request of the 2026 era; undefined for an earlier one. */
function envelopeIn(meta: Readonly<Record<string, unknown>>): object | undefined {
  if (!(PROTOCOL_VERSION_META_KEY in meta)) return undefined;
  return Object.fromEntries(ENVELOPE.flatMap((key) => (key in meta ? [[key, meta[key]]] : [])));
}

function envelopeText(envelope: unknown): string {
  return envelope === undefined ? '' : JSON.stringify(envelope);
}

/** As the SDK’s response to an error of a handler. */
function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { message } = asFailure(error);
  if (!(error instanceof ProtocolError)) return { code: ProtocolErrorCode.InternalError, message };
  return { code: error.code, message, ...(error.data === undefined ? {} : { data: error.data }) };
}

/**
 * Returns the refusal of parameters that do not fit their method, in words; null for any other error. The SDK
 * throws an `Error` without a code, whose message is the list of validation issues as JSON.
 */
function paramsProblem({ method, params }: JSONRPCRequest, error: unknown): ProtocolError | null {
  if (!(error instanceof Error) || 'code' in error || !error.message.startsWith('[')) return null;
  let issues: z.core.$ZodIssue[];
  try {
    issues = boundedJson(error.message) as z.core.$ZodIssue[];
  } catch {
    return null;
  }
  const problems = problemsText({ issues }, { method, params });
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid request ${method}:\n${problems}`);
}
