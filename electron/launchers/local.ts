/** Starts images as ordinary processes of this user, without confinement: where no sandbox is to be had, or none is wanted. */
import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';
import { startChild } from './child';
import type { Launched, Launcher, Program } from './launcher';
import { ownProcess } from './own-process';

export class LocalLauncher implements Launcher {
  readonly sandbox: SandboxReport;

  /** `reason` is told to everyone who asks: why images are not sandboxed. */
  constructor(reason: string) {
    this.sandbox = { confined: false, launcher: 'local', reason };
  }

  /** The confinement is not enforced here; `sandbox` says so. */
  launch({ command, args, cwd, env }: Program, _confinement: Confinement): Launched {
    return ownProcess(startChild(command, args, { cwd, env }), this.sandbox);
  }
}
