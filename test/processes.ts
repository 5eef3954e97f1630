/** The processes of this machine, as Linux tells them in /proc (proc_pid_status(5)). */
import { readdirSync, readFileSync } from 'node:fs';

/** ACL2 on GCL is a program of its own; on SBCL it is a core of that. */
const ACL2 = /^(?:saved_acl2|sbcl)$/;

/** The pids of those ACL2s that descend from `ancestor`, also through a sandbox. */
export function acl2Processes(ancestor: number | undefined): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter(isPid)
      .map((pid) => [Number(pid), parentOf(pid)]),
  );
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent > 0 && (parent === ancestor || descends(parent));
  };
  return [...parents.keys()].filter(
    (pid) => ACL2.test(contentOf(`/proc/${pid}/comm`).trim()) && descends(pid),
  );
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
