/**
 * HTTP to one Lisply backend. No time limits: how long an evaluation takes is the backend's business. Only the origin that
 * it was made for is ever spoken to.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { HarborError } from '../../contract/errors';
import {
  addressText,
  type BackendRequest,
  type BackendResponse,
  type ServerAddress,
} from '../../contract/server';
import { GatheredBytes } from '../../host/gathered-bytes';
import { Agent, request as ask } from '../../host/node-http';
import { WireReader } from '../../host/wire-reader';

/** Bytes of the longest answer that is taken. */
const LONGEST_ANSWER = 40 * 1024 * 1024;

/** Headers that the harbor sets itself. */
const OURS = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade']);

export class BackendClient {
  readonly #server: ServerAddress;
  /** A connection for each request: one that is kept may be closed by the backend in the moment in which it is used. */
  readonly #agent = new Agent({ keepAlive: false });

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  /** The path of one of Lisply's endpoints, such as `ping-lisp`. */
  endpoint(name: string): string {
    return `/${this.#server.prefix ?? 'lisply'}/${name}`;
  }

  /** The answer, redirections included. @throws HarborError `engine_unavailable`, `bad_arguments`; what `signal` aborts */
  async send(request: BackendRequest, signal: AbortSignal): Promise<BackendResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<BackendResponse>();
    const sent = this.#open(request, signal);
    sent.on('error', (error) => reject(signal.aborted ? error : this.#unavailable(error)));
    sent.on('response', (response) => {
      readAnswer(response).then(resolve, (error: unknown) =>
        reject(signal.aborted ? error : this.#unavailable(error)),
      );
    });
    sent.end(request.body);
    return promise;
  }

  /** Whether it is there. @throws as `send` */
  ping(signal: AbortSignal): Promise<BackendResponse> {
    return this.send({ method: 'GET', path: this.endpoint('ping-lisp'), headers: {} }, signal);
  }

  /** Closes connections on which an answer is awaited. */
  close(): void {
    this.#agent.destroy();
  }

  #open({ method, path, headers, body }: BackendRequest, signal: AbortSignal): ClientRequest {
    const { host, port } = this.#server;
    const given = Object.entries(headers).filter(([name]) => !OURS.has(name.toLowerCase()));
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    try {
      return ask({
        host,
        port,
        method,
        path,
        headers: { ...Object.fromEntries(given), ...length },
        agent: this.#agent,
        signal,
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new HarborError('bad_arguments', `This request cannot be sent: ${why}.`);
    }
  }

  #unavailable(error: unknown): HarborError {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    return new HarborError(
      'engine_unavailable',
      `The backend at ${addressText(this.#server)} does not answer (${reason}). Start it there, or check host and port.`,
    );
  }
}

async function readAnswer(response: IncomingMessage): Promise<BackendResponse> {
  const body = await bodyOf(response);
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: body.toString('utf8'),
  };
}

/** In turns with all wires: a backend may send a byte at a time. */
function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const body = new GatheredBytes();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const framing = { read: (chunk: Buffer) => [chunk].values() };
  const reader = new WireReader(response, framing, {
    message: (chunk) => {
      if (body.size + chunk.length > LONGEST_ANSWER) throw new Error('the answer is too long');
      body.add(chunk);
    },
    lost: (reason) => response.destroy(new Error(reason)),
  });
  response.on('end', () => reader.whenRead(() => resolve(body.take())));
  response.on('error', reject);
  response.on('close', () => reader.whenRead(() => reject(new Error('the connection was closed'))));
  return promise;
}
