/** Taking a finished core out of the folder where an image may write. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { takeSavedCore } from '../../electron/images/agent/saved-core';

/** What SBCL writes last: where the core begins, and its magic word. */
const CORE_END = Buffer.concat([Buffer.alloc(8, 1), Buffer.from('LCBS\0\0\0\0')]);
const CORE = Buffer.concat([Buffer.alloc(5_000_000, 'core'), CORE_END]);

const LARGEST = 64 * 1024 ** 2;

/** Of a file with nothing in it but its end. */
function sparseCore(file: string, bytes: number): void {
  writeFileSync(file, '');
  truncateSync(file, bytes - CORE_END.length);
  appendFileSync(file, CORE_END);
}

function folders(): { from: string; kept: string; to: string } {
  const [work, kept] = ['work', 'kept'].map((name) =>
    mkdtempSync(path.join(tmpdir(), `lisp-harbor-${name}-`)),
  );
  if (work === undefined || kept === undefined) throw new Error('two folders were made');
  onTestFinished(() => {
    for (const folder of [work, kept]) rmSync(folder, { recursive: true });
  });
  return { from: path.join(work, 'core'), kept, to: path.join(kept, 'checkpoint') };
}

it('copies it, for its owner to run and for nobody to change', async () => {
  const { from, kept, to } = folders();
  writeFileSync(from, CORE);
  expect(await takeSavedCore(from, to, LARGEST)).toBe(CORE.length);
  expect(readdirSync(kept)).toEqual(['checkpoint']);
  expect(statSync(to).mode & 0o777).toBe(0o500);
  writeFileSync(from, 'changed by the image');
  expect(readFileSync(to).equals(CORE)).toBe(true);
});

it('leaves out what is empty', async () => {
  const { from, to } = folders();
  sparseCore(from, 60 * 1024 ** 2);
  await takeSavedCore(from, to, LARGEST);
  expect(statSync(to)).toMatchObject({ size: 60 * 1024 ** 2 });
  expect(statSync(to).blocks * 512).toBeLessThan(2 * 1024 ** 2);
  expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
});

it.each<[string, (from: string) => void]>([
  ['a core that was cut off', (from) => writeFileSync(from, CORE.subarray(0, 4_000_000))],
  ['a file larger than any core of the image', (from) => sparseCore(from, 2 ** 40)],
  ['an empty file', (from) => writeFileSync(from, '')],
  ['a folder', (from) => execFileSync('mkdir', [from])],
  ['a pipe', (from) => execFileSync('mkfifo', [from])],
  ['nothing', () => undefined],
  [
    'a link to a file of somebody else',
    (from) => {
      writeFileSync(`${from}.secret`, CORE);
      symlinkSync(`${from}.secret`, from);
    },
  ],
])('refuses %s, and leaves nothing behind', async (_what, make) => {
  const { from, kept, to } = folders();
  make(from);
  await expect(takeSavedCore(from, to, LARGEST)).rejects.toMatchObject({ code: 'checkpoint_failed' });
  expect(readdirSync(kept)).toEqual([]);
});

it('says why there is no place for it', async () => {
  const { from, kept } = folders();
  writeFileSync(from, CORE);
  await expect(takeSavedCore(from, path.join(kept, 'gone', 'checkpoint'), LARGEST)).rejects.toMatchObject({
    code: 'checkpoint_failed',
    message: expect.stringContaining('ENOENT'),
  });
});
