/** How images of ECL and ABCL are found, how they end, and what a sandbox prevents. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CCL } from '../../electron/images/portable/implementations';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import { sampled } from '../rounds';

import { portableEngine, START_MS, startPortable, TESTED } from './portable-fixture';
import { SOURCES } from './sbcl-fixture';

const KILL = { ecl: '(ext:system "kill -9 $PPID")', abcl: '(ext:run-shell-command "kill -9 $PPID")' };
const EXIT = { ecl: '(ext:quit 7)', abcl: '(ext:quit :status 7)' };

describe('discovery', () => {
  it.each(TESTED)('finds $title with its version and path', async (implementation) => {
    expect(await portableEngine(implementation).discover()).toMatchObject({
      engine: implementation.engine,
      available: true,
      version: expect.stringMatching(/^\d+\.\d+/),
      path: expect.stringMatching(/^\//),
    });
  });

  it('is not taken in by other programs of these names', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-impostors-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const { engine } of TESTED) {
      await writeFile(path.join(folder, engine), '#!/bin/sh\necho hello\n');
      await chmod(path.join(folder, engine), 0o755);
    }
    const found = await Promise.all(TESTED.map((each) => portableEngine(each, folder).discover()));
    expect(found.map(({ reason }) => reason)).toEqual([
      `${folder}/ecl does not respond like ECL.`,
      `${folder}/abcl does not name an archive of ABCL (abcl….jar).`,
    ]);
  });

  it('says how to get one that is missing', async () => {
    expect(await portableEngine(CCL).discover()).toEqual({
      engine: 'ccl',
      available: false,
      reason: 'CCL was not found. Get it from https://ccl.clozure.com/download.html',
    });
    await expect(startPortable(CCL)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

describe.each(sampled('portable-process', TESTED, 1))('$title', (implementation) => {
  const { engine, title } = implementation;
  const name = engine === 'ecl' ? 'ecl' : 'abcl';

  it('in a sandbox writes to its project and sees nothing of the host', { timeout: START_MS }, async () => {
    const lisp = await startPortable(implementation, new BubblewrapLauncher(readHostLayout()));
    expect(lisp.image.sandbox.confined).toBe(true);
    const { values, outcome } = await lisp.evaluate(`
      (with-open-file (out "made" :direction :output) (write-string "here" out))
      (probe-file "/etc/passwd")
      (probe-file ${JSON.stringify(path.join(SOURCES, 'json.lisp'))})
      (namestring (user-homedir-pathname))`);
    expect(outcome).toBe('ok');
    expect(values.slice(0, 3)).toEqual([['"here"'], ['NIL'], ['NIL']]);
    expect(values[3]?.[0]).toContain('lisp-harbor-home-');
    expect(await readFile(path.join(lisp.project, 'made'), 'utf8')).toBe('here');

    const { outcome: ended, notes } = await lisp.evaluate(KILL[name]);
    expect({ ended, note: notes[0] }).toEqual({ ended: 'crashed', note: `${title} was killed by SIGKILL.` });
  });

  it('that exits is told with its code', { timeout: START_MS }, async () => {
    const lisp = await startPortable(implementation);
    const { outcome, stdout } = await lisp.evaluate(
      `(progn (write-line "last words") (finish-output) ${EXIT[name]})`,
    );
    expect({ outcome, stdout }).toEqual({ outcome: 'crashed', stdout: 'last words\n' });
    expect(await lisp.image.ended).toEqual({ description: `${title} exited with code 7`, expected: false });
  });
});
