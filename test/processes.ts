/** The processes of this machine, as Linux tells them in /proc (proc_pid_status(5)). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** ACL2 on GCL is a program of its own; on SBCL it is a core of that. */
const ACL2 = /^(?:saved_acl2|sbcl)$/;

/** The pids of those ACL2s that descend from `ancestor`, also through a sandbox. */
export function acl2Processes(ancestor: number | undefined): number[] {
  return descendants(ancestor).filter((pid) => ACL2.test(contentOf(`/proc/${pid}/comm`).trim()));
}

/** The pids of all processes that descend from `ancestor`, also through a sandbox. */
export function descendants(ancestor: number | undefined): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter(isPid)
      .map((pid) => [Number(pid), parentOf(pid)]),
  );
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent > 0 && (parent === ancestor || descends(parent));
  };
  return [...parents.keys()].filter(descends);
}

/** The descriptors that both processes have: the same socket, pipe or file in memory. */
export function sharedDescriptors(one: number, other: number): string[] {
  const theirs = new Set(descriptorsOf(other));
  return descriptorsOf(one).filter((each) => theirs.has(each));
}

/** What the descriptors of a process are, where that has a number or a name of its own. */
function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const links = namesIn(folder).map((fd) => linkOf(`${folder}/${fd}`));
  return links.filter((link) => /^(?:socket|pipe):|^\/memfd:|\(deleted\)$|\.db/.test(link));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** Bytes of memory that a process and its descendants of the same program take, each with its share of what it shares (Pss). */
export function memoryOfAll(ancestor: number): number {
  const program = linkOf(`/proc/${ancestor}/exe`);
  const same = [ancestor, ...descendants(ancestor)].filter((pid) => linkOf(`/proc/${pid}/exe`) === program);
  const shares = same.map((pid) =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(contentOf(`/proc/${pid}/smaps_rollup`))?.[1]),
  );
  return shares.reduce((sum, kilobytes) => sum + kilobytes * 1024, 0);
}

const isPid = (name: string): boolean => /^\d+$/.test(name);

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Empty for a process that has ended meanwhile. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Whether it has not ended; one that waits to be asked for its exit code has. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(contentOf(`/proc/${pid}/status`));
}
