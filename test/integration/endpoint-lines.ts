/** Both ends of a conversation in lines of JSON, for tests of the socket and of the stdio bridge. */
import type { Readable, Writable } from 'node:stream';
import { LineReader } from '../../electron/host/line-reader';

export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
  ok?: boolean;
  code?: string;
  message?: string;
  value?: unknown;
}

export class Lines {
  readonly #output: Writable;
  readonly #received: Message[] = [];
  #ended = false;
  #notify: () => void = () => {};

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    const lines = new LineReader(64 * 1024 * 1024);
    input.on('data', (chunk: Buffer) => {
      for (const line of lines.read(chunk)) if ('text' in line) this.#received.push(JSON.parse(line.text));
      this.#notify();
    });
    input.once('close', () => {
      this.#ended = true;
      this.#notify();
    });
  }

  /** Sends text as it is, or a message as a line. */
  send(message: string | object): void {
    this.#output.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  /** The first message that `wanted` accepts; it is taken out. */
  async next(wanted: (message: Message) => boolean = () => true): Promise<Message> {
    for (;;) {
      const index = this.#received.findIndex(wanted);
      if (index >= 0) return this.#received.splice(index, 1)[0] ?? {};
      if (this.#ended) throw new Error('The stream ended without that message');
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    }
  }

  answer(id: string | number | null): Promise<Message> {
    return this.next((message) => message.id === id && message.method === undefined);
  }

  /** Waits for the end of the stream; answers what nobody took. */
  async rest(): Promise<Message[]> {
    while (!this.#ended) {
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    }
    return this.#received.splice(0);
  }
}

export function call(id: string | number, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}
