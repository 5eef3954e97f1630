/** Programs that code of an image runs, in the app with all that Chromium opened: they reach nothing outside of the project. */
import { expect } from '@playwright/test';
import { writeBatch } from '../attacks/batch';
import { placeDecoys } from '../attacks/place';
import { PROGRAMS } from '../attacks/programs/all';
import { test } from './fixture';
import { openSession, typeLine } from './steps';

test('what programs of an image try against the computer fails', async ({ start, folders }) => {
  const ends: (() => unknown)[] = [];
  const { app, page } = await start();
  const harbor = await app.evaluate(() => process.pid);
  const decoys = await placeDecoys(PROGRAMS.length, (end) => ends.unshift(end), { ...folders, harbor });
  try {
    const batch = writeBatch(PROGRAMS, [...PROGRAMS.keys()], decoys);
    const repl = await openSession(page, 'SBCL');
    await typeLine(repl, `(sb-ext:run-program "/bin/bash" '("${batch.file}") :input nil)`);
    const last = PROGRAMS.length - 1;
    await expect.poll(() => batch.said(last), { timeout: 120_000 }).toContain('over\n');
    const succeeded = PROGRAMS.filter(
      (_attack, index) => batch.said(index).includes('ESCAPED') || !decoys.untouched(index),
    );
    expect(succeeded.map(({ name }) => name)).toEqual([]);
    expect(decoys.changed()).toEqual([]);
    expect(await app.evaluate(() => process.pid)).toBe(harbor);
  } finally {
    for (const end of ends) await end();
  }
});
