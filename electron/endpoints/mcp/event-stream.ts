/** A stream of server-sent events to one client, until either side ends it. */
import type { ServerResponse } from 'node:http';

/** Whatever stands between us and the client closes streams that are silent for longer. */
const KEEP_ALIVE_MS = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

export class EventStream {
  /** null once either side has ended it. */
  #res: ServerResponse | null;
  readonly #keepAlive: NodeJS.Timeout;

  /** @param headers of the response, beside those of its kind */
  constructor(res: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#res = res;
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
    res.once('close', () => this.#ended());
    if (res.destroyed) this.#ended();
    res.writeHead(200, { ...HEADERS, ...headers });
    // What is there already leaves in one packet with the headers.
    const { socket } = res;
    socket?.cork();
    setImmediate(() => socket?.uncork());
    res.flushHeaders();
  }

  message(json: string, id: string): void {
    this.#write(`event: message\nid: ${id}\ndata: ${json}\n\n`);
  }

  /** An event without a message, after which a client can ask for the rest (MCP 2025-11-25). */
  prime(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  end(): void {
    this.#res?.end();
    this.#ended();
  }

  #write(text: string): void {
    this.#res?.write(text);
  }

  #ended(): void {
    clearInterval(this.#keepAlive);
    this.#res = null;
  }
}
