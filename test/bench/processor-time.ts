/**
 * The time that processes have spent on a processor, from Linux's accounts of each thread: on a busy machine, where a clock
 * counts what others do, this still says what a call costs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Microseconds by thread: its process's name and its own. */
type ProcessorTime = ReadonlyMap<string, number>;

/** Of a process and all that descend from it. */
export function processorTime(root: number): ProcessorTime {
  const spent = new Map<string, number>();
  for (const pid of familyOf(root)) {
    for (const thread of threadsOf(pid)) {
      const folder = `/proc/${pid}/task/${thread}`;
      const [nanoseconds] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
      const name = `${nameIn(`/proc/${pid}`)} ${thread === pid ? 'main' : nameIn(folder)}`;
      spent.set(name, (spent.get(name) ?? 0) + Number(nanoseconds) / 1_000);
    }
  }
  return spent;
}

/** How often threads of a process and its descendants have left a processor, by waiting or because others ran. */
export function contextSwitches(root: number): number {
  let all = 0;
  for (const pid of familyOf(root))
    for (const thread of threadsOf(pid)) {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
      for (const [, count] of status.matchAll(/^(?:non)?voluntary_ctxt_switches:\s*(\d+)$/gm))
        all += Number(count);
    }
  return all;
}

/** What was spent since, by thread; those with the most first. */
export function spentSince(before: ProcessorTime, now: ProcessorTime): [string, number][] {
  const spent = [...now].map(([name, all]): [string, number] => [name, all - (before.get(name) ?? 0)]);
  return spent.sort(([, one], [, other]) => other - one);
}

/** None for a process that has ended meanwhile. */
function threadsOf(pid: string): string[] {
  return existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
}

function nameIn(folder: string): string {
  return readFileSync(`${folder}/comm`, 'utf8').trim();
}

function familyOf(root: number): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.flatMap((pid) => parentOf(pid)));
  const family = [String(root)];
  for (const pid of family)
    family.push(...[...parents].filter(([, parent]) => parent === pid).map(([child]) => child));
  return family;
}

/** None for one that has ended meanwhile. */
function parentOf(pid: string): [string, string][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return [[pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '']];
  } catch {
    return [];
  }
}
