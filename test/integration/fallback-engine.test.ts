/** A session on nbb, because no Common Lisp was found, until there is one. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';

/** A folder with the programs of this machine, except all Lisps. */
function programsWithoutLisps(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['bwrap', 'sh', 'env', 'cat', 'pasta', 'prlimit'])
    symlinkSync(`/usr/bin/${name}`, path.join(folder, name));
  return folder;
}

it('says so when Common Lisp fails in it, and is replaced when a Lisp is there and nothing is defined', async () => {
  const programs = programsWithoutLisps();
  const sbcl = path.join(programs, 'later/sbcl');
  const harbor = await StartedHarbor.start({ settings: { sbclCommand: [sbcl] }, env: { PATH: programs } });
  onTestFinished(async () => void (await harbor.stop()));
  const client = await harbor.client();
  const first = await call(client, 'eval', { code: '(defun area (x) x)' });
  expect(first.text).toMatch(/on nbb, not Common Lisp/);
  expect((await call(client, 'eval', { code: '(+ 1 nothing-of-that-name)' })).text).not.toContain(
    'Common Lisp',
  );
  const again = await call(client, 'eval', { code: '(format t "~a" 1)' });
  expect([again.isError, again.text]).toEqual([true, expect.stringContaining('not Common Lisp')]);
  mkdirSync(path.dirname(sbcl));
  symlinkSync('/usr/bin/sbcl', sbcl);
  const said: string[] = [];
  const works = async () => {
    const { text, isError } = await call(client, 'eval', { code: '(progn (format nil "~r" 7))' });
    said.push(text);
    return !isError;
  };
  await expect.poll(works, { ...PATIENT, interval: 1_000 }).toBe(true);
  expect(said.at(-1)).toMatch(/"seven".*nothing was defined in it/s);
});
