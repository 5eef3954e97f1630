/**
 * The local endpoint for the stdio bridge and the command line: a unix socket (a named pipe on Windows) that
 * only this user can open. The first line of a connection must contain the bridge secret.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import { COMMAND_LINE_KEY, refuseReservedKey, STDIO_KEY } from '../../contract/known-clients';
import {
  type CommandHello,
  type EditorHello,
  failureReply,
  Hello,
  type LocalReply,
  MAX_HELLO_BYTES,
  type McpHello,
  type ReplHello,
  type ToolHello,
} from '../../contract/local-socket';
import type { Client, Scope } from '../../contract/model';
import { makeOwnFolder } from '../../host/data-folder';
import { exactJson } from '../../host/json';
import { addListeners } from '../../host/listeners';
import type { Toolbox } from '../../tools/toolbox';
import { answers, listen } from '../loopback';
import type { McpServices } from '../mcp/caller';
import { converse } from '../mcp/line-conversation';
import { serveEditor } from './editor-calls';
import { serveRepl, type Terminal } from './repl';
import { type ToolCallSessions, ToolCalls } from './tool-calls';

export type Commands = Readonly<Record<string, (args: unknown, client: Client) => Promise<unknown>>>;

interface LocalSocketOptions extends McpServices {
  secret: string;
  toolbox: Toolbox;
  /** Returns the client for a key: a program of this user. */
  clientFor(key: string): Client;
  commands: Commands;
  /**
   * Opens a terminal for `lisp-harbor repl`.
   * @throws HarborError why there is no session
   */
  openTerminal: (hello: ReplHello, client: Client, show: (text: string) => void) => Promise<Terminal>;
  /** Sessions of tool calls from the command line. */
  sessions: ToolCallSessions;
  helloTimeoutMs?: number;
}

const HELLO_TIMEOUT_MS = 5000;

/** Larger than the limit of HTTP requests, because the peer has shown the bridge secret. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export class LocalSocket {
  readonly #options: LocalSocketOptions;
  readonly #server: Server;
  readonly #toolCalls: ToolCalls;
  readonly #open = new Set<Socket>();
  readonly #ending = new Set<Promise<void>>();
  #path: string | null = null;

  constructor(options: LocalSocketOptions) {
    this.#options = options;
    this.#toolCalls = new ToolCalls(options);
    this.#server = createServer((socket) => void this.#accept(socket));
  }

  /**
   * Listens at `path`. The caller owns the data folder lock.
   * @throws HarborError `data_folder_in_use` if another harbor answers there
   */
  async listen(path: string): Promise<void> {
    await freeSocketPath(path);
    await listen(this.#server, { path });
    await restrictSocket(path);
    this.#path = path;
  }

  /** The path while it listens, else empty. */
  get addresses(): string[] {
    return this.#path === null ? [] : [this.#path];
  }

  /** Closes every conversation. Resolves when their sessions are closed too. */
  async close(): Promise<void> {
    this.#path = null;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#open) socket.destroy();
    await closed;
    await Promise.allSettled(this.#ending);
    await this.#toolCalls.end();
  }

  async #accept(socket: Socket): Promise<void> {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    socket.on('error', () => {
      // A disconnected peer is not an error. Each handler listens for `close`.
    });
    try {
      const hello = await readHello(socket, this.#options.helloTimeoutMs ?? HELLO_TIMEOUT_MS);
      this.#authenticate(hello);
      if (hello.kind === 'mcp') this.#converse(socket, hello);
      else if (hello.kind === 'repl') await this.#track(this.#repl(socket, hello));
      else if (hello.kind === 'tool') await this.#track(this.#tool(socket, hello));
      else if (hello.kind === 'editor') await this.#track(this.#editor(socket, hello));
      else reply(socket, { ok: true, value: await this.#command(hello) });
    } catch (error) {
      if (asFailure(error).code === 'internal') this.#options.log.error('The local socket failed', error);
      reply(socket, failureReply(error));
    }
  }

  #authenticate(hello: Hello): void {
    if (sameSecret(hello.secret, this.#options.secret)) return;
    throw new HarborError(
      'client_unknown',
      'The bridge secret does not match. It is in the file bridge.secret of the harbor’s data folder.',
    );
  }

  #converse(socket: Socket, { client: key, conversation, project, profile, engine }: McpHello): void {
    const { toolbox, clientFor } = this.#options;
    // The secret identifies a program of this user, so a peer cannot claim the key of the person at the
    // window.
    if (key !== STDIO_KEY) refuseReservedKey(key);
    const client = clientFor(key);
    const connection = toolbox.connect(client, {
      // Without a profile, the client has the one that the user chose for it. The command line of the client
      // is the user’s choice too.
      profile: profile ?? null,
      profileChosen: true,
      shared: false,
      ...(conversation !== undefined && { conversation: `over stdio, ${conversation}` }),
      ...(project !== undefined && { project }),
      ...(engine !== undefined && { engine }),
    });
    const caller = { connection, client, endpoint: 'stdio' };
    void this.#track(converse(this.#options, socket, caller, MAX_LINE_BYTES));
  }

  #repl(socket: Socket, hello: ReplHello): Promise<void> {
    const { openTerminal, clientFor } = this.#options;
    return serveRepl(socket, (show) => openTerminal(hello, clientFor(COMMAND_LINE_KEY), show));
  }

  #tool(socket: Socket, hello: ToolHello): Promise<void> {
    return this.#toolCalls.serve(socket, hello, this.#options.clientFor(COMMAND_LINE_KEY));
  }

  /** An editor is the user's own, so it may use every session. */
  #editor(socket: Socket, hello: EditorHello): Promise<void> {
    refuseReservedKey(hello.client);
    const { key, scopes } = this.#options.clientFor(hello.client);
    const client = { key, scopes: new Set<Scope>([...scopes, 'admin']) };
    return serveEditor(socket, { hello, client, calls: this.#toolCalls, sessions: this.#options.sessions });
  }

  /** Adds a task that `close` waits for. */
  #track(serving: Promise<void>): Promise<void> {
    this.#ending.add(serving);
    return serving.finally(() => this.#ending.delete(serving));
  }

  #command(hello: CommandHello): Promise<unknown> {
    const { commands, clientFor } = this.#options;
    const command = Object.hasOwn(commands, hello.command) ? commands[hello.command] : undefined;
    if (command === undefined) {
      const existing = Object.keys(commands).join(', ');
      throw new HarborError('bad_arguments', `There is no command ${hello.command}. Commands: ${existing}.`);
    }
    return command(hello.arguments, clientFor(COMMAND_LINE_KEY));
  }
}

