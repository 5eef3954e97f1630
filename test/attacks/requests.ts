/** HTTP requests from a web page in the user’s browser, or from a local program without a token. */

/** The app under attack. */
export interface Asked {
  port: number;
  token: string;
  /** The secret of its bridge, which is not a token. */
  secret: string;
}

export interface HostileRequest {
  name: string;
  from: 'a web page' | 'a program on this computer';
  /** Replaces headers of a client; undefined omits one, several are sent in sequence. */
  method?: string;
  target?: string | ((asked: Asked) => string);
  headers?: (asked: Asked) => Record<string, string | readonly string[] | undefined>;
  body?: string;
}

/** A client's first request. */
export const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

const page = (name: string, headers: HostileRequest['headers']): HostileRequest => ({
  ...{ name, from: 'a web page' },
  ...(headers ? { headers } : {}),
});
const program = (name: string, more: Omit<HostileRequest, 'name' | 'from'>): HostileRequest => ({
  ...{ name, from: 'a program on this computer' },
  ...more,
});

const host = (name: string, of: (port: number) => string | readonly string[] | undefined) =>
  page(name, ({ port }) => ({ host: of(port) }));
const origin = (name: string, of: (port: number) => string) =>
  page(name, ({ port }) => ({ origin: of(port) }));
const authorization = (name: string, of: (asked: Asked) => string | readonly string[] | undefined) =>
  program(name, { headers: (asked) => ({ authorization: of(asked) }) });

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  host('by a name that leads here', (port) => `evil.example:${port}`),
  host('by a name that begins as ours', (port) => `localhost.evil.example:${port}`),
  host('by a name that ends as ours', (port) => `evil.localhost:${port}`),
  host('by our name with a dot at its end', (port) => `localhost.:${port}`),
  host('by our address without a port', () => '127.0.0.1'),
  host('by our address with another port', (port) => `127.0.0.1:${port + 1}`),
  host('by our address with a port that begins alike', (port) => `127.0.0.1:${port}0`),
  host('by another address of this computer', (port) => `127.0.0.2:${port}`),
  host('by no address', (port) => `0.0.0.0:${port}`),
  host('by our address as a number', (port) => `2130706433:${port}`),
  host('by our address in IPv6', (port) => `[::1]:${port}`),
  host('by our address in IPv4 in IPv6', (port) => `[::ffff:127.0.0.1]:${port}`),
  host('by a user at our address', (port) => `evil@127.0.0.1:${port}`),
  host('by our address and a path', (port) => `127.0.0.1:${port}/evil`),
  host('by an empty name', () => ''),
  host('by no name', () => undefined),
  host('by two names', (port) => [`127.0.0.1:${port}`, 'evil.example']),
  host('by two names in one', (port) => `127.0.0.1:${port}, evil.example`),
  origin('from another site', () => 'https://evil.example'),
  origin('from a file', () => 'null'),
  origin('from an empty origin', () => ''),
  origin('from another port of this computer', (port) => `http://localhost:${port + 1}`),
  origin('from our address by another protocol', (port) => `https://127.0.0.1:${port}`),
  origin('from a site that begins as ours', (port) => `http://127.0.0.1:${port}.evil.example`),
  origin('from our address with a path', (port) => `http://127.0.0.1:${port}/`),
  origin('from the window', () => 'app://bundle'),
  origin('from an extension of the browser', () => 'chrome-extension://abcdefghijklmnop'),
  page('as a form would, without asking first', () => ({ 'content-type': 'text/plain' })),
  page('as a form with fields', () => ({ 'content-type': 'application/x-www-form-urlencoded' })),
  page('as a form with files', () => ({ 'content-type': 'multipart/form-data; boundary=x' })),
  page('as JSON that is not quite that', () => ({ 'content-type': 'application/json-patch' })),
  page('for a connection of another protocol', () => ({
    ...{ connection: 'Upgrade, close', upgrade: 'websocket', 'sec-websocket-version': '13' },
    ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', authorization: undefined },
  })),
  authorization('without a token', () => undefined),
  authorization('with an empty token', () => 'Bearer '),
  authorization('with another token', () => `Bearer ${'A'.repeat(43)}`),
  authorization('with the beginning of a token', ({ token }) => `Bearer ${token.slice(0, -1)}`),
  authorization('with more than a token', ({ token }) => `Bearer ${token}A`),
  authorization('with a token in another case', ({ token }) => `Bearer ${token.toLowerCase()}`),
  authorization('with a token and a space', ({ token }) => `Bearer ${token} x`),
  authorization('with a token of another kind', ({ token }) => `Basic ${token}`),
  authorization('with a token alone', ({ token }) => token),
  authorization('with the bridge’s secret', ({ secret }) => `Bearer ${secret}`),
  authorization('with a token that has no end', () => `Bearer ${'A'.repeat(12_000)}`),
  program('with the token in the address', {
    target: ({ token }) => `/mcp?token=${token}&access_token=${token}`,
    headers: () => ({ authorization: undefined }),
  }),
  program('with the token in a cookie', {
    headers: ({ token }) => ({ authorization: undefined, cookie: `token=${token}` }),
  }),
  program('for a profile that is not there', { target: '/mcp/__proto__' }),
  program('by a path with ..', { target: '/health/../mcp' }),
  program('by a path with two slashes', { target: '//mcp' }),
  program('by a path that is written otherwise', { target: '/%6dcp' }),
  program('by a whole address', { target: 'http://evil.example/mcp' }),
  program('as a proxy', { method: 'CONNECT', target: 'evil.example:443' }),
  program('to have its request told back', { method: 'TRACE' }),
  program('by a method that is none', { method: 'FOO' }),
  program('with a session of nobody', {
    headers: () => ({ 'mcp-session-id': '00000000-0000-0000-0000-000000000000' }),
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  }),
  program('with JSON that has no end', { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"' }),
  program('with a list of a thousand calls', {
    body: `[${Array(1000).fill('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').join()}]`,
  }),
  program('with JSON that is deeper than anybody reads', {
    body: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  }),
  program('with both ways to tell where the body ends', {
    headers: () => ({ 'transfer-encoding': 'chunked' }),
  }),
  program('with two lengths of the body', { headers: () => ({ 'content-length': ['1', '2'] }) }),
  program('with a length below nothing', { headers: () => ({ 'content-length': '-1' }) }),
  program('with a header that goes on in the next line', {
    headers: ({ token }) => ({ authorization: `Bearer\r\n ${token}` }),
  }),
  program('with more headers than anybody reads', { headers: () => ({ 'x-much': 'a'.repeat(100_000) }) }),
];
