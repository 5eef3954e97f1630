/** The attempts are real: where nothing confines them, those that can be tried harmlessly reach what they try to. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { escapePlace } from './escape-place';

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
