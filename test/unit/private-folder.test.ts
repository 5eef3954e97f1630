import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateFolder } from '../../electron/host/data-folder';

let base: string;

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-folder-'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('a private folder', () => {
  it('is created with its missing parents, for its owner only', () => {
    const folder = path.join(base, 'a', 'b');
    makePrivateFolder(folder);
    expect(statSync(path.join(base, 'a')).mode & 0o777).toBe(0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('stays unchanged if it exists', () => {
    const folder = path.join(base, 'open');
    mkdirSync(folder, { mode: 0o755 });
    makePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it('is refused below a file, and where the system creates no folders, without blocking', () => {
    const file = path.join(base, 'file');
    writeFileSync(file, '');
    expect(() => makePrivateFolder(path.join(file, 'below'))).toThrow(/ENOTDIR/);
    expect(() => makePrivateFolder('/proc/no-such/folder')).toThrow(/mkdir/);
    expect(existsSync('/proc/no-such')).toBe(false);
  });
});
