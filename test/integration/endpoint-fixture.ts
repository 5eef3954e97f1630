/** A small honest harbor for endpoint tests: real endpoints over a toolbox whose tools show how they were called. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LisplyBackend } from '../../electron/compat/lisply/lisply-backend';
import { LisplyHttp } from '../../electron/compat/lisply/lisply-http';
import type { Client, Scope } from '../../electron/contract/model';
import { HttpServer } from '../../electron/endpoints/http/http-server';
import { type Commands, LocalSocket } from '../../electron/endpoints/local/local-socket';
import { SharedConnections } from '../../electron/endpoints/mcp/caller';
import { McpHttp } from '../../electron/endpoints/mcp/mcp-http';
import type { MakeServer } from '../../electron/endpoints/mcp/mcp-server';
import { PATIENT } from '../started-harbor';
import { type Fixture, fixture, type TestToolbox, VERSION } from './endpoint-toolbox';

const CLIENTS: Record<string, Client> = {
  'token-a': { key: 'a', scopes: new Set<Scope>(['read', 'evaluate']) },
  'token-b': { key: 'b', scopes: new Set<Scope>(['read', 'evaluate']) },
  'token-homeless': { key: 'homeless', scopes: new Set<Scope>(['read']) },
  'token-evaluator': { key: 'e', scopes: new Set<Scope>(['evaluate']) },
  'token-reader': { key: 'a', scopes: new Set<Scope>(['read']) },
};

export interface HttpFixture extends Fixture {
  mcp: McpHttp;
  lisply: LisplyHttp;
  server: HttpServer;
  /** Of its MCP endpoint. */
  url: string;
  port: number;
  close(): Promise<void>;
}

export interface HttpFixtureOptions {
  timeouts?: { headersMs: number; requestMs: number };
  /** Instead of the harbor's own server. */
  serverFor?: (toolbox: TestToolbox) => MakeServer;
}

export async function httpFixture({ timeouts, serverFor }: HttpFixtureOptions = {}): Promise<HttpFixture> {
  const parts = fixture();
  const connections = new SharedConnections(parts.toolbox);
  const mcp = new McpHttp(parts.services, parts.toolbox, connections, serverFor?.(parts.toolbox));
  const connectionOf = (client: Client) => connections.of(client, 'default');
  const backend = new LisplyBackend({ gate: parts.gate, log: parts.log });
  const lisply = new LisplyHttp({ prefix: 'lisply', backend, connectionOf });
  const server = new HttpServer({
    mcp,
    mounts: [lisply],
    tokens: { verify: (token) => CLIENTS[token] ?? null },
    log: parts.log,
    version: VERSION,
    ...(timeouts && { timeouts }),
  });
  const port = await server.listen(0);
  const url = `http://127.0.0.1:${port}/mcp`;
  return { ...parts, mcp, lisply, server, url, port, close: () => server.close() };
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

/** @param helloTimeoutMs for tests of hellos that do not come */
export function socketFixture(
  commands: Commands = {},
  helloTimeoutMs: number = PATIENT.timeout,
): SocketFixture {
  const parts = fixture();
  const folder = mkdtempSync(path.join(tmpdir(), 'harbor-socket-'));
  const socketPath = path.join(folder, 'run', 'h.sock');
  const make = (): LocalSocket =>
    new LocalSocket({
      ...parts.services,
      toolbox: parts.toolbox,
      secret: SECRET,
      clientFor: (key) => ({ key, scopes: new Set<Scope>(['read', 'evaluate']) }),
      commands,
      openTerminal: () => Promise.reject(new Error('these tests have no Lisp')),
      sessions: {
        projectAt: (folder) => folder,
        named: async (name) => `named ${name}`,
        showOutput: () => () => undefined,
        watchEnds: () => () => undefined,
      },
      helloTimeoutMs,
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
