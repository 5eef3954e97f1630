/**
 * The harbor's own endpoint on this computer: a unix socket (a named pipe on Windows) that only this user can open,
 * for the stdio bridge and the command line. Whoever enters shows the bridge secret in its first line.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { asFailure, HarborError } from '../../contract/errors';
import { COMMAND_LINE_KEY, refuseReservedKey, STDIO_KEY } from '../../contract/known-clients';
import {
  type CommandHello,
  failureReply,
  type Hello,
  type LocalReply,
  type McpHello,
  type ReplHello,
  type ToolHello,
} from '../../contract/local-socket';
import type { Client } from '../../contract/model';
import type { Toolbox } from '../../tools/connection';
import { converse } from '../mcp/line-conversation';
import type { McpServices } from '../mcp/mcp-conversation';
import type { Terminal } from '../terminal';
import { sameSecret } from './bridge-secret';
import { readHello } from './read-hello';
import { serveRepl } from './repl-connection';
import { freeSocketPath, restrictSocket } from './socket-path';
import { type ToolCallSessions, ToolCalls } from './tool-calls';

export type Commands = Readonly<Record<string, (args: unknown, client: Client) => Promise<unknown>>>;

export interface LocalSocketOptions extends McpServices {
  secret: string;
  toolbox: Toolbox;
  /** The client that a key stands for here: this user's own programs. */
  clientFor(key: string): Client;
  commands: Commands;
  /** A terminal for `lisp-harbor repl`. @throws HarborError why there is no session */
  openTerminal: (hello: ReplHello, client: Client, show: (text: string) => void) => Promise<Terminal>;
  /** Of tools that are called at the command line. */
  sessions: ToolCallSessions;
  helloTimeoutMs?: number;
}

const HELLO_TIMEOUT_MS = 5000;

/** Longer than any request over HTTP may be: whoever is here has shown the harbor's own secret. */
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
   * Listens at `path`; called by the holder of the data folder's lock.
   * @throws HarborError `data_folder_in_use` when somebody answers there already
   */
  async listen(path: string): Promise<void> {
    await freeSocketPath(path);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    await restrictSocket(path);
    this.#path = path;
  }

  /** Its path, while it listens. */
  get addresses(): string[] {
    return this.#path === null ? [] : [this.#path];
  }

  /** Ends every conversation; resolves when what they held has ended too. */
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
      // A peer that went away is no news; what depends on it hears `close`.
    });
    try {
      const hello = await readHello(socket, this.#options.helloTimeoutMs ?? HELLO_TIMEOUT_MS);
      this.#authenticate(hello);
      if (hello.kind === 'mcp') this.#converse(socket, hello);
      else if (hello.kind === 'repl') await this.#keep(this.#repl(socket, hello));
      else if (hello.kind === 'tool') await this.#keep(this.#tool(socket, hello));
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
      'The bridge secret does not match: it is in the file bridge.secret of the harbor’s data folder.',
    );
  }

  #converse(socket: Socket, { client: key, conversation, project, profile, engine }: McpHello): void {
    const { toolbox, clientFor } = this.#options;
    // Whoever has the bridge secret may speak as a program of this user, never as the person.
    if (key !== STDIO_KEY) refuseReservedKey(key);
    const client = clientFor(key);
    const connection = toolbox.connect(client, {
      // A client that names none has the one that a person chose for it; its command line is a person's as well.
      profile: profile ?? null,
      profileChosen: true,
      shared: false,
      ...(conversation !== undefined && { conversation: `over stdio, ${conversation}` }),
      ...(project !== undefined && { project }),
      ...(engine !== undefined && { engine }),
    });
    const caller = { connection, client, endpoint: 'stdio' };
    void this.#keep(converse(this.#options, socket, caller, MAX_LINE_BYTES));
  }

  #repl(socket: Socket, hello: ReplHello): Promise<void> {
    const { openTerminal, clientFor } = this.#options;
    return serveRepl(socket, (show) => openTerminal(hello, clientFor(COMMAND_LINE_KEY), show));
  }

  #tool(socket: Socket, hello: ToolHello): Promise<void> {
    return this.#toolCalls.serve(socket, hello, this.#options.clientFor(COMMAND_LINE_KEY));
  }

  /** Waited for when the socket is closed. */
  #keep(serving: Promise<void>): Promise<void> {
    this.#ending.add(serving);
    return serving.finally(() => this.#ending.delete(serving));
  }

  #command(hello: CommandHello): Promise<unknown> {
    const { commands, clientFor } = this.#options;
    const command = Object.hasOwn(commands, hello.command) ? commands[hello.command] : undefined;
    if (command === undefined) {
      const known = Object.keys(commands).join(', ');
      throw new HarborError('bad_arguments', `No command ${hello.command}. There are: ${known}.`);
    }
    return command(hello.arguments, clientFor(COMMAND_LINE_KEY));
  }
}

function reply(socket: Socket, value: LocalReply): void {
  socket.end(`${JSON.stringify(value)}\n`);
}
