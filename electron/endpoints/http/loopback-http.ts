/**
 * An HTTP server on 127.0.0.1 and nowhere else, which answers only who knows it by its own Host and comes from no other
 * Origin. What it serves is given to it, and comes after these checks.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../host/log';
import { createServer, createTlsServer } from '../../host/node-http';
import { listenOnLoopback } from '../loopback';
import { INTERNAL_ERROR, REFUSED } from '../mcp/json-rpc';
import type { Certificate } from './certificate';
import { refuse } from './http-answer';
import { isOwnHost, isOwnOrigin } from './http-guard';

/** How long a client may take to send a request; how long an answer takes is never limited. */
const DEFAULT_TIMEOUTS = { headersMs: 10_000, requestMs: 30_000 };

export interface LoopbackHttpOptions {
  /** The option that names its port, for the message when it is in use. */
  option: string;
  /** Answers a request that may be here. */
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  log: Log;
  /** With it, TLS is spoken. */
  certificate?: Certificate;
  timeouts?: { headersMs: number; requestMs: number } | undefined;
}

export class LoopbackHttp {
  readonly #options: LoopbackHttpOptions;
  readonly #server: Server;
  /** Connections that end with the answer that is under way. */
  readonly #refused = new WeakSet<Socket>();
  #port: number | null = null;

  constructor(options: LoopbackHttpOptions) {
    this.#options = options;
    const { certificate, timeouts } = options;
    const { headersMs, requestMs } = timeouts ?? DEFAULT_TIMEOUTS;
    const settings = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(headersMs, 5000),
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16 * 1024,
    };
    const answer = (req: IncomingMessage, res: ServerResponse): void => void this.#answer(req, res);
    this.#server = certificate
      ? createTlsServer({ ...settings, ...certificate, handshakeTimeout: headersMs }, answer)
      : createServer(settings, answer);
  }

  /** null until it listens. */
  get port(): number | null {
    return this.#port;
  }

  /**
   * @param port 0 takes any free one
   * @returns the port
   * @throws HarborError `port_in_use`
   */
  async listen(port: number): Promise<number> {
    this.#port = await listenOnLoopback(this.#server, port, this.#options.option);
    return this.#port;
  }

  /** Ends its connections now. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    this.#port = null;
    await closed;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // What was sent behind a request that was refused is not looked at.
    if (this.#refused.has(req.socket)) return;
    try {
      if (this.#mayBeHere(req, res)) await this.#options.answer(req, res);
    } catch (error) {
      if (res.destroyed || req.errored) return;
      this.#options.log.error('An HTTP request failed', error);
      if (res.headersSent) res.destroy();
      else refuse(res, 500, INTERNAL_ERROR, 'Internal error');
    }
  }

  /** Refuses the others. */
  #mayBeHere(req: IncomingMessage, res: ServerResponse): boolean {
    const { headers, headersDistinct } = req;
    const { origin } = headers;
    const port = this.#port;
    const scheme = this.#options.certificate ? 'https' : 'http';
    const wrong =
      port === null || !isOwnHost(headersDistinct.host, port)
        ? 'Invalid Host'
        : origin !== undefined && !isOwnOrigin(origin, port, scheme) && 'Invalid Origin';
    if (!wrong) return true;
    this.#refused.add(req.socket);
    res.setHeader('connection', 'close');
    refuse(res, 403, REFUSED, wrong);
    return false;
  }
}
