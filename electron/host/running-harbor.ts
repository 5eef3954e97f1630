/** Speaks to the harbor that holds a data folder: what every entry does that finds the folder taken. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { STDIO_KEY } from '../contract/known-clients';
import type { EngineName } from '../contract/model';
import type { DataFolder } from './data-folder';
import { command } from './local-client';
import { LocalMcp } from './local-mcp';
import { type Holder, lockHolder } from './lock-holder';

/** What a harbor tells of itself to another start on its data folder. */
export const HarborSummary = z.object({
  kind: z.enum(['app', 'headless']),
  pid: z.number().int(),
  url: z.string().nullable(),
  sessions: z.array(z.string()),
});
export type HarborSummary = z.infer<typeof HarborSummary>;

/** How long a harbor that was asked to end may take, in milliseconds. */
const STOP_LIMIT_MS = 8_000;

export class RunningHarbor {
  readonly #folder: DataFolder;
  readonly #holder: Holder;

  /** The harbor that holds the folder, or null when none does. */
  static of(folder: DataFolder): RunningHarbor | null {
    const holder = lockHolder(folder.lock);
    return holder === null || holder.kind === 'command' ? null : new RunningHarbor(folder, holder);
  }

  private constructor(folder: DataFolder, holder: Holder) {
    this.#folder = folder;
    this.#holder = holder;
  }

  async summary(): Promise<HarborSummary> {
    return HarborSummary.parse(await this.command('status'));
  }

  /** Asks it to end; true once the data folder is free. */
  async stop(): Promise<boolean> {
    await this.command('stop');
    const end = Date.now() + STOP_LIMIT_MS;
    while (lockHolder(this.#folder.lock) !== null) {
      if (Date.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return true;
  }

  /** @throws HarborError what the command failed with */
  async command(name: string, args: unknown = {}): Promise<unknown> {
    return command(this.#holder.socket, await bridgeSecret(this.#folder), name, args);
  }

  /** A conversation of MCP, as a program of this user. @throws HarborError why there is none */
  async mcp(asked: { client?: string; profile?: string; engine?: EngineName }): Promise<LocalMcp> {
    const secret = await bridgeSecret(this.#folder);
    return LocalMcp.open(this.#holder.socket, { secret, kind: 'mcp', client: STDIO_KEY, ...asked });
  }
}

/** What whoever comes to the local socket shows. */
export async function bridgeSecret(folder: DataFolder): Promise<string> {
  return (await readFile(folder.bridgeSecret, 'utf8')).trim();
}
