/**
 * The HTTP server of the harbor. It checks Host, Origin, path, method and token before it reads the body, so
 * nothing is parsed for an unauthenticated client.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../../contract/model';
import type { Log } from '../../host/log';
import { LOOPBACK } from '../loopback';
import { REFUSED } from '../mcp/json-rpc';
import type { McpHttp } from '../mcp/mcp-http';
import { refuse, sendJson, setHeaders } from './http-messages';
import {
  bearerToken,
  type Certificate,
  corsHeaders,
  LoopbackHttp,
  preflightHeaders,
  readCertificate,
} from './loopback-http';

/** Maps tokens to clients. */
interface TokenCheck {
  verify(token: string): Client | null;
}

/** A protocol with its own paths next to `/mcp`, for clients with a token. */
export interface HttpMount {
  /** Returns null for a path that is not its own. */
  route(method: string, path: string): MountRoute | null;
}

export type MountRoute =
  | {
      to: 'mount';
      serve(req: IncomingMessage, res: ServerResponse, client: Client): Promise<void>;
      /** Returns the JSON body of a response that refuses the request. */
      failure(message: string): object;
    }
  | { to: 'preflight'; allow: string }
  | { to: 'wrong-method'; allow: string }
  | { to: 'nowhere'; message: string };

interface HttpServerOptions {
  mcp: McpHttp;
  mounts: readonly HttpMount[];
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
   * @param port 0 takes any free port
   * @returns the port
   * @throws HarborError `port_in_use`
   */
  listen(port: number): Promise<number> {
    return this.#http.listen(port);
  }

  /**
   * Also serves over TLS.
   * @throws HarborError `port_in_use`, and `bad_arguments` as `readCertificate`
   */
  async listenTls({ port, cert, key }: { port: number; cert: string; key: string }): Promise<void> {
    const certificate = await readCertificate({ cert, key });
    const http = this.#listener('--https-port', certificate);
    await http.listen(port);
    this.#secure = { http, host: certificate.host };
  }

  /** URL of `/mcp` over TLS; null if TLS is not served. */
  get httpsUrl(): string | null {
    const port = this.#secure?.http.port ?? null;
    return this.#secure && port !== null ? `https://${this.#secure.host}:${port}/mcp` : null;
  }

  /** URL of `/mcp`; null while the server does not listen. */
  get url(): string | null {
    return this.#http.port === null ? null : `http://${LOOPBACK}:${this.#http.port}/mcp`;
  }

  get addresses(): string[] {
    return [this.url, this.httpsUrl].filter((url) => url !== null);
  }

  /** Closes all streams and connections. Resolves when their sessions are closed too. */
  async close(): Promise<void> {
    const secure = this.#secure?.http;
    this.#secure = null;
    await Promise.all([this.#http.close(), secure?.close(), this.#options.mcp.close()]);
  }

  /**
   * @param option the option that names its port
   * @param certificate absent: plain HTTP
   */
  #listener(option: string, certificate?: Certificate): LoopbackHttp {
    const { log, timeouts } = this.#options;
    const answer = (req: IncomingMessage, res: ServerResponse) => this.#dispatch(req, res);
    return new LoopbackHttp({ option, answer, log, timeouts, ...(certificate && { certificate }) });
  }

  async #dispatch(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const { origin } = headers;
    const { mcp, mounts } = this.#options;
    const route = routeOf(method, url, {
      profiles: mcp.profiles,
      mounts: mounts.map((mount) => mount.route.bind(mount)),
    });
    if (origin !== undefined && (route.to === 'mcp' || route.to === 'mount'))
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
      case 'mount': {
        const client = this.#clientOf(req, res);
        if (client === null) return sendJson(res, 401, route.failure(UNAUTHORIZED));
        return route.serve(req, res, client);
      }
    }
  }

  /** Returns the client of the request’s token, or null after setting the `WWW-Authenticate` header. */
  #clientOf(req: IncomingMessage, res: ServerResponse): Client | null {
    const token = bearerToken(req.headers.authorization);
    const client = token === undefined ? null : this.#options.tokens.verify(token);
    if (client === null)
      res.setHeader('www-authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
    return client;
  }

  async #serveMcp(req: IncomingMessage, res: ServerResponse, profile: string | null): Promise<void> {
    const client = this.#clientOf(req, res);
    if (client === null) return refuse(res, 401, REFUSED, UNAUTHORIZED);
    await this.#options.mcp.serve(req, res, { client, profile });
  }
}

// Routes an HTTP request by method and path. Pure.

/** `profile` null: the profile chosen for the client. */
type Route =
  | { to: 'health' }
  | { to: 'mcp'; profile: string | null }
  | { to: 'preflight'; allow: string }
  | { to: 'nowhere'; message: string }
  | { to: 'wrong-method'; allow: string };

const MCP_METHODS = ['GET', 'POST', 'DELETE'];
const MCP_ALLOW = [...MCP_METHODS, 'OPTIONS'].join(', ');
const MCP_PATH = /^\/mcp(?:\/([a-z0-9-]+))?$/;

interface RouteOptions<M> {
  /** Names of the existing profiles. */
  profiles: readonly string[];
  /** Routes of other protocols, tried in this order. Each returns null for a path that is not its own. */
  mounts: readonly ((method: string, path: string) => M | null)[];
}

/** @param target the target of the request line, as sent */
export function routeOf<M>(method: string, target: string, { profiles, mounts }: RouteOptions<M>): Route | M {
  const path = target.split('?', 1)[0] ?? '';
  if (path === '/health') return method === 'GET' ? { to: 'health' } : { to: 'wrong-method', allow: 'GET' };
  const match = MCP_PATH.exec(path);
  if (match === null) {
    for (const mount of mounts) {
      const route = mount(method, path);
      if (route !== null) return route;
    }
    return { to: 'nowhere', message: 'Not found. The MCP endpoint is /mcp.' };
  }
  const profile = match[1] ?? null;
  if (profile !== null && !profiles.includes(profile)) {
    return { to: 'nowhere', message: `There is no profile ${profile}. Profiles: ${profiles.join(', ')}.` };
  }
  if (method === 'OPTIONS') return { to: 'preflight', allow: MCP_ALLOW };
  if (!MCP_METHODS.includes(method)) return { to: 'wrong-method', allow: MCP_ALLOW };
  return { to: 'mcp', profile };
}
