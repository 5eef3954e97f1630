/** The processes of this machine, as Linux tells them in /proc (proc_pid_status(5)). */
import { readdirSync, readFileSync } from 'node:fs';

/** The pids of those named `name` that descend from `ancestor`, also through a sandbox. */
export function descendants(ancestor: number | undefined, name: string): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter(isPid)
      .map((pid) => [Number(pid), parentOf(pid)]),
  );
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent > 0 && (parent === ancestor || descends(parent));
  };
  return [...parents.keys()].filter((pid) => contentOf(`/proc/${pid}/comm`).trim() === name && descends(pid));
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
