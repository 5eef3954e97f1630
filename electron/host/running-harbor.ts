/**
 * Sends commands to the harbor that owns a data folder. Every entry that finds the data folder in use does
 * this.
 */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { STDIO_KEY } from '../contract/known-clients';
import { LocalReply } from '../contract/local-socket';
import type { EngineName } from '../contract/model';
import { type DataFolder, makeOwnFolder } from './data-folder';
import { connectToHarbor } from './harbor-reach';
import { LineReader } from './line-reader';
import { LocalMcp } from './local-mcp';
import { type LockOwner, lockOwner, startTimeOf } from './lock-owner';

/** The state that a harbor reports to another start on its data folder. */
export const HarborSummary = z.object({
  kind: z.enum(['app', 'headless']),
  pid: z.number().int(),
  url: z.string().nullable(),
  sessions: z.array(z.string()),
});
export type HarborSummary = z.infer<typeof HarborSummary>;

/** Time limit of a requested stop, in milliseconds. */
const STOP_LIMIT_MS = 8_000;

export class RunningHarbor {
  readonly #folder: DataFolder;
  readonly #holder: LockOwner;

  /** Returns the harbor that owns the data folder, or null. */
  static of(folder: DataFolder): RunningHarbor | null {
    const holder = lockOwner(folder.lock);
    return holder === null || holder.kind === 'command' ? null : new RunningHarbor(folder, holder);
  }

  private constructor(folder: DataFolder, holder: LockOwner) {
    this.#folder = folder;
    this.#holder = holder;
  }

  async summary(): Promise<HarborSummary> {
    return HarborSummary.parse(await this.command('status'));
  }

  /** Stops the harbor. Resolves with true when the data folder is free. */
  async stop(): Promise<boolean> {
    await this.command('stop');
    const end = Date.now() + STOP_LIMIT_MS;
    while (lockOwner(this.#folder.lock) !== null) {
      if (Date.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return true;
  }

  /** @throws HarborError the error of the command */
  async command(name: string, args: unknown = {}): Promise<unknown> {
    return command(this.#holder.socket, await bridgeSecret(this.#folder), name, args);
  }

  /** Opens an MCP conversation as a program of this user. @throws HarborError why it failed */
  async mcp(hello: { client?: string; profile?: string; engine?: EngineName }): Promise<LocalMcp> {
    const secret = await bridgeSecret(this.#folder);
    return LocalMcp.open(this.#holder.socket, { secret, kind: 'mcp', client: STDIO_KEY, ...hello });
  }
}

/** Reads the secret that the local socket requires. */
export async function bridgeSecret(folder: DataFolder): Promise<string> {
  return (await readFile(folder.bridgeSecret, 'utf8')).trim();
}

/**
 * The registry file, by which other programs of this user find a running harbor: `<hash>.json` next to its
 * socket, one per data folder. It contains no secret: the address needs a token, and the command reads its
 * own.
 */
export interface RegistryEntry {
  /** Version of Lisp Harbor. */
  version: string;
  kind: 'app' | 'headless';
  dataFolder: string;
  /** URL of `/mcp`; null while it does not listen. */
  mcp: string | null;
  https: string | null;
  /** The command that speaks MCP over stdin and stdout, without a token. */
  stdio: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> };
}

/**
 * Writes the file atomically. It contains the process and its start time, by which a reader checks that the
 * harbor still runs.
 * @throws the system’s error
 */
export function writeRegistry(file: string, entry: RegistryEntry): void {
  makeOwnFolder(path.dirname(file));
  const { pid } = process;
  const draft = `${file}.${pid}`;
  const content = { format: 1, ...entry, pid, startTime: startTimeOf(pid) };
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function removeRegistry(file: string): void {
  rmSync(file, { force: true });
}

const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/**
 * Sends one command to the running harbor through its local socket.
 * @param args a JSON value, which the harbor validates
 * @throws HarborError the error of the command; `internal` if no harbor answers
 */
export async function command(
  socketPath: string,
  secret: string,
  name: string,
  args: unknown,
): Promise<unknown> {
  const hello = { secret, kind: 'command', command: name, arguments: args };
  const parsed = LocalReply.safeParse(JSON.parse(await exchange(socketPath, `${JSON.stringify(hello)}\n`)));
  if (!parsed.success)
    throw new HarborError('internal', 'The harbor sent an unexpected reply. It may be another version.');
  if (!parsed.data.ok) throw new HarborError(parsed.data.code, parsed.data.message);
  return parsed.data.value;
}

function exchange(socketPath: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = new LineReader(MAX_REPLY_BYTES);
    const socket = connectToHarbor(socketPath);
    socket.once('connect', () => socket.write(request));
    socket.on('data', (chunk) => {
      for (const line of lines.read(chunk)) {
        if ('text' in line) resolve(line.text);
        socket.destroy();
      }
    });
    socket.on('error', (error) =>
      reject(new HarborError('internal', `No harbor answers at ${socketPath}: ${error.message}`)),
    );
    socket.on('close', () =>
      reject(new HarborError('internal', 'The harbor closed the connection without a reply.')),
    );
  });
}
