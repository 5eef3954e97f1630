/**
 * The one HTTP server of the harbor. Checks come cheapest and most general first: Host, Origin, path, method, token,
 * and only then the body, so nobody without a token gets anything parsed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../../contract/model';
import type { Log } from '../../host/log';
import type { LisplyHttp } from '../lisply/lisply-http';
import type { LisplyRoute } from '../lisply/lisply-route';
import { LOOPBACK } from '../loopback';
import { REFUSED } from '../mcp/json-rpc';
import type { McpHttp } from '../mcp/mcp-http';
import { type Certificate, readCertificate } from './certificate';
import { refuse, sendJson, setHeaders } from './http-answer';
import { bearerToken, corsHeaders, preflightHeaders } from './http-guard';
import { routeOf } from './http-route';
import { LoopbackHttp } from './loopback-http';

/** Knows the clients by their tokens. */
export interface TokenCheck {
  verify(token: string): Client | null;
}

export interface HttpServerOptions {
  mcp: McpHttp;
  lisply: LisplyHttp;
  tokens: TokenCheck;
  log: Log;
  version: string;
  timeouts?: { headersMs: number; requestMs: number };
}

const UNAUTHORIZED = 'Unauthorized: send Authorization: Bearer with a token that Lisp Harbor issued.';

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #http: LoopbackHttp;
  #secure: { http: LoopbackHttp; host: string } | null = null;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#http = this.#listener('--port');
  }

  /**
   * @param port 0 takes any free one
   * @returns the port
   * @throws HarborError `port_in_use`
   */
  listen(port: number): Promise<number> {
    return this.#http.listen(port);
  }

  /** Serves the same over TLS as well. @throws HarborError `port_in_use`, `bad_arguments` as `readCertificate` does */
  async listenTls({ port, cert, key }: { port: number; cert: string; key: string }): Promise<void> {
    const certificate = await readCertificate({ cert, key });
    const http = this.#listener('--https-port', certificate);
    await http.listen(port);
    this.#secure = { http, host: certificate.host };
  }

  /** The address of `/mcp` over TLS; null where that is not served. */
  get httpsUrl(): string | null {
    const port = this.#secure?.http.port ?? null;
    return this.#secure && port !== null ? `https://${this.#secure.host}:${port}/mcp` : null;
  }

  /** The address of `/mcp`; null while it does not listen. */
  get url(): string | null {
    return this.#http.port === null ? null : `http://${LOOPBACK}:${this.#http.port}/mcp`;
  }

  get addresses(): string[] {
    return [this.url, this.httpsUrl].filter((url) => url !== null);
  }

  /** Ends open streams and connections now; resolves when what they held has ended as well. */
  async close(): Promise<void> {
    const secure = this.#secure?.http;
    this.#secure = null;
    await Promise.all([this.#http.close(), secure?.close(), this.#options.mcp.close()]);
  }

  /** @param option that names its port @param certificate absent: without TLS */
  #listener(option: string, certificate?: Certificate): LoopbackHttp {
    const { log, timeouts } = this.#options;
    const answer = (req: IncomingMessage, res: ServerResponse) => this.#dispatch(req, res);
    return new LoopbackHttp({ option, answer, log, timeouts, ...(certificate && { certificate }) });
  }

  async #dispatch(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const { origin } = headers;
    const { mcp, lisply } = this.#options;
    const route = routeOf(method, url, {
      profiles: mcp.profiles,
      lisplyPrefix: lisply.prefix,
    });
    if (origin !== undefined && (route.to === 'mcp' || route.to === 'lisply'))
      setHeaders(res, corsHeaders(origin));
    switch (route.to) {
      case 'nowhere':
        return refuse(res, 404, REFUSED, route.message);
      case 'wrong-method':
        return refuse(res, 405, REFUSED, 'Method not allowed', { headers: { allow: route.allow } });
      case 'health':
        return sendJson(res, 200, { status: 'ok', version: this.#options.version });
      case 'preflight':
        res.writeHead(204, origin === undefined ? { allow: route.allow } : preflightHeaders(origin));
        res.end();
        return;
      case 'mcp':
        return this.#serveMcp(req, res, route.profile);
      case 'lisply':
        return this.#serveLisply(req, res, route);
    }
  }

  /** The client whose token the request carries; null says so to it. */
  #clientOf(req: IncomingMessage, res: ServerResponse): Client | null {
    const token = bearerToken(req.headers.authorization);
    const client = token === undefined ? null : this.#options.tokens.verify(token);
    if (client === null)
      res.setHeader('www-authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
    return client;
  }

  async #serveLisply(req: IncomingMessage, res: ServerResponse, route: LisplyRoute): Promise<void> {
    const client = this.#clientOf(req, res);
    if (client === null) return sendJson(res, 401, { success: false, error: UNAUTHORIZED });
    await this.#options.lisply.serve(req, res, { ...route, client });
  }

  async #serveMcp(req: IncomingMessage, res: ServerResponse, profile: string | null): Promise<void> {
    const client = this.#clientOf(req, res);
    if (client === null) return refuse(res, 401, REFUSED, UNAUTHORIZED);
    await this.#options.mcp.serve(req, res, { client, profile });
  }
}
