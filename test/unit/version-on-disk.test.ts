/** What a running app sees of the version that lies where it was started from. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { followVersion } from '../../electron/host/paths';
import { emptyFolder } from './setup-checkout';

/** As a package manager does it: beside it, and then in its place. */
function put(folder: string, version: string): void {
  const file = path.join(folder, 'app-version');
  writeFileSync(`${file}.new`, `${version}\n`);
  renameSync(`${file}.new`, file);
}

function follow(folder: string): { told: (string | null)[] } {
  const told: (string | null)[] = [];
  onTestFinished(followVersion(folder, '1.0.0', (other) => told.push(other)));
  return { told };
}

it('tells each other version once, and when it is the same again', async () => {
  const folder = emptyFolder();
  put(folder, '1.0.0');
  const { told } = follow(folder);
  expect(told).toEqual([]);
  put(folder, '2.0.0');
  await vi.waitFor(() => expect(told).toEqual(['2.0.0']));
  put(folder, '2.0.0');
  put(folder, '1.0.0');
  await vi.waitFor(() => expect(told).toEqual(['2.0.0', null]));
});

it('tells one that was put there before it looked', () => {
  const folder = emptyFolder();
  put(folder, '2.0.0');
  expect(follow(folder).told).toEqual(['2.0.0']);
});

it('says nothing of a removal, nor of a file that is not written yet', async () => {
  const folder = emptyFolder();
  put(folder, '1.0.0');
  const { told } = follow(folder);
  rmSync(path.join(folder, 'app-version'));
  writeFileSync(path.join(folder, 'app-version'), '2.0');
  writeFileSync(path.join(folder, 'app-version'), '2.0.0\n');
  await vi.waitFor(() => expect(told).toEqual(['2.0.0']));
});

it('follows nothing where there is no such file, or no folder', () => {
  const folder = emptyFolder();
  expect(follow(folder).told).toEqual([]);
  expect(follow(path.join(folder, 'none')).told).toEqual([]);
  mkdirSync(path.join(folder, 'app-version'));
  expect(follow(folder).told).toEqual([]);
});
