/** An image whose process is the very child that a launcher has started: wrappers have become the engine (execve(2)). */
import type { SandboxReport } from '../contract/model';
import type { Child } from './child';
import type { Launched } from './launcher';
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
