/** The npm packages: installed when missing, left alone when there, repaired when half there. Real npm, one local package. */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, Program, setupModule, writeFiles } from './setup-checkout';

interface Dependencies {
  ensureDependencies(root: string, packages: 'app' | 'all'): Promise<void>;
  dependenciesInstalled(root: string, packages: 'app' | 'all'): boolean;
}

let setup: Dependencies;
beforeAll(async () => {
  setup = await setupModule<Dependencies>('prepare');
});

const own = {
  name: 'checkout',
  version: '1.0.0',
  dependencies: { part: 'file:part' },
  workspaces: ['test'],
};
/** What tests need and the app does not. */
const tests = { name: 'tests', version: '1.0.0', devDependencies: { probe: 'file:../probe' } };
const lock = {
  name: 'checkout',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': own,
    'node_modules/part': { resolved: 'part', link: true },
    'node_modules/probe': { resolved: 'probe', link: true },
    'node_modules/tests': { resolved: 'test', link: true },
    part: { version: '1.0.0' },
    probe: { version: '1.0.0', dev: true },
    test: tests,
  },
};

function checkoutWithPart(): string {
  const root = emptyFolder();
  writeFiles(root, {
    'package.json': JSON.stringify(own),
    'package-lock.json': JSON.stringify(lock),
    'part/package.json': JSON.stringify({ name: 'part', version: '1.0.0' }),
    'probe/package.json': JSON.stringify({ name: 'probe', version: '1.0.0' }),
    'test/package.json': JSON.stringify(tests),
  });
  return root;
}

/** A file that an installation wipes: it tells whether one took place. */
const marker = (root: string) => path.join(root, 'node_modules/marker');
const mark = (root: string) => writeFiles(root, { 'node_modules/marker': '' });

describe('dependencies', () => {
  it('are installed into a fresh clone, and the second start leaves them alone', async () => {
    const root = checkoutWithPart();
    expect(setup.dependenciesInstalled(root, 'all')).toBe(false);
    await setup.ensureDependencies(root, 'all');
    expect(existsSync(path.join(root, 'node_modules/part/package.json'))).toBe(true);
    mark(root);
    await setup.ensureDependencies(root, 'all');
    expect(existsSync(marker(root))).toBe(true);
  });

  it('of tests are added when tests need them, and downloads stay', async () => {
    const root = checkoutWithPart();
    const download = path.join(root, 'node_modules/.cache/lisp-harbor/download');
    await setup.ensureDependencies(root, 'app');
    expect(existsSync(path.join(root, 'node_modules/part'))).toBe(true);
    expect(existsSync(path.join(root, 'node_modules/probe'))).toBe(false);
    expect(setup.dependenciesInstalled(root, 'all')).toBe(false);
    writeFiles(root, { [path.relative(root, download)]: '' });
    await setup.ensureDependencies(root, 'all');
    expect(existsSync(path.join(root, 'node_modules/probe'))).toBe(true);
    expect(existsSync(download)).toBe(true);
    mark(root);
    await setup.ensureDependencies(root, 'app');
    expect(existsSync(marker(root))).toBe(true);
  });

  it('are repaired after an installation that was stopped half-way', async () => {
    const root = checkoutWithPart();
    await setup.ensureDependencies(root, 'all');
    rmSync(path.join(root, 'node_modules/part'), { recursive: true });
    rmSync(path.join(root, 'node_modules/.package-lock.json'));
    await setup.ensureDependencies(root, 'all');
    expect(existsSync(path.join(root, 'node_modules/part/package.json'))).toBe(true);
  });

  it('that someone installed with npm are as good as ours', async () => {
    const root = checkoutWithPart();
    const byHand = await new Program('npm', ['ci'], root).ended;
    expect(byHand.code, byHand.stderr).toBe(0);
    mark(root);
    await setup.ensureDependencies(root, 'all');
    expect(existsSync(marker(root))).toBe(true);
  });

  it('are installed again when the lock file asks for another version', async () => {
    const root = checkoutWithPart();
    await setup.ensureDependencies(root, 'all');
    const changed = { ...lock, packages: { ...lock.packages, part: { version: '2.0.0' } } };
    writeFiles(root, {
      'package-lock.json': JSON.stringify(changed),
      'part/package.json': JSON.stringify({ name: 'part', version: '2.0.0' }),
    });
    expect(setup.dependenciesInstalled(root, 'all')).toBe(false);
    mark(root);
    await setup.ensureDependencies(root, 'all');
    expect(existsSync(marker(root))).toBe(false);
    expect(setup.dependenciesInstalled(root, 'all')).toBe(true);
  });

  it('that cannot be installed fail with what npm said and what to do', async () => {
    const root = checkoutWithPart();
    writeFiles(root, {
      // In no registry, so that npm asks none: whether one answers, and how fast, is another matter.
      'package.json': JSON.stringify({ ...own, dependencies: { part: 'file:part', other: 'file:other' } }),
    });
    await expect(setup.ensureDependencies(root, 'all')).rejects.toThrow(
      /"npm ci" failed[\s\S]*run the same command[\s\S]*other/,
    );
    expect(setup.dependenciesInstalled(root, 'all')).toBe(false);
  });
});
