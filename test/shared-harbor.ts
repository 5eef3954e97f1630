/** One harbor for the test files of a worker, which use it one after the other. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { dataFolder } from '../electron/host/data-folder';
import { RunningHarbor } from '../electron/host/running-harbor';
import { call } from './evaluation';
import { StartedHarbor } from './started-harbor';

let harbor: SharedHarbor | undefined;
let borrowings = 0;

/**
 * Returns the harbor with an empty project, and as a client of its own, without sessions. For files that need no
 * options and neither end nor break it; `stop` gives it back, and the end of the run ends it. Its history has rows of other files.
 */
export async function sharedHarbor(): Promise<StartedHarbor> {
  if (harbor?.isUsable !== true) harbor = await SharedHarbor.begin();
  return harbor.lend();
}

class SharedHarbor extends StartedHarbor {
  static async begin(): Promise<SharedHarbor> {
    const { child, ready, data, project } = await StartedHarbor.start();
    return new SharedHarbor(child, ready, data, project, []);
  }

  get isUsable(): boolean {
    return !this.hasEnded;
  }

  async lend(): Promise<SharedHarbor> {
    borrowings += 1;
    const running = RunningHarbor.of(dataFolder(this.data));
    if (!running) throw new Error('the shared harbor has ended');
    const token = String(await running.command('issue-token', { name: `file-${borrowings}` }));
    return new SharedHarbor(this.child, { ...this.ready, token }, this.data, this.project, []);
  }

  override async stop(): Promise<number | null> {
    if (this.hasEnded) return this.child.exitCode;
    const client = await this.client();
    const { structured } = await call<{ sessions: { session: string; client?: string }[] }>(client, 'images');
    for (const { session } of structured.sessions) await call(client, 'close_session', { session });
    await this.closeClients();
    for (const name of readdirSync(this.project))
      rmSync(path.join(this.project, name), { recursive: true, force: true, maxRetries: 5 });
    return 0;
  }
}
