/** Reads a JSON body with a limit. What is wrong with it comes back as a refusal with its HTTP status. */
import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { exactJson, JsonTooLarge } from '../../host/bounded-json';
import { PARSE_ERROR, REFUSED } from '../mcp/json-rpc';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type Body =
  | { ok: true; value: unknown }
  | { ok: false; status: number; code: number; message: string };

const TOO_LARGE: Extract<Body, { ok: false }> = {
  ok: false,
  status: 413,
  code: REFUSED,
  message: `Payload too large: a request has at most ${MAX_BODY_BYTES} bytes.`,
};

export async function readJson(req: IncomingMessage): Promise<Body> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = req.headers;
  if (!isJsonContentType(type ?? null) || encoding !== undefined) {
    return { ok: false, status: 415, code: REFUSED, message: 'Send plain application/json.' };
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

/** Undefined when there is more than fits. The rest is then read and dropped, so that the client hears why. */
function readBytes(req: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      req.off('data', take);
      req.resume();
      resolve(undefined);
    };
    req.on('data', take);
    req.once('end', () => resolve(Buffer.concat(chunks, Math.min(size, MAX_BODY_BYTES))));
    req.once('error', reject);
    req.once('close', () => {
      // Every request is closed: an error is made for those alone that are not whole.
      if (!req.readableEnded) reject(new Error('The client went away'));
    });
  });
}
