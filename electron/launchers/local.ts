/** Starts images as ordinary processes of this user, without confinement: where no sandbox is to be had, or none is wanted. */
import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';
import { startChild } from './child';
import type { Launched, Launcher, Program } from './launcher';
import { usageOf } from './processes';

export class LocalLauncher implements Launcher {
  readonly sandbox: SandboxReport;

  /** `reason` is told to everyone who asks: why images are not sandboxed. */
  constructor(reason: string) {
    this.sandbox = { confined: false, launcher: 'local', reason };
  }

  /** The confinement is not enforced here; `sandbox` says so. */
  launch(program: Program, _confinement: Confinement): Launched {
    const child = startChild(program.command, program.args, { cwd: program.cwd, env: program.env });
    let gone = false;
    void child.ended.then(() => {
      gone = true;
    });
    return {
      wire: child.wire,
      stdout: child.stdout,
      stderr: child.stderr,
      sandbox: this.sandbox,
      signal: async (name) => child.signal(name),
      ended: child.ended,
      usage: (fork) => usageOf(gone ? null : (child.pid ?? null), fork),
    };
  }
}
