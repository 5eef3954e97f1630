/** When the bundles are built anew. */
import { rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, setupModule, writeFiles } from './setup-checkout';

let buildIsFresh: (root: string) => boolean;
beforeAll(async () => {
  ({ buildIsFresh } = await setupModule<{ buildIsFresh: (root: string) => boolean }>('prepare'));
});

const sources = [
  'electron/main.ts',
  'electron/sessions/session/session.ts',
  'renderer/app.tsx',
  'package.json',
  'package-lock.json',
];
const results = [
  'out/electron/main.js',
  'out/electron/serve.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];

/** Sources of second 1000 (their folders too), results of second 2000. */
function builtCheckout(): string {
  const root = emptyFolder();
  writeFiles(root, Object.fromEntries([...sources, ...results].map((file) => [file, ''])));
  for (const place of [...sources, 'electron', 'electron/sessions', 'electron/sessions/session', 'renderer'])
    touch(root, place, 1000);
  for (const file of results) touch(root, file, 2000);
  return root;
}

function touch(root: string, place: string, second: number): void {
  utimesSync(path.join(root, place), second, second);
}

describe('a build', () => {
  it('is fresh while no source is newer', () => {
    expect(buildIsFresh(builtCheckout())).toBe(true);
  });

  it.each(sources)('is stale once %s is newer', (source) => {
    const root = builtCheckout();
    touch(root, source, 3000);
    expect(buildIsFresh(root)).toBe(false);
  });

  it('is stale once a source is gone', () => {
    const root = builtCheckout();
    rmSync(path.join(root, 'electron/sessions/session/session.ts'));
    expect(buildIsFresh(root)).toBe(false);
  });

  it.each(results)('is not there without %s', (result) => {
    const root = builtCheckout();
    rmSync(path.join(root, result));
    expect(buildIsFresh(root)).toBe(false);
  });

  it('that was stopped before its last part is stale', () => {
    const root = builtCheckout();
    touch(root, 'out/renderer/index.html', 500);
    expect(buildIsFresh(root)).toBe(false);
  });
});
