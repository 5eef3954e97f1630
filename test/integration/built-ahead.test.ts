/** In a new data folder what sessions start from is built before anybody asks for one. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

it('the core of SBCL is there without a session, and is built once when one is opened meanwhile', async () => {
  const data = temporaryFolder('data');
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  // Its own, not the one that all tests share.
  const cores = path.join(data, 'cores');
  mkdirSync(cores);
  const harbor = await StartedHarbor.start({ data });
  onTestFinished(async () => {
    await harbor.stop();
  });
  const built = () => readdirSync(cores).filter((name) => name.startsWith('sbcl-'));
  await expect.poll(() => built().length, { timeout: 60_000 }).toBe(1);
  const { structured } = await call<{ forms: { values: string[] }[] }>(await harbor.client(), 'eval', {
    code: '(+ 1 2)',
  });
  expect(structured.forms).toEqual([{ values: ['3'] }]);
  expect(built()).toEqual([expect.stringMatching(/^sbcl-[\w.-]+\.core$/)]);
});
