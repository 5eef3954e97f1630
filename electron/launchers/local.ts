/**
 * Starts images as ordinary processes of this user, without confinement, if no sandbox is available or
 * wanted.
 */

import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';
import { type Child, startChild } from './child';
import type { Launched, Launcher, Program } from './launcher';
import {
  type ImageLimit,
  type ImageLimits,
  releaseLimit,
  survivingProgramGaps,
  UNLIMITED,
} from './process-limits';
import { activityOf, usageOf } from './processes';

/** Variables that shells set by themselves. */
const OF_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'];

export class LocalLauncher implements Launcher {
  readonly sandbox: SandboxReport;
  readonly #limits: ImageLimits;

  /**
   * @param reason why images are not sandboxed; shown to users and clients
   * @param limits result of `imageLimits`
   */
  constructor(reason: string, limits: ImageLimits = UNLIMITED) {
    this.#limits = limits;
    this.sandbox = { confined: false, launcher: 'local', reason, gaps: survivingProgramGaps(limits) };
  }

  expectImage(): void {
    this.#limits.expectImage();
  }

  /**
   * The confinement is not enforced; `sandbox` reports that.
   * @throws HarborError `engine_failed` if limits can no longer be set
   */
  launch({ cwd, ...program }: Program, _confinement: Confinement): Launched {
    const limit = this.#limits.forImage();
    const { command, args, env } = within(limit, program);
    const child = startChild(command, args, { cwd, env, groups: limit.groups });
    return limitedProcess(child, this.sandbox, limit);
  }
}

type Started = Pick<Program, 'command' | 'args' | 'env'>;

/**
 * Wraps the program in the command that limits it, and removes that command's variables from its environment.
 */
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

/**
 * Returns an image whose process is the launcher's direct child: wrappers have executed the engine
 * (execve(2)).
 */
function ownProcess(child: Child, sandbox: SandboxReport): Launched {
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  const pid = () => (hasEnded ? null : (child.pid ?? null));
  return {
    wire: child.wire,
    stdout: child.stdout,
    stderr: child.stderr,
    sandbox,
    signal: async (name) => child.signal(name),
    ended: child.ended,
    usage: (fork) => usageOf(pid(), fork),
    activity: async (fork) => {
      const activity = await activityOf(pid(), fork);
      return activity && { ...activity, bytesRead: child.bytesRead() };
    },
  };
}

/** Like `ownProcess`, with a limit that is released when the process has ended. */
export function limitedProcess(child: Child, sandbox: SandboxReport, limit: ImageLimit): Launched {
  const launched = ownProcess(child, sandbox);
  let isEnding = false;
  return {
    ...launched,
    signal: (name) => {
      isEnding ||= name === 'SIGKILL';
      return launched.signal(name);
    },
    ended: launched.ended.then((end) => releaseLimit(end, limit, end.signal === 'SIGKILL' && !isEnding)),
  };
}
