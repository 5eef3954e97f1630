/** Copying a saved core out of the folder where an image may write. */
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
import { copySavedCore } from '../../electron/images/agent/checkpoints';

/** The end of a core as SBCL writes it: its offset and its magic number. */
const CORE_END = Buffer.concat([Buffer.alloc(8, 1), Buffer.from('LCBS\0\0\0\0')]);
const CORE = Buffer.concat([Buffer.alloc(5_000_000, 'core'), CORE_END]);

const LARGEST = 64 * 1024 ** 2;

/** Size of a file that is empty except for its end. */
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

it('copies it, executable for its owner and writable for nobody', async () => {
  const { from, kept, to } = folders();
  writeFileSync(from, CORE);
  expect(await copySavedCore(from, to, LARGEST)).toBe(CORE.length);
  expect(readdirSync(kept)).toEqual(['checkpoint']);
  expect(statSync(to).mode & 0o777).toBe(0o500);
  writeFileSync(from, 'changed by the image');
  expect(readFileSync(to).equals(CORE)).toBe(true);
});

it('leaves holes for zeros', async () => {
  const { from, to } = folders();
  sparseCore(from, 60 * 1024 ** 2);
  await copySavedCore(from, to, LARGEST);
  expect(statSync(to)).toMatchObject({ size: 60 * 1024 ** 2 });
  expect(statSync(to).blocks * 512).toBeLessThan(2 * 1024 ** 2);
  expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
});

it.each<[string, (from: string) => void]>([
  ['a truncated core', (from) => writeFileSync(from, CORE.subarray(0, 4_000_000))],
  ['a file larger than any core of the image', (from) => sparseCore(from, 2 ** 40)],
  ['an empty file', (from) => writeFileSync(from, '')],
  ['a folder', (from) => execFileSync('mkdir', [from])],
  ['a pipe', (from) => execFileSync('mkfifo', [from])],
  ['nothing', () => undefined],
  [
    'a link to another file',
    (from) => {
      writeFileSync(`${from}.secret`, CORE);
      symlinkSync(`${from}.secret`, from);
    },
  ],
])('refuses %s, and leaves nothing behind', async (_what, make) => {
  const { from, kept, to } = folders();
  make(from);
  await expect(copySavedCore(from, to, LARGEST)).rejects.toMatchObject({ code: 'checkpoint_failed' });
  expect(readdirSync(kept)).toEqual([]);
});

it('reports why it cannot be stored', async () => {
  const { from, kept } = folders();
  writeFileSync(from, CORE);
  await expect(copySavedCore(from, path.join(kept, 'gone', 'checkpoint'), LARGEST)).rejects.toMatchObject({
    code: 'checkpoint_failed',
    message: expect.stringContaining('ENOENT'),
  });
});
