/** Answers of our HTTP servers that are not a stream: JSON, and refusals in JSON-RPC's words. */
import type { ServerResponse } from 'node:http';
import { wellFormedData } from '../../host/well-formed';
import { errorMessage, type Id } from '../mcp/json-rpc';

export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  sendText(res, status, JSON.stringify(wellFormedData(value)), 'application/json');
}

/** Head and body leave in one piece. */
export function sendText(res: ServerResponse, status: number, text: string, type: string): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

export interface RefusalOptions {
  /** Of the request that is refused, where one can be told. */
  id?: Id | null;
  headers?: Readonly<Record<string, string>>;
}

/** @param code of JSON-RPC */
export function refuse(
  res: ServerResponse,
  status: number,
  code: number,
  message: string,
  { id = null, headers = {} }: RefusalOptions = {},
): void {
  setHeaders(res, headers);
  sendJson(res, status, errorMessage(id, code, message));
}
