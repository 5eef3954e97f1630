/**
 * The one HTTP server of the harbor, on 127.0.0.1 and nowhere else. Checks come cheapest and most general first:
 * Host, Origin, path, method, token, and only then the body, so nobody without a token gets anything parsed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Client } from '../contract/model';
import type { Log } from '../log';
import { readJson } from './http-body';
import { bearerToken, corsHeaders, isOwnHost, isOwnOrigin, preflightHeaders } from './http-guard';
import { routeOf } from './http-route';
import { errorMessage, INTERNAL_ERROR, REFUSED } from './json-rpc';
import { LOOPBACK, listenOnLoopback } from './loopback';
import type { McpHttp } from './mcp-http';
import { goneSignal, webRequest, writeResponse } from './web-exchange';

/** How long a client may take to send a request; how long an answer takes is never limited. */
const DEFAULT_TIMEOUTS = { headersMs: 10_000, requestMs: 30_000 };

/** Knows the clients by their tokens. */
export interface TokenCheck {
  verify(token: string): Client | null;
}

export interface HttpServerOptions {
  mcp: McpHttp;
  tokens: TokenCheck;
  log: Log;
  version: string;
  /** Profile of `/mcp`. */
  defaultProfile: string;
  timeouts?: { headersMs: number; requestMs: number };
}

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  #port = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { headersMs, requestMs } = options.timeouts ?? DEFAULT_TIMEOUTS;
    const settings = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(headersMs, 5000),
      keepAliveTimeout: 60_000,
      maxHeaderSize: 16 * 1024,
    };
    this.#server = createServer(settings, (req, res) => void this.#answer(req, res));
  }

  /**
   * @param port 0 takes any free one
   * @returns the port
   * @throws HarborError `port_in_use`
   */
  async listen(port: number): Promise<number> {
    this.#port = await listenOnLoopback(this.#server, port, '--port');
    return this.#port;
  }

  /** The address of `/mcp`, once listening. */
  get url(): string {
    return `http://${LOOPBACK}:${this.#port}/mcp`;
  }

  /** Ends open streams and connections now; resolves when what they held has ended as well. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const ended = this.#options.mcp.close();
    this.#server.closeAllConnections();
    await Promise.all([closed, ended]);
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#dispatch(req, res);
    } catch (error) {
      if (res.destroyed || req.errored) return;
      this.#options.log.error('An HTTP request failed', error);
      if (res.headersSent) res.destroy();
      else refuse(res, 500, INTERNAL_ERROR, 'Internal error');
    }
  }

  async #dispatch(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    if (!isOwnHost(headers.host, this.#port)) return refuse(res, 403, REFUSED, 'Invalid Host');
    const { origin } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, this.#port))
      return refuse(res, 403, REFUSED, 'Invalid Origin');
    const route = routeOf(method, url, this.#options.mcp.profiles, this.#options.defaultProfile);
    switch (route.to) {
      case 'nowhere':
        return refuse(res, 404, REFUSED, route.message);
      case 'wrong-method':
        return refuse(res, 405, REFUSED, 'Method not allowed', { allow: route.allow });
      case 'health':
        return sendJson(res, 200, { status: 'ok', version: this.#options.version });
      case 'preflight':
        res.writeHead(
          204,
          origin === undefined ? { allow: 'GET, POST, DELETE, OPTIONS' } : preflightHeaders(origin),
        );
        res.end();
        return;
      case 'mcp':
        if (origin !== undefined) setHeaders(res, corsHeaders(origin));
        return this.#serveMcp(req, res, route.profile);
    }
  }

  async #serveMcp(req: IncomingMessage, res: ServerResponse, profile: string): Promise<void> {
    const token = bearerToken(req.headers.authorization);
    const client = token === undefined ? null : this.#options.tokens.verify(token);
    if (client === null) {
      const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      const message = 'Unauthorized: send Authorization: Bearer with a token that Lisp Harbor issued.';
      return refuse(res, 401, REFUSED, message, { 'www-authenticate': challenge });
    }
    const gone = goneSignal(res);
    const closed = new Promise((resolve) => res.once('close', resolve));
    const body = req.method === 'POST' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return refuse(res, body.status, body.code, body.message);
    const exchange = { request: webRequest(req, gone), body: body.value, client, profile, closed };
    await writeResponse(await this.#options.mcp.handle(exchange), res);
  }
}

function setHeaders(res: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function refuse(
  res: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  setHeaders(res, headers);
  sendJson(res, status, errorMessage(null, code, message));
}

function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
