/** The interrupt ladder where an image hardly gets a processor: what is slow is waited for, and never ended as stuck. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { PATIENT } from '../started-harbor';
import { evaluate, sessionsFixture } from './sessions-fixture';

const LOOP = 'while :; do :; done';

/** Keeps one processor busy, no longer than the tests run, and has all threads of the image ask for no other, politely. */
function starve(pid: number): void {
  const hog = spawn('setpriv', ['--pdeathsig', 'KILL', 'taskset', '-c', '0', 'sh', '-c', LOOP], {
    stdio: 'ignore',
  });
  onTestFinished(() => void hog.kill('SIGKILL'));
  execFileSync('taskset', ['-a', '-c', '-p', '0', `${pid}`], { stdio: 'ignore' });
  execFileSync('renice', ['-n', '10', '-g', `${pid}`], { stdio: 'ignore' });
  // Each process group has a share of its own, unless the kernel leaves that out (sched(7), autogroups).
  if (existsSync(`/proc/${pid}/autogroup`)) writeFileSync(`/proc/${pid}/autogroup`, '10');
}

it.skipIf(process.platform !== 'linux')(
  'an interrupt keeps the state of what cannot stop at once',
  async () => {
    const { sessions, open } = sessionsFixture();
    const session = await open();
    await evaluate(session, '(defvar *kept* 7)').settled;
    await session.refreshUsage();
    let printed = '';
    sessions.events.on('output', ({ text }) => {
      printed += text;
    });
    // Less than a second of work: here it takes more seconds than the ladder has for an image that is stuck.
    const code = `(progn (write-line "ready") (finish-output) (read-line *standard-input* nil)
    (sb-sys:without-interrupts
      (let ((end (+ (get-internal-run-time) (floor (* 7 internal-time-units-per-second) 10))))
        (loop until (> (get-internal-run-time) end))))
    (loop))`;
    const evaluation = evaluate(session, code);
    await expect.poll(() => printed, PATIENT).toContain('ready');
    starve(session.view().pid ?? 0);
    expect(await session.interrupt('tester')).toBe(true);
    expect(await evaluation.settled).toMatchObject({ outcome: 'interrupted' });
    const kept = await evaluate(session, '*kept*').settled;
    expect(kept.forms.flatMap(({ values }) => values)).toEqual(['7']);
    expect(session.generation).toBe(1);
  },
  300_000,
);
