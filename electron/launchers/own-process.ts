/** An image whose process is the very child that a launcher has started: wrappers have become the engine (execve(2)). */
import type { SandboxReport } from '../contract/model';
import type { Child } from './child';
import type { Launched } from './launcher';
import { type ImageLimit, released } from './process-limits';
import { activityOf, usageOf } from './processes';

export function ownProcess(child: Child, sandbox: SandboxReport): Launched {
  let gone = false;
  void child.ended.then(() => {
    gone = true;
  });
  const pid = () => (gone ? null : (child.pid ?? null));
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
      return activity && { ...activity, heard: child.heard() };
    },
  };
}

/** As `ownProcess`, within a limit, which is released when the process has ended. */
export function limitedProcess(child: Child, sandbox: SandboxReport, limit: ImageLimit): Launched {
  const launched = ownProcess(child, sandbox);
  let isEnding = false;
  return {
    ...launched,
    signal: (name) => {
      isEnding ||= name === 'SIGKILL';
      return launched.signal(name);
    },
    ended: launched.ended.then((end) => released(end, limit, end.signal === 'SIGKILL' && !isEnding)),
  };
}
