/** JSON-RPC 2.0 before a message reaches the SDK: error codes, error objects and the fields of a message. */

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** The SDK’s code for errors without a JSON-RPC code. The HTTP status tells which. */
export const REFUSED = -32000;
/** The session is unknown, closed, or belongs to another client. */
export const NO_SESSION = -32001;

export type Id = string | number;

export interface ErrorMessage {
  jsonrpc: '2.0';
  id: Id | null;
  error: { code: number; message: string };
}

export function errorMessage(id: Id | null, code: number, message: string): ErrorMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Returns the id to answer to, or null if there is none, as JSON-RPC requires. */
export function idOf(message: unknown): Id | null {
  if (!isRecord(message)) return null;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
}

export function methodOf(message: unknown): string | undefined {
  return isRecord(message) && typeof message.method === 'string' ? message.method : undefined;
}

/** Returns the id of the request that a message cancels, or undefined. */
export function cancelledBy(message: unknown): Id | undefined {
  if (methodOf(message) !== 'notifications/cancelled' || !isRecord(message)) return undefined;
  const requestId = isRecord(message.params) ? message.params.requestId : undefined;
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
