/** That an image cannot take the whole machine, by whatever this host has against it; and what it has not is told. */
import { expect, it, onTestFinished } from 'vitest';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import { chooseLauncher, imageLimits } from '../../electron/launchers/choose';

import { call } from '../evaluation';
import { LANDLOCK } from '../landlock-launcher';
import { sharedHarbor } from '../shared-harbor';
import { launchPlace, outcome } from './launch-place';

const MOST = { tasks: 40, memoryBytes: 200 * 1024 ** 2 };

/** Sixty at most, which end with the pipe of the one that started them. */
const FORKS = `perl -e 'pipe(R, W); for (1..60) { my $p = fork; last unless defined $p; if ($p == 0) { close W; <R>; exit } $n++ } print $n; close W; 1 while wait > 0'`;

/** As much again as it may, once. */
const ALLOCATION = `perl -e '$x = "x" x (400 * 1024 ** 2); print "got it"'`;

/** What a script says in the sandbox, and whether it is limited at all. */
async function saidWithin(script: string) {
  const limits = await imageLimits({ most: MOST });
  const launcher = new BubblewrapLauncher(readHostLayout(), limits);
  const { shell, confinement } = await launchPlace();
  const { stdout, end } = await outcome(launcher.launch(shell(script), confinement));
  return { stdout, end, gap: limits.gap ?? '' };
}

it('an image starts no more than so many processes', async () => {
  const { stdout, gap } = await saidWithin(FORKS);
  if (gap.includes('processes')) expect(stdout).toBe('60');
  else expect(Number(stdout)).toBeLessThan(MOST.tasks);
});

it('a program of an image is killed for its memory, and the image goes on', async () => {
  const { stdout, end, gap } = await saidWithin(`${ALLOCATION}; echo "ended with $?"`);
  expect(end.code).toBe(0);
  expect(stdout).toBe(gap.includes('memory') ? 'got itended with 0\n' : 'ended with 137\n');
});

it('what is not limited is told with the sandbox, also to clients', async () => {
  const { gap } = await imageLimits();
  const { sandbox } = await chooseLauncher({ unconfined: false, landlock: LANDLOCK });
  const harbor = await sharedHarbor();
  onTestFinished(async () => void (await harbor.stop()));
  const { structured } = await call<{ sandbox: string }>(await harbor.client(), 'images');
  for (const told of [sandbox.gaps?.join() ?? '', structured.sandbox])
    expect(told).toEqual(
      gap === null ? expect.not.stringContaining('not limited') : expect.stringContaining(gap),
    );
});
