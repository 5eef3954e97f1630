/**
 * Parses the contents of one line or HTTP body: a message, or a batch (JSON-RPC 2.0, section 6), which MCP
 * removed in 2025-06-18.
 */
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
  RELATED_TASK_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type Id, INVALID_REQUEST, idOf, isRecord, methodOf } from './json-rpc';

/** The version of a client that names none (MCP 2025-11-25, basic/transports). */
export const UNNAMED_VERSION = '2025-03-26';
const FIRST_WITHOUT_BATCHES = '2025-06-18';
/** Maximum number of messages in a batch. They are answered together. */
const MAX_BATCH = 100;

const NO_MESSAGE = 'Invalid Request: not a JSON-RPC 2.0 message.';
const NO_BATCH = `Invalid Request: MCP has no batches since ${FIRST_WITHOUT_BATCHES}. Send each message separately.`;
const BATCH_SIZE = `Invalid Request: a batch has from 1 to ${MAX_BATCH} messages.`;
const OPENING_IN_BATCH = 'Invalid Request: initialize must not be part of a batch.';

export interface Incoming {
  messages: readonly JSONRPCMessage[];
  /** Whether the responses are sent as a batch. */
  batch: boolean;
}

export interface Refusal {
  refused: string;
  code: number;
  /** Id of the message, if it has one. */
  id: Id | null;
}

/** @param version the negotiated version; undefined before negotiation */
export function readMessages(value: unknown, version: string | undefined): Incoming | Refusal {
  if (!Array.isArray(value)) {
    const message = asMessage(value);
    return message ? { messages: [message], batch: false } : refusal(NO_MESSAGE, idOf(value));
  }
  if (version === undefined || version >= FIRST_WITHOUT_BATCHES) return refusal(NO_BATCH);
  if (value.length === 0 || value.length > MAX_BATCH) return refusal(BATCH_SIZE);
  const messages = value.map(asMessage).filter((message) => message !== undefined);
  if (messages.length < value.length) return refusal(NO_MESSAGE);
  if (messages.some((message) => methodOf(message) === 'initialize')) return refusal(OPENING_IN_BATCH);
  return { messages, batch: true };
}

/** Reports whether a message contains its protocol version, as each message of 2026-07-28 does. */
export function claimsVersion(message: unknown): boolean {
  const params = isRecord(message) ? message.params : undefined;
  return isRecord(params) && isRecord(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta;
}

/** Reports whether a parsed message is a request. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/** Returns the id of the request that a message answers. */
export function answeredBy(message: JSONRPCMessage): RequestId | undefined {
  return 'method' in message ? undefined : message.id;
}

/** The requests of one batch, until each is answered or cancelled. */
export class OpenRequests {
  readonly #open: Set<RequestId>;
  readonly answers: JSONRPCMessage[] = [];

  constructor(messages: readonly JSONRPCMessage[]) {
    this.#open = new Set(messages.filter(isRequest).map(({ id }) => id));
  }

  get ids(): ReadonlySet<RequestId> {
    return this.#open;
  }

  /** @param answer absent for a cancelled request, which gets no response */
  settle(id: RequestId, answer?: JSONRPCMessage): void {
    if (this.#open.delete(id) && answer) this.answers.push(answer);
  }

  get settled(): boolean {
    return this.#open.size === 0;
  }
}

function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (isPlainRequest(value)) return value;
  try {
    return parseJSONRPCMessage(withoutNulls(value));
  } catch {
    return undefined;
  }
}

/** Recognizes most requests without the SDK's schemas, which take longer than parsing the message. */
function isPlainRequest(value: unknown): value is JSONRPCRequest {
  if (!isRecord(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return false;
  const { id, params } = value;
  if (!isRequestId(id) || !isRecord(params)) return false;
  for (const name in value) if (!IN_REQUEST.has(name)) return false;
  const { arguments: args, _meta: meta } = params;
  if (args === null) return false;
  if (meta === undefined) return true;
  if (!isRecord(meta) || RELATED_TASK_META_KEY in meta) return false;
  return meta.progressToken === undefined || isRequestId(meta.progressToken);
}

const IN_REQUEST: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Drops `params`, `arguments` and `_meta` that are null: some clients send null for what they leave out. */
export function withoutNulls(message: unknown): unknown {
  if (!isRecord(message) || !('params' in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isRecord(params) || (params.arguments !== null && params._meta !== null)) return message;
  const { arguments: args, _meta: meta, ...others } = params;
  const present = {
    ...(args === null ? {} : { arguments: args }),
    ...(meta === null ? {} : { _meta: meta }),
  };
  return { ...rest, params: { ...others, ...present } };
}

function refusal(refused: string, id: Id | null = null): Refusal {
  return { refused, code: INVALID_REQUEST, id };
}
