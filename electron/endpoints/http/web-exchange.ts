/**
 * Between node:http and the web-standard `Request` and `Response` of the SDK's handler for 2026-07-28. The parsed body
 * travels beside the request, so it is read once and never serialised again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The request without its body. `signal` is aborted when the client goes away before the answer is complete. */
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

/** Writes `response` to `res`: a JSON body in one piece, an event stream as it comes, at the client's pace. */
export async function writeResponse(response: Response, res: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (response.body === null) {
    res.writeHead(response.status, headers).end();
  } else if (headers['content-type']?.startsWith('text/event-stream')) {
    res.writeHead(response.status, headers);
    // What is there already leaves in one packet with the headers.
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
  // Without this a client that left would keep its stream, and so could not resume it.
  res.once('close', () => {
    reader.cancel().catch(() => {
      // The stream failed by itself; reading it says why.
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
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
    if (res.destroyed) done();
  });
}
