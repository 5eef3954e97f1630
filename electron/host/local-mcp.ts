/**
 * A short MCP conversation with the running harbor through its local socket, for our own commands. It loads
 * only Node modules.
 */
import type { Socket } from 'node:net';
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { LocalReply, type McpHello } from '../contract/local-socket';
import { connectToHarbor } from './harbor-reach';
import { LineReader } from './line-reader';

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const VERSION = '2025-11-25';

/** A response. A message with a method is a notification or a request of the harbor. */
const Answer = z.object({
  id: z.number(),
  method: z.undefined().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** A request and its response as sent over the wire. */
export interface Exchange {
  request: string;
  reply: string;
}

interface Waiting {
  resolve: (reply: string) => void;
  reject: (reason: Error) => void;
}

export class LocalMcp {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #pending = 0;
  #failure: Error | null = null;

  /** Opens and initializes a conversation. @throws HarborError if the harbor refuses it or does not answer */
  static async open(socketPath: string, hello: McpHello): Promise<LocalMcp> {
    const mcp = new LocalMcp(connectToHarbor(socketPath), hello);
    const clientInfo = { name: 'lisp-harbor', version: '1' };
    try {
      await mcp.request('initialize', { protocolVersion: VERSION, capabilities: {}, clientInfo });
    } catch (error) {
      mcp.close();
      throw error;
    }
    mcp.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return mcp;
  }

  private constructor(socket: Socket, hello: McpHello) {
    this.#socket = socket;
    const lines = new LineReader(MAX_LINE_BYTES);
    socket.on('data', (chunk) => {
      for (const line of lines.read(chunk)) if ('text' in line) this.#receive(line.text);
    });
    socket.once('error', ({ message }) =>
      this.#fail(new HarborError('internal', `No harbor answers: ${message}`)),
    );
    socket.once('close', () =>
      this.#fail(new HarborError('internal', 'The harbor closed the connection without a reply.')),
    );
    this.#send(hello);
  }

  /**
   * Returns the result of a request. @throws HarborError with the message of a JSON-RPC error, or if the
   * harbor disconnects
   */
  async request(method: string, params: object = {}): Promise<unknown> {
    const { reply } = await this.exchange(method, params);
    const { error, result } = Answer.parse(JSON.parse(reply));
    if (error) throw new HarborError('bad_arguments', error.message);
    return result;
  }

  /** Returns the response of a request, also an error. @throws HarborError if the harbor disconnects */
  async exchange(method: string, params: object): Promise<Exchange> {
    if (this.#failure) throw this.#failure;
    this.#pending += 1;
    const id = this.#pending;
    const request = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    this.#socket.write(`${request}\n`);
    const reply = await new Promise<string>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    return { request, reply };
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  #receive(text: string): void {
    const message: unknown = JSON.parse(text);
    const refused = LocalReply.safeParse(message);
    if (refused.success && !refused.data.ok)
      this.#fail(new HarborError(refused.data.code, refused.data.message));
    const answer = Answer.safeParse(message);
    if (!answer.success) return;
    const { id } = answer.data;
    this.#waiting.get(id)?.resolve(text);
    this.#waiting.delete(id);
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
