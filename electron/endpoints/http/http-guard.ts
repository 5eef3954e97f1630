/**
 * Who may speak to a server on localhost at all. A web page reaches it under another Host (DNS rebinding) or
 * with its own Origin, so both are compared whole with what this server is; another local program is kept out
 * by the token. Pure: the server acts on the answers.
 */

/** How a server is spoken to. */
export type Scheme = 'http' | 'https';

/** The names of this server with its port; `Host` is exactly one of them. */
export function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** @param hosts all that a request says; several are none, whichever comes first */
export function isOwnHost(hosts: readonly string[] | undefined, port: number): boolean {
  const [host, ...more] = hosts ?? [];
  return host !== undefined && more.length === 0 && ownHosts(port).includes(host);
}

/** Whether `Origin` is this server's own; `null`, another port and another scheme are not. */
export function isOwnOrigin(origin: string, port: number, scheme: Scheme): boolean {
  return ownHosts(port).some((host) => origin === `${scheme}://${host}`);
}

/** The token of `Authorization: Bearer …` (RFC 6750); undefined for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(authorization ?? '')?.[1];
}

/** What a page of our own origin may send, answered to its preflight; a foreign origin never gets these. */
export function preflightHeaders(origin: string): Record<string, string> {
  return {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
    'access-control-max-age': '600',
  };
}

/** 127.0.0.1 and localhost are two origins to a browser; both are ours. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version',
    vary: 'Origin',
  };
}
