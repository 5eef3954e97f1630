/** Starts images as ordinary processes of this user, without confinement: where no sandbox is to be had, or none is wanted. */
import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';
import { startChild } from './child';
import type { Launched, Launcher, Program } from './launcher';
import { limitedProcess } from './own-process';
import { type ImageLimit, type ImageLimits, leftRunningGaps, UNLIMITED } from './process-limits';

/** What shells set by themselves. */
const OF_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'];

export class LocalLauncher implements Launcher {
  readonly sandbox: SandboxReport;
  readonly #limits: ImageLimits;

  /** `reason` is told to everyone who asks: why images are not sandboxed. `limits` as `imageLimits` found them. */
  constructor(reason: string, limits: ImageLimits = UNLIMITED) {
    this.#limits = limits;
    this.sandbox = { confined: false, launcher: 'local', reason, gaps: leftRunningGaps(limits) };
  }

  expectImage(): void {
    this.#limits.expectImage();
  }

  /** The confinement is not enforced here; `sandbox` says so.
   * @throws HarborError `engine_failed` when the host gives no limits any more */
  launch({ cwd, ...program }: Program, _confinement: Confinement): Launched {
    const limit = this.#limits.forImage();
    const { command, args, env } = within(limit, program);
    const child = startChild(command, args, { cwd, env, groups: limit.groups });
    return limitedProcess(child, this.sandbox, limit);
  }
}

type Started = Pick<Program, 'command' | 'args' | 'env'>;

/** The program behind what limits it, of whose environment it gets nothing. */
function within({ outside, env }: ImageLimit, program: Started): Started {
  const [command, ...args] = outside;
  if (command === undefined) return program;
  const added = [...Object.keys(env), ...OF_SHELLS].filter((name) => !Object.hasOwn(program.env, name));
  const cleared = added.flatMap((name) => ['-u', name]);
  return {
    command,
    args: [...args, '/usr/bin/env', ...cleared, program.command, ...program.args],
    env: { ...env, ...program.env },
  };
}
