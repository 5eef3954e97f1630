/** Raw HTTP exchanges and JSON-RPC messages of both eras, as endpoint tests send them. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The JSON of the body, or of the last event of an event stream. */
  json: {
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
    id?: unknown;
  };
}

export interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export const JSON_HEADERS = {
  authorization: 'Bearer token-a',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** One raw HTTP exchange, read to its end. */
export function ask(
  port: number,
  { method = 'POST', path: target = '/mcp', headers = JSON_HEADERS, body }: Ask,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = httpRequest({ host: '127.0.0.1', port, method, path: target, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        text += chunk;
      });
      res.once('error', reject);
      // An answer may come while the body is still being sent: the exchange is over when both are.
      req.once('close', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: jsonOf(text) }),
      );
    });
    req.on('error', reject);
    req.end(body);
  });
}

function jsonOf(text: string): Answer['json'] {
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map((match) => match[1] ?? '');
  const source = events.at(-1) ?? text;
  return source.startsWith('{') ? JSON.parse(source) : {};
}

/** A JSON-RPC request of the 2025 era. */
export function legacy(id: string | number, method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A JSON-RPC request of 2026-07-28, and the headers that must match it. */
export function modern(
  id: string | number,
  method: string,
  params: Record<string, unknown> = {},
): Required<Pick<Ask, 'headers' | 'body'>> {
  const headers: Record<string, string> = {
    ...JSON_HEADERS,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  };
  if (typeof params.name === 'string') headers['mcp-name'] = params.name;
  return {
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: modernMeta(params._meta) },
    }),
  };
}

export function modernMeta(extra: unknown = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(typeof extra === 'object' ? extra : {}),
  };
}

export function initialize(id: string | number = 0, protocolVersion = '2025-11-25'): string {
  return legacy(id, 'initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  });
}

/** Begins a 2025-era session; answers the headers that continue it. */
export async function openSession(
  port: number,
  headers: Record<string, string> = JSON_HEADERS,
  target = '/mcp',
): Promise<Record<string, string>> {
  const answer = await ask(port, { path: target, headers, body: initialize() });
  return { ...headers, 'mcp-session-id': String(answer.headers['mcp-session-id']) };
}
