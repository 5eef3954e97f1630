/** A real harbor for tests: the built `serve` in this very runtime, on a data folder and a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { shareCores } from './shared-cores.ts';

export const ROOT = path.resolve(import.meta.dirname, '..');

/** For `expect.poll`: how long a condition may take on a busy machine. */
export const PATIENT = { timeout: 20_000 };

export interface ReadyLine {
  ready: true;
  mcp: string;
  token: string;
  lisply?: string;
  bridge?: number;
  bridgeSocket?: string;
  swank?: number;
  slynk?: number;
  nrepl?: number;
  tcp?: number;
  telnet?: number;
  telnetCode?: string;
  https?: number;
  pid: number;
}

/** The ways in which clients come in, for tests of what must be the same on each. */
export const WAYS = ['HTTP', 'stdio'] as const;
export type Way = (typeof WAYS)[number];

/**
 * One of them, for tests of what engines do: how a call and its result get through is the same for each tool and each engine, and
 * proven on every way by the tests of the ways themselves. It is the one with more on it, a process and a socket between.
 */
export const ONE_WAY: readonly Way[] = ['stdio'];

export type Era = 'legacy' | 'modern';

export interface ClientStart {
  profile?: string;
  /** What the client declares; nothing by default. */
  capabilities?: ClientCapabilities;
}

export interface StartOptions {
  /** Folders to go on with; they are then the caller's to remove. */
  data?: string;
  project?: string;
  /** What the settings file says. Unless it says so, or there is one already, no images are kept ready: nobody waits for them. */
  settings?: Readonly<Record<string, unknown>>;
  args?: readonly string[];
  /** Beside the environment of the tests; undefined takes a variable away. */
  env?: NodeJS.ProcessEnv;
  /** Instead of the built serve in this very runtime. */
  command?: ServeCommand;
}

type ServeCommand = readonly [string, ...string[]];

const BUILT: ServeCommand = [process.execPath, path.join(ROOT, 'out/electron/serve.js')];

export class StartedHarbor {
  readonly ready: ReadyLine;
  readonly data: string;
  readonly project: string;
  readonly child: ChildProcess;
  readonly #clients: Client[] = [];
  readonly #folders: readonly string[];

  static async start(options: StartOptions = {}): Promise<StartedHarbor> {
    const project = options.project ?? temporaryFolder('project');
    const data = options.data ?? temporaryFolder('data');
    shareCores(data);
    const settings = path.join(data, 'settings.json');
    if (options.settings || !existsSync(settings))
      writeFileSync(settings, JSON.stringify({ keepReady: false, ...options.settings }));
    const args = ['--data', data, '--project', project, '--port', '0', ...(options.args ?? [])];
    const child = spawnServe(args, options.env, options.command);
    const ready = await readyLine(child);
    const kept = [options.data, options.project];
    return new StartedHarbor(
      child,
      ready,
      data,
      project,
      [data, project].filter((folder) => !kept.includes(folder)),
    );
  }

  protected constructor(
    child: ChildProcess,
    ready: ReadyLine,
    data: string,
    project: string,
    folders: readonly string[],
  ) {
    this.child = child;
    this.ready = ready;
    this.data = data;
    this.project = project;
    this.#folders = folders;
  }

  /** An MCP client over HTTP in the era asked for (the SDK's second line). */
  async client(
    era: Era = 'legacy',
    { token = this.ready.token, profile, capabilities }: ClientStart & { token?: string } = {},
  ): Promise<Client> {
    const client = clientOf(era, capabilities);
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    const url = new URL(profile === undefined ? this.ready.mcp : `${this.ready.mcp}/${profile}`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    this.#clients.push(client);
    return client;
  }

  /** An MCP client that comes in by that way. */
  over(way: Way, profile?: string): Promise<Client> {
    const named = profile === undefined ? {} : { profile };
    return way === 'HTTP' ? this.client('legacy', named) : this.stdioClient(named);
  }

  /** An MCP client over the stdio entry; `key` names it. */
  async stdioClient({
    profile,
    key,
    era = 'legacy',
    capabilities,
  }: ClientStart & { key?: string; era?: Era } = {}): Promise<Client> {
    const client = clientOf(era, capabilities);
    const entry = path.join(ROOT, 'out/electron/stdio.js');
    const env = { ...(process.env as Record<string, string>), ELECTRON_RUN_AS_NODE: '1' };
    const named = [
      ...(profile === undefined ? [] : ['--profile', profile]),
      ...(key === undefined ? [] : ['--client', key]),
    ];
    const args = [entry, '--data', this.data, '--project', this.project, ...named];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    this.#clients.push(client);
    return client;
  }

  /** A client with a token of its own, issued as the command line does. */
  async otherClient(name: string): Promise<Client> {
    return this.client('legacy', { token: await this.token(name) });
  }

  /** A token for a client of that name. */
  async token(name: string): Promise<string> {
    const issuing = spawnServe(['--data', this.data, '--issue-token', name]);
    if (!issuing.stdout) throw new Error('serve was started without pipes');
    return (await text(issuing.stdout)).trim();
  }

  /** Ends it as a service manager would and answers its exit code. */
  async stop(): Promise<number | null> {
    await this.closeClients();
    const code = this.hasEnded ? this.child.exitCode : await this.#end();
    // Where it gave up on an image that would not end, that one may still write.
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    return code;
  }

  protected async closeClients(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }

  protected get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async #end(): Promise<number | null> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const [code] = await ended;
    return code as number | null;
  }
}

function clientOf(era: Era, capabilities: ClientCapabilities = {}): Client {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  return new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
}

/** Starts `serve` as it was built; stderr stays readable for the test. */
export function spawnServe(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  [program, ...before]: ServeCommand = BUILT,
): ChildProcess {
  return spawn(program, [...before, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env },
  });
}

/** Resolved, because the harbor names folders as the file system does. */
export function temporaryFolder(name: string): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), `lisp-harbor-${name}-`)));
}

async function readyLine(child: ChildProcess): Promise<ReadyLine> {
  if (!child.stdout || !child.stderr) throw new Error('serve was started without pipes');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const line = once(createInterface(child.stdout), 'line').then(
    ([text]) => JSON.parse(String(text)) as ReadyLine,
  );
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`serve ended with ${String(code)} before it was ready:\n${errors}`);
  });
  return Promise.race([line, ended]);
}

/** Ends a client's MCP session over HTTP, as DELETE does (2025 revisions). */
export async function terminate({ transport }: Client): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) throw new Error('not a session over HTTP');
  await transport.terminateSession();
}
