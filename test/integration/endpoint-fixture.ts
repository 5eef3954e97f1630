/** A small honest harbor for endpoint tests: real endpoints over a toolbox whose tools show how they were called. */
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { GatedCall } from '../../electron/access/gate';
import { HarborError } from '../../electron/contract/errors';
import type { Client, Scope } from '../../electron/contract/model';
import { HttpServer } from '../../electron/endpoints/http-server';
import { type Commands, LocalSocket } from '../../electron/endpoints/local-socket';
import { McpHttp } from '../../electron/endpoints/mcp-http';
import type { CallGate, McpServices } from '../../electron/endpoints/mcp-server';
import type { Log } from '../../electron/log';
import type {
  CallContext,
  Connection,
  ConnectOptions,
  Toolbox,
  ToolListing,
  ToolResult,
} from '../../electron/tools/tool';

export const VERSION = '1.2.3';

/** A call of the tool `hold`, which answers when the test says so. */
export interface Held {
  args: unknown;
  context: CallContext;
  release(text: string): void;
}

function listing(name: string, scope: Scope): ToolListing {
  return {
    scope,
    tool: {
      name,
      title: name,
      description: `The tool ${name}.`,
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  };
}

const TOOLS = [
  listing('echo', 'read'),
  listing('big', 'read'),
  listing('fail', 'read'),
  listing('crash', 'read'),
  listing('who', 'read'),
  listing('hold', 'evaluate'),
];

/** Tools that show what reached them; `events` tells of `held` calls and of connections that `ended`. */
export class TestToolbox implements Toolbox {
  readonly profiles = ['default', 'other'];
  readonly events = new EventEmitter();
  readonly connections: (ConnectOptions & { client: string })[] = [];
  readonly echoed: unknown[] = [];
  live = 0;

  connect(client: Client, options: ConnectOptions): Connection {
    if (!this.profiles.includes(options.profile)) throw new HarborError('bad_arguments', 'No such profile.');
    if (options.project === '/' || client.key === 'homeless') {
      throw new HarborError('project_not_approved', 'The folder / is no project.');
    }
    this.connections.push({ ...options, client: client.key });
    this.live += 1;
    const number = this.connections.length;
    return {
      profile: options.profile,
      instructions: 'Use echo.',
      tools: TOOLS,
      call: (name, args, context) => this.#call(name, args, context, { client, number }),
      end: async () => {
        this.live -= 1;
        this.events.emit('ended', number);
      },
    };
  }

  /** The next call of `hold`. */
  async held(): Promise<Held> {
    const [held] = await once(this.events, 'held');
    return held;
  }

  async #call(
    name: string,
    args: unknown,
    context: CallContext,
    caller: { client: Client; number: number },
  ): Promise<ToolResult> {
    const text = typeof args === 'object' && args !== null && 'text' in args ? String(args.text) : '';
    switch (name) {
      case 'echo':
        this.echoed.push(text);
        return result(text);
      case 'big':
        return result('λ'.repeat(Number(text)));
      case 'who':
        return result(`${caller.client.key} ${caller.number}`);
      case 'fail':
        throw new HarborError('unknown_session', 'There is no session x. Open one.');
      case 'crash':
        throw new TypeError('a defect');
      default:
        return this.#hold(args, context);
    }
  }

  #hold(args: unknown, context: CallContext): Promise<ToolResult> {
    return new Promise((resolve, reject) => {
      const release = (text: string): void => resolve(result(text));
      context.signal.addEventListener('abort', () => {
        this.events.emit('aborted');
        reject(new Error('aborted'));
      });
      this.events.emit('held', { args, context, release } satisfies Held);
    });
  }
}

function result(text: string): ToolResult {
  return { structured: { text }, text, isError: false };
}

/** Checks scopes as the harbor's gate does, and keeps what passed. */
export class TestGate implements CallGate {
  readonly calls: GatedCall[] = [];

  async run<T extends ToolResult>(call: GatedCall, work: () => Promise<T>): Promise<T> {
    if (!call.client.scopes.has(call.scope))
      throw new HarborError('scope_missing', `${call.tool} needs ${call.scope}.`);
    this.calls.push(call);
    return work();
  }
}

export class TestLog implements Log {
  readonly errors: string[] = [];
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(message: string): void {
    this.errors.push(message);
  }
}

export interface Fixture {
  toolbox: TestToolbox;
  gate: TestGate;
  log: TestLog;
  services: McpServices;
}

export function fixture(): Fixture {
  const [toolbox, gate, log] = [new TestToolbox(), new TestGate(), new TestLog()];
  return { toolbox, gate, log, services: { gate, log, version: VERSION } };
}

const CLIENTS: Record<string, Client> = {
  'token-a': { key: 'a', scopes: new Set<Scope>(['read', 'evaluate']) },
  'token-b': { key: 'b', scopes: new Set<Scope>(['read', 'evaluate']) },
  'token-homeless': { key: 'homeless', scopes: new Set<Scope>(['read']) },
  'token-reader': { key: 'a', scopes: new Set<Scope>(['read']) },
};

export interface HttpFixture extends Fixture {
  mcp: McpHttp;
  server: HttpServer;
  port: number;
  close(): Promise<void>;
}

export async function httpFixture(timeouts?: { headersMs: number; requestMs: number }): Promise<HttpFixture> {
  const parts = fixture();
  const mcp = new McpHttp(parts.services, parts.toolbox);
  const server = new HttpServer({
    mcp,
    tokens: { verify: (token) => CLIENTS[token] ?? null },
    log: parts.log,
    version: VERSION,
    defaultProfile: 'default',
    ...(timeouts && { timeouts }),
  });
  const port = await server.listen(0);
  return { ...parts, mcp, server, port, close: () => server.close() };
}

export interface SocketFixture extends Fixture {
  folder: string;
  socketPath: string;
  /** Closes the socket and begins a new one at the same place, with the same tools. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export const SECRET = 'f'.repeat(64);

export function socketFixture(commands: Commands = {}): SocketFixture {
  const parts = fixture();
  const folder = mkdtempSync(path.join(tmpdir(), 'harbor-socket-'));
  const socketPath = path.join(folder, 'run', 'h.sock');
  const make = (): LocalSocket =>
    new LocalSocket({
      ...parts.services,
      toolbox: parts.toolbox,
      secret: SECRET,
      defaultProfile: 'default',
      clientFor: (key) => ({ key, scopes: new Set<Scope>(['read', 'evaluate']) }),
      commands,
      helloTimeoutMs: 200,
    });
  let socket = make();
  const stop = (): Promise<void> => socket.close();
  const start = (): Promise<void> => {
    socket = make();
    return socket.listen(socketPath);
  };
  const restart = async (): Promise<void> => {
    await stop();
    await start();
  };
  const remove = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...parts, folder, socketPath, start, stop, restart, remove };
}

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
      res.once('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: jsonOf(text) }),
      );
      res.once('error', reject);
    });
    req.once('error', reject);
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
