/** One harbor for the test files of a worker, which use it one after the other. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { dataFolder } from '../electron/host/data-folder';
import { RunningHarbor } from '../electron/host/running-harbor';
import { call } from './evaluation';
import { StartedHarbor } from './started-harbor';

let harbor: SharedHarbor | undefined;
let borrowings = 0;

/**
 * Returns the harbor with an empty project and a client of the file's own, without sessions. For files that need no
 * options and neither end nor break it. `stop` gives it back, and the end of the run ends it. Its history has rows
 * of other files: query it by session, by id or with `mine`.
 */
export async function sharedHarbor(): Promise<StartedHarbor> {
  if (harbor?.isUsable !== true) harbor = await SharedHarbor.begin();
  return harbor.lend();
}

class SharedHarbor extends StartedHarbor {
  /** The name of the file's client, over HTTP and stdio. */
  #key = '';
  /** The tokens of other clients, by name. */
  readonly #others = new Map<string, string>();

  static async begin(): Promise<SharedHarbor> {
    const { child, ready, data, project } = await StartedHarbor.start();
    return new SharedHarbor(child, ready, data, project, []);
  }

  get isUsable(): boolean {
    return !this.hasEnded;
  }

  async lend(): Promise<SharedHarbor> {
    const running = RunningHarbor.of(dataFolder(this.data));
    if (!running) throw new Error('the shared harbor has ended');
    borrowings += 1;
    const name = `file-${borrowings}`;
    const token = String(await running.command('issue-token', { name }));
    const lent = new SharedHarbor(this.child, { ...this.ready, token }, this.data, this.project, []);
    lent.#key = name;
    return lent;
  }

  override stdioClient(start: Parameters<StartedHarbor['stdioClient']>[0] = {}): Promise<Client> {
    return super.stdioClient({ key: this.#key, ...start });
  }

  override async token(name: string): Promise<string> {
    const token = await super.token(name);
    this.#others.set(name, token);
    return token;
  }

  override async stop(): Promise<number | null> {
    if (this.hasEnded) return this.child.exitCode;
    for (const token of [this.ready.token, ...this.#others.values()])
      await closeSessions(await this.client('legacy', { token }));
    await this.closeClients();
    for (const name of readdirSync(this.project))
      rmSync(path.join(this.project, name), { recursive: true, force: true, maxRetries: 5 });
    return 0;
  }
}

async function closeSessions(client: Client): Promise<void> {
  const { structured } = await call<{ sessions: { session: string }[] }>(client, 'images');
  for (const { session } of structured.sessions) await call(client, 'close_session', { session });
}
