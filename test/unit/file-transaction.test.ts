/** Transactions over several files: real files, and a disk that fails when some are already written. */
import {
  chmodSync,
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
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Draft } from '../../electron/sandbox/allowed-file';
import { PartlyWritten } from '../../electron/sandbox/file-transaction';
import { FileGuard } from '../../electron/sandbox/guarded-files';

let root: string;
let guard: FileGuard;

const at = (name: string) => path.join(root, name);
const held = () =>
  Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(at(name), 'utf8')]));
const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

const FILES = { 'a.lisp': '(a)', 'b.lisp': '(b)', 'c.lisp': '(c)' };

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-at-once-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  onTestFinished(() => void vi.restoreAllMocks());
  for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
  const row = { folder: root, power: 'write' as const, reason: 'the project', isDefault: true };
  guard = new FileGuard({
    rules: () => ({
      rows: [{ ...row, addedBy: null, addedAt: null, project: null }] as never,
      secrets: [],
      systems: [],
      platform: 'linux',
      installation: [],
    }),
    systems: async () => [],
  });
});

/** Appends `!` to each file. */
const change = (names: readonly string[]) =>
  guard.changeAll(root, names, (files) => {
    const bytes = files.map((each): [string, Uint8Array] => {
      if ('refused' in each) throw each.refused;
      return [each.path, Buffer.from(`${'file' in each ? Buffer.from(each.file.bytes).toString() : ''}!`)];
    });
    return { bytes: new Map(bytes), answer: bytes.length };
  });

it('writes all files, new ones too, each once even under several names', async () => {
  symlinkSync(at('a.lisp'), at('link.lisp'));
  const { hashes, answer } = await change(['a.lisp', 'link.lisp', 'b.lisp', 'new.lisp']);
  expect([...hashes.keys()].map((each) => path.basename(each))).toEqual(['a.lisp', 'b.lisp', 'new.lisp']);
  expect(answer).toBe(4);
  rmSync(at('link.lisp'));
  expect(held()).toEqual({ 'a.lisp': '(a)!', 'b.lisp': '(b)!', 'c.lisp': '(c)', 'new.lisp': '!' });
});

it('rolls back written files when the disk fails', async () => {
  const replace = Draft.prototype.replace;
  let calls = 0;
  vi.spyOn(Draft.prototype, 'replace').mockImplementation(async function (this: Draft) {
    calls += 1;
    if (calls === 2) throw full();
    await replace.call(this);
  });
  await expect(change(['new.lisp', 'a.lisp', 'b.lisp', 'c.lisp'])).rejects.toThrow(/b\.lisp .*disk is full/);
  expect(held()).toEqual(FILES);
});

it('writes nothing before there is space for everything', async () => {
  const write = Draft.write;
  let calls = 0;
  vi.spyOn(Draft, 'write').mockImplementation(async (...args) => {
    calls += 1;
    if (calls === 4) throw full();
    return write.apply(Draft, args);
  });
  await expect(change(['a.lisp', 'b.lisp', 'c.lisp'])).rejects.toThrow(/disk is full/);
  expect(held()).toEqual(FILES);
});

it('keeps files that another program changed meanwhile, and names them', async () => {
  const replace = Draft.prototype.replace;
  let calls = 0;
  vi.spyOn(Draft.prototype, 'replace').mockImplementation(async function (this: Draft) {
    calls += 1;
    if (calls < 2) return replace.call(this);
    writeFileSync(at('a.lisp'), 'by another');
    throw full();
  });
  const failed = await change(['a.lisp', 'b.lisp']).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(PartlyWritten);
  expect(failed).toMatchObject({ paths: [at('a.lisp')], message: expect.stringMatching(/Not rolled back/) });
  expect(held()).toEqual({ ...FILES, 'a.lisp': 'by another' });
});

it('writes nothing if one file is read-only or changed', async () => {
  chmodSync(at('b.lisp'), 0o444);
  await expect(change(['a.lisp', 'b.lisp'])).rejects.toThrow(/b\.lisp is read-only \(mode 444\)/);
  chmodSync(at('b.lisp'), 0o644);
  const changing = guard.changeAll(root, ['a.lisp', 'b.lisp'], (files) => {
    writeFileSync(at('b.lisp'), 'by another');
    const bytes = files.map((each): [string, Uint8Array] => [
      'path' in each ? each.path : '',
      Buffer.from('x'),
    ]);
    return { bytes: new Map(bytes), answer: null };
  });
  await expect(changing).rejects.toMatchObject({ code: 'hash_mismatch' });
  expect(held()).toEqual({ ...FILES, 'b.lisp': 'by another' });
});

it('serializes two transactions with the same files in different order', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      change(index % 2 ? ['a.lisp', 'b.lisp'] : ['b.lisp', 'c.lisp', 'a.lisp']),
    ),
  );
  const marks = '!'.repeat(10);
  expect(held()).toEqual({
    'a.lisp': `(a)${marks}${marks}`,
    'b.lisp': `(b)${marks}${marks}`,
    'c.lisp': `(c)${marks}`,
  });
});
