/** Programs of engines, and what is remembered of them. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { perProgram } from '../../electron/images/agent/programs';
import { temporaryFolder } from '../started-harbor';

it('a program is queried again when its file has changed, or after a failure', async () => {
  const folder = temporaryFolder('programs');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = path.join(folder, 'lisp');
  writeFileSync(program, 'one');
  let queries = 0;
  let fails = true;
  const versionOf = perProgram(async () => {
    queries += 1;
    if (fails) throw new Error('broken');
    return `version ${queries}`;
  });
  await expect(versionOf(program)).rejects.toThrow('broken');
  fails = false;
  expect([await versionOf(program), await versionOf(program)]).toEqual(['version 2', 'version 2']);
  utimesSync(program, new Date(0), new Date(0));
  expect(await versionOf(program)).toBe('version 3');
  rmSync(program);
  await expect(versionOf(program)).rejects.toThrow('ENOENT');
});
