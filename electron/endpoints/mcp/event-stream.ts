/** A stream of server-sent events to one client, until either side ends it. */

/** Whatever stands between us and the client closes streams that are silent for longer. */
const KEEP_ALIVE_MS = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

export class EventStream {
  readonly response: Response;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly #keepAlive: NodeJS.Timeout;

  /** @param headers of the response, beside those of its kind */
  constructor(headers: Readonly<Record<string, string>>) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.#ended(),
    });
    this.response = new Response(body, { headers: { ...HEADERS, ...headers } });
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
  }

  message(json: string, id: string): void {
    this.#write(`event: message\nid: ${id}\ndata: ${json}\n\n`);
  }

  /** An event without a message, after which a client can ask for the rest (MCP 2025-11-25). */
  prime(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  end(): void {
    this.#controller?.close();
    this.#ended();
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #ended(): void {
    clearInterval(this.#keepAlive);
    this.#controller = null;
  }
}
