/** What code has left running ends with its session, also what has left its process group; or it is told that it may go on. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import type { EscapePlace } from './escape-attempts';
import { tried } from './escape-place';

/** Ends the session. @param code that runs bash on a file */
export async function expectNoneLeft(
  session: Session,
  place: EscapePlace,
  code: (file: string) => string,
): Promise<void> {
  const { gaps = [] } = session.view().sandbox;
  const mark = `3${process.pid}.${session.id.replace(/\D/g, '')}31415`;
  const script = `for each in $(seq 10); do sleep ${mark} > /dev/null & setsid sleep ${mark} > /dev/null & done`;
  await tried(session, { name: '', script, provable: false }, place, code);
  await expect.poll(() => running(mark).length, PATIENT).toBe(20);
  await session.end();
  if (gaps.some((gap) => gap.includes('leaves running'))) for (const pid of running(mark)) end(pid);
  await expect.poll(() => running(mark).length, PATIENT).toBe(0);
}

/** Ends a process, if it has not ended since it was found. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** Processes of this computer whose command line has the mark. */
function running(mark: string): number[] {
  const commandLine = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(mark))
    .map(Number);
}