function reply(socket: Socket, value: LocalReply): void {
  socket.end(`${JSON.stringify(value)}\n`);
}

// Reads the first line of a local connection and leaves the rest in the socket.

/** @throws HarborError `bad_arguments` if no valid hello arrives within `timeoutMs` */
export async function readHello(socket: Socket, timeoutMs: number): Promise<Hello> {
  const parsed = Hello.safeParse(parseJson(await firstLine(socket, timeoutMs)));
  if (parsed.success) return parsed.data;
  throw refused(`The first line is no hello: ${z.prettifyError(parsed.error)}`);
}

function parseJson(line: string): unknown {
  try {
    return exactJson(line);
  } catch {
    throw refused('The first line is not JSON.');
  }
}

function firstLine(socket: Socket, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      removeListeners();
      socket.pause();
      act();
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\n');
      if (end < 0 && bytes.length <= MAX_HELLO_BYTES) return;
      settle(() => {
        if (end < 0 || end > MAX_HELLO_BYTES)
          return reject(refused(`A hello has at most ${MAX_HELLO_BYTES} bytes.`));
        if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
        resolve(bytes.toString('utf8', 0, end));
      });
    };
    const onClose = (): void => settle(() => reject(refused('The connection closed before the hello.')));
    const timer = setTimeout(
      () => settle(() => reject(refused(`No hello arrived within ${timeoutMs / 1000} s.`))),
      timeoutMs,
    );
    const removeListeners = addListeners(socket, (on) => {
      on('data', onData);
      on('close', onClose);
    });
  });
}

function refused(message: string): HarborError {
  return new HarborError('bad_arguments', message);
}

// The secret of the harbor’s local socket, created once per data folder. Only this user can read the file,
// and confined images cannot see the data folder.

/**
 * Reads the secret, or creates one of 256 random bits. Called by the harbor while it owns the data folder
 * lock.
 */
export function createOrReadBridgeSecret(file: string): string {
  const existing = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (/^[0-9a-f]{64}$/.test(existing)) {
    chmodSync(file, 0o600);
    return existing;
  }
  const secret = randomBytes(32).toString('hex');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return secret;
}

/** Compares two secrets in constant time. */
function sameSecret(a: string, b: string): boolean {
  const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/** Named pipes of Windows are not in a folder. */
function isPipe(socketPath: string): boolean {
  return socketPath.startsWith('\\\\.\\pipe\\');
}

/**
 * Creates the folder and removes a socket left over from a crashed harbor.
 * @throws HarborError `data_folder_in_use` if a harbor answers there; `data_folder_unusable` if the folder is
 *   not private
 */
async function freeSocketPath(socketPath: string): Promise<void> {
  if (!isPipe(socketPath)) makeOwnFolder(path.dirname(socketPath));
  if (await answers(socketPath)) {
    throw new HarborError('data_folder_in_use', `Another harbor answers at ${socketPath}. Stop it first.`);
  }
  if (isPipe(socketPath)) return;
  await unlink(socketPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Called right after listening. Until then only the folder is private. */
async function restrictSocket(socketPath: string): Promise<void> {
  if (!isPipe(socketPath)) await chmod(socketPath, 0o600);
}
