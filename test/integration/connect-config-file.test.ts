/** Another program's file as bytes: what is left behind when the file system refuses. */
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteFile, readSnapshot, replaceFile } from '../../electron/connect/config-file';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'connect-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('makes the missing folders, and takes those that it made away again with the file', async () => {
  const file = join(root, 'a', 'b', 'c.json');
  const snapshot = await readSnapshot(file);
  expect(snapshot).toMatchObject({ path: file, bytes: null, missingFolder: join(root, 'a') });
  await replaceFile(snapshot, Buffer.from('{}'));
  const written = await readSnapshot(file);
  expect(written).toMatchObject({ bytes: Buffer.from('{}'), mode: 0o600 });
  expect(written.missingFolder).toBeUndefined();
  await deleteFile(written, snapshot.missingFolder);
  expect(readdirSync(root)).toEqual([]);
});

it('leaves no folder behind when the file cannot be written', async () => {
  // The name is as long as a name may be: the draft beside it, with a longer one, cannot be made.
  const snapshot = await readSnapshot(join(root, 'a', 'b', 'n'.repeat(255)));
  await expect(replaceFile(snapshot, Buffer.from('{}'))).rejects.toMatchObject({
    code: 'config_unwritable',
    message: expect.stringContaining('ENAMETOOLONG'),
  });
  expect(readdirSync(root)).toEqual([]);
});

it.runIf(process.getuid?.() === 0)(
  'leaves a file to whom it belongs, and makes new ones theirs, when root writes',
  async () => {
    const file = join(root, 'c.json');
    const somebody = { uid: 4_711, gid: 4_712 };
    writeFileSync(file, '1');
    chownSync(file, somebody.uid, somebody.gid);
    chownSync(root, somebody.uid, somebody.gid);
    const made = join(root, 'a/b/c.json');
    for (const each of [file, made]) await replaceFile(await readSnapshot(each), Buffer.from('2'));
    for (const each of [file, made, join(root, 'a/b'), join(root, 'a')])
      expect(statSync(each), each).toMatchObject(somebody);
  },
);

it('does not delete a file that has changed', async () => {
  const file = join(root, 'c.json');
  await replaceFile(await readSnapshot(file), Buffer.from('1'));
  const snapshot = await readSnapshot(file);
  await replaceFile(snapshot, Buffer.from('2'));
  await expect(deleteFile(snapshot, undefined)).rejects.toMatchObject({ code: 'config_unwritable' });
  expect(existsSync(file)).toBe(true);
});
