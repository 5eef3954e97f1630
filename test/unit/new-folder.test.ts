/** Folders are created with all their files or not at all, and never overwrite anything. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { OpenedFolder } from '../../electron/host/opened-folder';
import { createFolder } from '../../electron/sandbox/folder-tree';

let root: string;
let parent: OpenedFolder;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-new-folder-')));
  parent = await OpenedFolder.open(root);
  onTestFinished(async () => {
    await parent.close();
    rmSync(root, { recursive: true, force: true });
  });
});

const filesOf = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([file, text]) => [file, Buffer.from(text)]));
const TAKEN = expect.objectContaining({ code: 'file_exists' });

it('contains all its files, also nested ones', async () => {
  await createFolder(parent, 'made', filesOf({ 'a.txt': 'a', 'src/b.txt': 'b', 'src/deep/c.txt': 'c' }));
  const found = readdirSync(root, { recursive: true }).map(String).sort();
  expect(found).toEqual([
    ...['made', 'made/a.txt', 'made/src', 'made/src/b.txt', 'made/src/deep', 'made/src/deep/c.txt'],
  ]);
  expect(readFileSync(path.join(root, 'made/src/deep/c.txt'), 'utf8')).toBe('c');
});

it('replaces nothing, whatever it is', async () => {
  mkdirSync(path.join(root, 'folder'));
  writeFileSync(path.join(root, 'file'), 'mine');
  symlinkSync('/nowhere', path.join(root, 'link'));
  for (const name of ['folder', 'file', 'link'])
    await expect(createFolder(parent, name, filesOf({ a: 'a' }))).rejects.toEqual(TAKEN);
  expect(readdirSync(root).sort()).toEqual(['file', 'folder', 'link']);
  expect(readdirSync(path.join(root, 'folder'))).toEqual([]);
});

it('does not exist if one of its files cannot be written', async () => {
  await expect(
    createFolder(parent, 'made', filesOf({ a: 'a', 'b/c': 'c', [`b/${'x'.repeat(300)}`]: 'x' })),
  ).rejects.toThrow();
  expect(readdirSync(root)).toEqual([]);
});

it('is created by one of two concurrent calls', async () => {
  const asked = ['first', 'second'].map((text) =>
    createFolder(parent, 'made', filesOf({ a: text, 'b/c': text })),
  );
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refused).toEqual([TAKEN]);
  expect(readdirSync(root)).toEqual(['made']);
  const [a, c] = ['a', 'b/c'].map((file) => readFileSync(path.join(root, 'made', file), 'utf8'));
  expect(a).toBe(c);
});
