/** What code in a session may take of the machine: a fork bomb and memory without end, both bounded here, stay within the limits of its image. */
import { expect, it, onTestFinished } from 'vitest';
import { BubblewrapLauncher } from '../../electron/launchers/bubblewrap';
import { readHostLayout } from '../../electron/launchers/host-layout';
import { imageLimits } from '../../electron/launchers/image-limits';
import type { Session } from '../../electron/sessions/session';
import { evaluate, sessionsFixture } from '../integration/sessions-fixture';
import '../integration/sbcl-fixture';

const MIB = 1024 ** 2;
const MOST = { tasks: 40, memoryBytes: 200 * MIB };

/** Sixty forks that end with the pipe of the first process, which prints how many there were. */
const BOMB =
  'pipe(R, W); for (1..60) { my $p = fork; last unless defined $p; if ($p == 0) { close W; <R>; exit } $n++ } print $n; close W; 1 while wait > 0';

const perl = (code: string) =>
  `(let ((p (sb-ext:run-program "/usr/bin/perl" '("-e" ${JSON.stringify(code)}) :output *standard-output*))) (list (sb-ext:process-status p) (sb-ext:process-exit-code p)))`;

async function limitedSession(): Promise<{ session: Session; gap: string }> {
  const limits = await imageLimits({ most: MOST });
  const launcher = new BubblewrapLauncher(await readHostLayout(), limits);
  const { open } = sessionsFixture({ instead: { launcher } }, onTestFinished);
  return { session: await open(), gap: limits.gap ?? '' };
}

async function values(session: Session, code: string): Promise<string[]> {
  return (await evaluate(session, code).settled).forms.flatMap((form) => form.values);
}

it('a fork bomb ends at the limit, and the session goes on', async () => {
  const { session, gap } = await limitedSession();
  const { forms, stdout } = await evaluate(session, perl(BOMB)).settled;
  expect(forms[0]?.values).toEqual(['(:EXITED 0)']);
  if (gap.includes('processes')) expect(stdout).toBe('60');
  else expect(Number(stdout)).toBeLessThan(MOST.tasks);
  expect(await values(session, '(+ 1 2)')).toEqual(['3']);
});

it('a program that takes memory without end is killed, and the session keeps its state', async () => {
  const { session, gap } = await limitedSession();
  await values(session, '(defvar *kept* 42)');
  const killed = gap.includes('memory') ? '(:EXITED 0)' : '(:SIGNALED 9)';
  expect(await values(session, perl('$x = "x" x (400 * 1024 ** 2)'))).toEqual([killed]);
  expect(await values(session, '*kept*')).toEqual(['42']);
});

it('an image that takes memory beyond its heap is killed, that is told, and another one comes', async () => {
  const { session, gap } = await limitedSession();
  const code = `(let ((sap (sb-alien:alien-sap (sb-alien:make-alien (sb-alien:unsigned 8) ${300 * MIB})))) (dotimes (i ${300 * MIB} :all) (setf (sb-sys:sap-ref-8 sap i) 1)))`;
  const { outcome, notes, forms } = await evaluate(session, code).settled;
  // The heap itself has its own limit.
  if (gap.includes('memory')) expect(forms[0]?.values).toEqual([':ALL']);
  else {
    expect(outcome).toBe('crashed');
    expect(notes.join()).toMatch(/SBCL was killed (because it took more than 200 MiB of memory|by SIGKILL)/);
  }
  expect(await values(session, '(+ 1 2)')).toEqual(['3']);
});
