/**
 * HTTP client for one Lisply backend. Has no time limits, because evaluations may take any time. Contacts
 * only its own origin.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { HarborError } from '../../contract/errors';
import {
  addressText,
  type BackendRequest,
  type BackendResponse,
  type ServerAddress,
} from '../../contract/server';
import { ByteAccumulator } from '../../host/line-reader';
import { Agent, request as sendRequest } from '../../host/node-http';
import { WireReader } from '../../host/wire-reader';

/** Maximum bytes of an answer. */
const LONGEST_ANSWER = 40 * 1024 * 1024;

/** Headers that are set here. */
const OURS = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade']);

export class BackendClient {
  readonly #server: ServerAddress;
  /** One connection per request: the backend may close an idle connection just when it is used. */
  readonly #agent = new Agent({ keepAlive: false });

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  /** Returns the path of a Lisply endpoint, such as `ping-lisp`. */
  endpoint(name: string): string {
    return `/${this.#server.prefix ?? 'lisply'}/${name}`;
  }

  /**
   * Sends a request and returns the answer, redirections included. @throws HarborError `engine_unavailable`,
   * `bad_arguments`; the abort error of `signal`
   */
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

  /** Sends a ping. @throws as `send` */
  ping(signal: AbortSignal): Promise<BackendResponse> {
    return this.send({ method: 'GET', path: this.endpoint('ping-lisp'), headers: {} }, signal);
  }

  /** Closes all connections, including pending requests. */
  close(): void {
    this.#agent.destroy();
  }

  #open({ method, path, headers, body }: BackendRequest, signal: AbortSignal): ClientRequest {
    const { host, port } = this.#server;
    const allowed = Object.entries(headers).filter(([name]) => !OURS.has(name.toLowerCase()));
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    try {
      return sendRequest({
        host,
        port,
        method,
        path,
        headers: { ...Object.fromEntries(allowed), ...length },
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
      `The backend at ${addressText(this.#server)} does not answer (${reason}). Start it, or check host and port.`,
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

/** Reads fairly with other wires, because a backend may send one byte at a time. */
function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const body = new ByteAccumulator();
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
