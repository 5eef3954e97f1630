/**
 * HTTP messages: JSON responses, JSON-RPC errors, request bodies, and the conversion to the web-standard
 * `Request` and `Response` of the MCP SDK.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { exactJson, JsonTooLarge, wellFormedData } from '../../host/json';
import { addListeners } from '../../host/listeners';
import { errorMessage, type Id, PARSE_ERROR, REFUSED } from '../mcp/json-rpc';

export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  sendText(res, status, JSON.stringify(wellFormedData(value)), 'application/json');
}

/** Sends head and body in one write. */
export function sendText(res: ServerResponse, status: number, text: string, type: string): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

interface RefusalOptions {
  /** Id of the refused request, if it has one. */
  id?: Id | null;
  headers?: Readonly<Record<string, string>>;
}

/** @param code JSON-RPC error code */
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

/** Reads a JSON body of limited size. An invalid body is returned as an error with its HTTP status. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

type Body = { ok: true; value: unknown } | { ok: false; status: number; code: number; message: string };

const TOO_LARGE: Extract<Body, { ok: false }> = {
  ok: false,
  status: 413,
  code: REFUSED,
  message: `Payload too large: a request has at most ${MAX_BODY_BYTES} bytes.`,
};

export async function readJson(req: IncomingMessage): Promise<Body> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = req.headers;
  if (!isJsonContentType(type ?? null) || encoding !== undefined) {
    return { ok: false, status: 415, code: REFUSED, message: 'Send the request as plain application/json.' };
  }
  if (Number(length) > MAX_BODY_BYTES) return TOO_LARGE;
  const bytes = await readBytes(req);
  if (bytes === undefined) return TOO_LARGE;
  try {
    return { ok: true, value: exactJson(bytes.toString('utf8')) };
  } catch (error) {
    if (error instanceof JsonTooLarge)
      return { ...TOO_LARGE, message: `Payload too large: ${error.message}.` };
    return { ok: false, status: 400, code: PARSE_ERROR, message: 'Parse error: the body is not JSON.' };
  }
}

/**
 * Resolves with undefined if the body exceeds the limit. The rest is then read and discarded, so that the
 * client can read the response.
 */
function readBytes(req: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      removeListener();
      req.resume();
      resolve(undefined);
    };
    const removeListener = addListeners(req, (on) => on('data', collect));
    req.once('end', () => resolve(Buffer.concat(chunks, Math.min(size, MAX_BODY_BYTES))));
    req.once('error', reject);
    req.once('close', () => {
      // Every request emits `close`. Only an incomplete one is an error.
      if (!req.readableEnded) reject(new Error('The client disconnected'));
    });
  });
}

/** Returns a signal that aborts if the client closes the connection before `res` is complete. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Converts the request, without its body, for the SDK. The parsed body is passed separately, so it is not
 * serialized again. `signal` aborts if the client disconnects before the response is complete.
 */
export function webRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < req.rawHeaders.length; index += 2) {
    headers.append(req.rawHeaders[index] ?? '', req.rawHeaders[index + 1] ?? '');
  }
  return new Request(`http://${req.headers.host ?? ''}${req.url ?? ''}`, {
    method: req.method ?? 'GET',
    headers,
    signal,
  });
}

/** Writes `response` to `res`: a JSON body in one piece, an event stream as it arrives, with backpressure. */
export async function writeResponse(response: Response, res: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (response.body === null) {
    res.writeHead(response.status, headers).end();
  } else if (headers['content-type']?.startsWith('text/event-stream')) {
    res.writeHead(response.status, headers);
    // Sends the first events in one packet with the headers.
    res.socket?.cork();
    setImmediate(() => res.socket?.uncork());
    res.flushHeaders();
    await stream(response.body, res);
  } else {
    const text = await response.text();
    res.writeHead(response.status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text);
  }
}

async function stream(body: ReadableStream<Uint8Array>, res: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // Without this, the stream of a disconnected client would stay open and could not be resumed.
  res.once('close', () => {
    reader.cancel().catch(() => {
      // The stream failed. Reading it reports the error.
    });
  });
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!res.write(read.value)) await drained(res);
  }
  res.end();
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      removeListeners();
      resolve();
    };
    const removeListeners = addListeners(res, (on) => {
      on('drain', done);
      on('close', done);
    });
    if (res.destroyed) done();
  });
}
