/** What a start has compiled is used by the next one: it lies where only its owner writes. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

/** A data folder of the test, and a harbor's life in it. */
function place() {
  const data = temporaryFolder('data');
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const live = async () =>
    (await StartedHarbor.start({ data, env: { NODE_COMPILE_CACHE: undefined } })).stop();
  return { data, compiled: path.join(data, 'compiled'), live };
}

/** The files below a folder with the times of their last change. */
function filesIn(folder: string): [string, number][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort()
    .map((file) => [file, statSync(file).mtimeMs]);
}

it('is kept from the second start on, and used by the third', async () => {
  const { compiled, live } = place();
  await live();
  expect(existsSync(compiled)).toBe(false);
  await live();
  const kept = filesIn(compiled);
  expect(kept.length).toBeGreaterThan(10);
  await live();
  // Node writes anew what it could not use.
  expect(filesIn(compiled)).toEqual(kept);
});

it('is of this build alone', async () => {
  const { compiled, live } = place();
  await live();
  mkdirSync(path.join(compiled, 'of-another-build'), { recursive: true });
  await live();
  expect(readdirSync(compiled)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
});

it('is neither kept nor used where others may write', async () => {
  const { data, compiled, live } = place();
  await live();
  chmodSync(data, 0o777);
  await live();
  expect(existsSync(compiled)).toBe(false);
});
