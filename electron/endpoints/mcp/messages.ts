/**
 * What one line or one HTTP body holds: a message, or in the revisions that have them a batch (JSON-RPC 2.0, section 6).
 * MCP took batches away with 2025-06-18.
 */
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type Id, INVALID_REQUEST, idOf, isRecord, methodOf } from './json-rpc';

/** What a client speaks that names no version (MCP 2025-11-25, basic/transports). */
export const UNNAMED_VERSION = '2025-03-26';
const FIRST_WITHOUT_BATCHES = '2025-06-18';
/** More than one client sends at once, and few enough to be answered together. */
const MAX_BATCH = 100;

const NO_MESSAGE = 'Invalid Request: this is no JSON-RPC 2.0 message.';
const NO_BATCH = `Invalid Request: MCP has no batches from ${FIRST_WITHOUT_BATCHES} on. Send each message by itself.`;
const BATCH_SIZE = `Invalid Request: a batch has from 1 to ${MAX_BATCH} messages.`;
const OPENING_IN_BATCH = 'Invalid Request: initialize is sent by itself, not in a batch.';

export interface Incoming {
  messages: readonly JSONRPCMessage[];
  /** Whether its answers go together. */
  batch: boolean;
}

export interface Refusal {
  refused: string;
  code: number;
  /** That of the message, where it has one. */
  id: Id | null;
}

/** @param version that the conversation has agreed on; undefined before it has */
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

/** Whether it carries its own protocol version, as each message of 2026-07-28 does. */
export function claimsVersion(message: unknown): boolean {
  const params = isRecord(message) ? message.params : undefined;
  return isRecord(params) && isRecord(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta;
}

/** Whether a message, as `readMessages` has read it, asks for an answer. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/** The request that a message answers. */
export function answeredBy(message: JSONRPCMessage): RequestId | undefined {
  return 'method' in message ? undefined : message.id;
}

/** Requests that came together, until each is answered or cancelled. */
export class OpenRequests {
  readonly #open: Set<RequestId>;
  readonly answers: JSONRPCMessage[] = [];

  constructor(messages: readonly JSONRPCMessage[]) {
    this.#open = new Set(messages.filter(isRequest).map(({ id }) => id));
  }

  get ids(): ReadonlySet<RequestId> {
    return this.#open;
  }

  /** @param answer absent for a request that was cancelled: it gets none */
  settle(id: RequestId, answer?: JSONRPCMessage): void {
    if (this.#open.delete(id) && answer) this.answers.push(answer);
  }

  get settled(): boolean {
    return this.#open.size === 0;
  }
}

function asMessage(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

function refusal(refused: string, id: Id | null = null): Refusal {
  return { refused, code: INVALID_REQUEST, id };
}
