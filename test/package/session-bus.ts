/** A session bus of somebody else's, as a desktop starts one for whoever logs in; root may speak to it as well. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Nobody } from './nobody';

export class SessionBus {
  readonly address: string;
  readonly #child: ChildProcess;

  static async of(nobody: Nobody): Promise<SessionBus> {
    const words = ['dbus-daemon', '--session', '--nofork', '--print-address=1'];
    const [program, ...args] = nobody.command(...words, `--address=unix:path=${nobody.folder}/bus`);
    const child = spawn(program, args, { env: nobody.env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
    return new SessionBus(child, address);
  }

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  end(): void {
    this.#child.kill();
  }
}
