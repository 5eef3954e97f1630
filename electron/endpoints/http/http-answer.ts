/** Answers of our HTTP servers that are not a stream: JSON, and refusals in JSON-RPC's words. */
import type { ServerResponse } from 'node:http';
import { wellFormedData } from '../../host/well-formed';
import { errorMessage } from '../mcp/json-rpc';

export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  sendText(res, status, JSON.stringify(wellFormedData(value)), 'application/json');
}

export function sendText(res: ServerResponse, status: number, text: string, type: string): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

/** @param code of JSON-RPC */
export function refuse(
  res: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  setHeaders(res, headers);
  sendJson(res, status, errorMessage(null, code, message));
}
