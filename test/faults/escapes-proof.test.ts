/** Where nothing confines it, code reaches what it tries to, so the attempts are real; and what it leaves running ends as well. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { chooseLauncher } from '../../electron/launchers/choose';
import { LANDLOCK } from '../landlock-launcher';
import { confinedSession, escapePlace } from './escape-place';
import { expectNoneLeft } from './left-running';
import { SBCL_PROGRAMS } from './programs';

it('reach the decoys when nothing confines them', async () => {
  const { place, attempts } = await escapePlace((end) => onTestFinished(async () => void (await end())));
  const failed = attempts
    .filter(({ provable }) => provable)
    .filter(({ script }) => {
      writeFileSync(path.join(place.outside, 'kept'), 'kept\n');
      for (const name of ['new', 'made', 'moved'])
        execFileSync('rm', ['-rf', path.join(place.outside, name)]);
      const said = execFileSync('bash', ['-c', `cd ${place.work}; { ${script}; } 2>&1`], {
        encoding: 'utf8',
      });
      return !said.includes('ESCAPED');
    });
  // Only root reads the shadow file.
  const needsRoot = process.getuid?.() === 0 ? [] : ['read the shadow file'];
  expect(failed.map(({ name }) => name)).toEqual(needsRoot);
});

it('leaves no processes behind when its session ends, or tells that it may', async () => {
  const atEnd = (end: () => unknown) => onTestFinished(async () => void (await end()));
  const launcher = await chooseLauncher({ unconfined: true, landlock: LANDLOCK });
  const escapes = await escapePlace(atEnd);
  const session = await confinedSession(SBCL_PROGRAMS.engine, launcher, escapes, atEnd);
  await expectNoneLeft(session, escapes.place, SBCL_PROGRAMS.code);
});
