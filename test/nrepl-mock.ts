/**
 * An nREPL server for tests that misbehaves as it is told: it answers what it must so that a session can be opened, and
 * leaves every evaluation to the test, which writes the bytes of the answer itself.
 */
import net from 'node:net';
import { BencodeDecoder, type BencodeValue } from '../electron/host/bencode';

export type MockRequest = Record<string, BencodeValue>;

/** Writes raw bytes of an answer; `id` is what the request was called. */
export type Respond = (bytes: string | Buffer) => void;

export type Serve = (request: MockRequest, respond: Respond, socket: net.Socket) => void;

export class MockNrepl {
  readonly port: number;
  /** Every byte that came, connection by connection. */
  readonly received: string[] = [];
  /** Every request, in the order they came. */
  readonly requests: MockRequest[] = [];
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  /** @param serve gets every `eval`, and whatever else `takes` names */
  static async start(serve: Serve, takes: readonly string[] = ['eval']): Promise<MockNrepl> {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new MockNrepl(server, serve, takes);
  }

  private constructor(server: net.Server, serve: Serve, takes: readonly string[]) {
    this.#server = server;
    this.port = (server.address() as net.AddressInfo).port;
    server.on('connection', (socket) => this.#serve(socket, serve, takes));
  }

  get connections(): number {
    return this.received.length;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: net.Socket, serve: Serve, takes: readonly string[]): void {
    const connection = this.received.push('') - 1;
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    const decoder = new BencodeDecoder();
    const take = (value: BencodeValue) => {
      const request = value as MockRequest;
      this.requests.push(request);
      const respond: Respond = (bytes) => void socket.write(bytes);
      if (takes.includes(String(request.op))) serve(request, respond, socket);
      else respond(usualAnswer(request));
    };
    socket.on('data', (chunk: Buffer) => {
      this.received[connection] += chunk.toString('latin1');
      for (const value of decoder.read(chunk)) take(value);
    });
  }
}

function usualAnswer({ op, id }: MockRequest): string {
  const begin = `d2:id${String(id).length}:${id}`;
  if (op === 'describe') return `${begin}3:opsd5:clonede4:evaldee6:statusl4:donee8:versionsdee`;
  if (op === 'clone') return `${begin}11:new-session4:mock6:statusl4:doneee`;
  return `${begin}6:statusl4:doneee`;
}

/** `id` of a request as the beginning of an answer's dictionary. */
export function answering({ id }: MockRequest): string {
  return `d2:id${String(id).length}:${id}`;
}
