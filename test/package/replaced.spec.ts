/**
 * apt puts a newer package in the place of an app that runs: that says so, waits for what runs, and comes back as the new one. A
 * harbor without a window says it where somebody looks: in its log, and to who asks after its health.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { connectAgent } from '../e2e/agent';
import { test } from '../e2e/fixture';
import { pressLast, show } from '../e2e/steps';
import { attach, openInstalled } from './installed-window';
import { Nobody } from './nobody';
import {
  COMMAND,
  ensureInstalled,
  install,
  packageAs,
  packageFile,
  uninstall,
  versionOf,
} from './package-files';
import { defineTide, expectAsleep, expectTideBack } from './tides';

const NEWER = '9.9.8';

let newer: Awaited<ReturnType<typeof packageAs>>;

test.beforeAll(async () => {
  newer = await packageAs(NEWER);
});
test.beforeEach(ensureInstalled);
test.afterAll(() => {
  newer.remove();
  // What was put in its place here is no longer what was packed.
  uninstall();
});

const told = (page: Page) => page.getByRole('status', { name: 'Newer version' });

test('a running app that apt replaced offers to start again, and never ends an evaluation for it', async () => {
  const nobody = await Nobody.take();
  const lisp = (...words: string[]) => nobody.say(COMMAND, ...words, '--data', nobody.data);
  const { page, ended } = await openInstalled(nobody, nobody);
  defineTide(lisp);
  await expect(page.getByRole('region', { name: 'Newer version' })).toHaveCount(0);

  install(newer.file);
  const news = page.getByRole('region', { name: 'Newer version' });
  await expect(news).toContainText(`Lisp Harbor ${NEWER} is installed`);
  // What runs has all of its own files still, though others lie in their place.
  await page.reload();
  await expect(news).toContainText(`Lisp Harbor ${NEWER} is installed`);

  const agent = await connectAgent(page, 'codex');
  const running = agent.callTool({ name: 'eval', arguments: { code: '(loop)' } });
  await show(page, 'Home');
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('(loop)');
  await show(page, 'Settings');
  await told(page).getByRole('button', { name: 'Restart' }).click();
  await expect(told(page)).toContainText(
    `Version ${NEWER} will be started when no evaluation is running (1 evaluation now)`,
  );
  await show(page, 'Home');
  await pressLast(page.getByRole('button', { name: /^Stop codex in / }));
  await ended();
  await agent.close();
  await running.catch(() => undefined);

  const { page: again, browser } = await attach(nobody.data);
  expect(await versionBehind(again)).toBe(NEWER);
  await expect(again.getByRole('region', { name: 'Newer version' })).toHaveCount(0);
  await expectAsleep(again, 'tides');
  expectTideBack(lisp);
  await browser.close();
  lisp('stop');
  nobody.end();
});

test('a harbor without a window that apt replaced says so, goes on, and is followed by the new one', async () => {
  const nobody = await Nobody.take();
  const lisp = (...words: string[]) => nobody.say(COMMAND, ...words, '--data', nobody.data);
  mkdirSync(nobody.data);
  // Another harbor of this computer may have the usual one.
  writeFileSync(path.join(nobody.data, 'settings.json'), JSON.stringify({ version: 1, port: 0 }));
  nobody.own(nobody.data);
  defineTide(lisp);
  const before = versionOf(packageFile());
  expect(lisp('health-check')).toMatch(new RegExp(`version ${before}, headless, .*\\n$`));

  install(newer.file);
  await expect.poll(() => logged(nobody.data)).toContain(`Version ${NEWER} is installed`);
  expectTideBack(lisp);
  const told = lisp('health-check');
  expect(told).toContain(`version ${before}, headless`);
  expect(told).toContain(`Version ${NEWER} is installed.`);

  lisp('stop');
  expectTideBack(lisp);
  expect(lisp('health-check')).toMatch(new RegExp(`version ${NEWER}, headless, .*\\n$`));
  lisp('stop');
  nobody.end();
});

/** What the harbor of this data folder has written to its logs. */
function logged(data: string): string {
  const folder = path.join(data, 'log');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
}

/** That of the harbor behind a window. */
async function versionBehind(page: Page): Promise<string | undefined> {
  const status = await page.evaluate(() => window.bridge.invoke('harbor:status', null));
  return status.ok ? status.value.version : undefined;
}
