/**
 * An HTTP server that listens on 127.0.0.1 only. It rejects requests with a foreign Host or Origin before
 * they reach the handler.
 */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HarborError } from '../../contract/errors';
import type { Log } from '../../host/log';
import { createServer, createTlsServer } from '../../host/node-http';
import { LOOPBACK, listenOnLoopback } from '../loopback';
import { INTERNAL_ERROR, REFUSED } from '../mcp/json-rpc';
import { refuse } from './http-messages';

/** Time limits for receiving a request. Responses have no time limit. */
const DEFAULT_TIMEOUTS = { headersMs: 10_000, requestMs: 30_000 };

interface LoopbackHttpOptions {
  /** The option that names its port, for error messages. */
  option: string;
  /** Handles a request that passed the checks. */
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  log: Log;
  /** If present, the server speaks TLS. */
  certificate?: Certificate;
  timeouts?: { headersMs: number; requestMs: number } | undefined;
}

export class LoopbackHttp {
  readonly #options: LoopbackHttpOptions;
  readonly #server: Server;
  /** Connections that close after the current response. */
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

  /** null until the server listens. */
  get port(): number | null {
    return this.#port;
  }

  /**
   * @param port 0 takes any free port
   * @returns the port
   * @throws HarborError `port_in_use`
   */
  async listen(port: number): Promise<number> {
    this.#port = await listenOnLoopback(this.#server, port, this.#options.option);
    return this.#port;
  }

  /** Closes all connections immediately. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    this.#port = null;
    await closed;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Requests pipelined after a rejected one are ignored.
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

  /** Reports whether the request may reach the handler. Rejects it otherwise. */
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

// Checks whether a request may reach a server on localhost. A web page reaches it under another Host (DNS
// rebinding) or with its own Origin, so both must match this server exactly. Other local programs are
// rejected by the token. Pure.

type Scheme = 'http' | 'https';

/** Returns the accepted values of `Host`. */
function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** @param hosts all Host headers of the request. More than one is never accepted */
export function isOwnHost(hosts: readonly string[] | undefined, port: number): boolean {
  const [host, ...more] = hosts ?? [];
  return host !== undefined && more.length === 0 && ownHosts(port).includes(host);
}

/** Reports whether `Origin` is this server’s own. `null`, another port and another scheme are not. */
export function isOwnOrigin(origin: string, port: number, scheme: Scheme): boolean {
  return ownHosts(port).some((host) => origin === `${scheme}://${host}`);
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750), or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(authorization ?? '')?.[1];
}

/** Returns the CORS headers for a preflight from our own origin. A foreign origin never receives them. */
export function preflightHeaders(origin: string): Record<string, string> {
  return {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
    'access-control-max-age': '600',
  };
}

/** A browser treats 127.0.0.1 and localhost as two origins. Both are ours. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version',
    vary: 'Origin',
  };
}

export interface Certificate {
  /** PEM files as read: the certificate chain, and the private key of its first certificate. */
  cert: Buffer;
  key: Buffer;
  /** The name of this machine in the certificate: `localhost` or 127.0.0.1. */
  host: string;
}

/**
 * Reads and checks the certificate for HTTPS.
 * @param files paths of the PEM files
 * @param now milliseconds since the epoch
 * @throws HarborError `bad_arguments` if the files are not a certificate and its key, if the certificate is
 *   not valid now, or if it names neither localhost nor 127.0.0.1, which are the only names that the harbor
 *   accepts
 */
export async function readCertificate(
  files: { cert: string; key: string },
  now: number = Date.now(),
): Promise<Certificate> {
  const cert = await bytesOf(files.cert, '--cert');
  const key = await bytesOf(files.key, '--key');
  const certificate = certificateOf(cert, files.cert);
  if (!certificate.checkPrivateKey(keyOf(key, files.key)))
    throw refused(`--key ${files.key} is not the key of the certificate in ${files.cert}.`);
  requireValid(certificate, files.cert, now);
  return { cert, key, host: hostOf(certificate, files.cert) };
}

async function bytesOf(file: string, option: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw refused(`${option} ${file} cannot be read: ${messageOf(error)}.`);
  }
}

function certificateOf(cert: Buffer, file: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw refused(`--cert ${file} is not a PEM certificate. It must begin with -----BEGIN CERTIFICATE-----.`);
  }
}

function keyOf(key: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch {
    throw refused(`--key ${file} is not a PEM private key without a passphrase.`);
  }
}

function requireValid({ validFrom, validTo }: X509Certificate, file: string, now: number): void {
  if (Date.parse(validFrom) > now)
    throw refused(`The certificate in ${file} is not valid before ${validFrom}.`);
  if (Date.parse(validTo) < now) throw refused(`The certificate in ${file} expired on ${validTo}.`);
}

function hostOf(certificate: X509Certificate, file: string): string {
  if (certificate.checkHost('localhost') !== undefined) return 'localhost';
  if (certificate.checkIP(LOOPBACK) !== undefined) return LOOPBACK;
  const names = certificate.subjectAltName ?? certificate.subject;
  throw refused(`The certificate in ${file} names neither localhost nor ${LOOPBACK}, only ${names}.`);
}

function refused(message: string): HarborError {
  return new HarborError('bad_arguments', message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
