/** apt puts a newer package in the place of an app that runs: that says so, waits for what runs, and comes back as the new one. */
import { expect, type Page } from '@playwright/test';
import { connectAgent } from '../e2e/agent';
import { test } from '../e2e/fixture';
import { show } from '../e2e/steps';
import { attach, openInstalled } from './installed-window';
import { Nobody } from './nobody';
import { COMMAND, ensureInstalled, install, packageAs, uninstall } from './package-files';

const NEWER = '9.9.8';

test.beforeAll(ensureInstalled);
// What was put in its place here is no longer what was packed.
test.afterAll(uninstall);

const told = (page: Page) => page.getByRole('status', { name: 'Newer version' });

test('a running app that apt replaced offers to start again, and never ends an evaluation for it', async () => {
  const nobody = await Nobody.take();
  const lisp = (...words: string[]) => nobody.say(COMMAND, ...words, '--data', nobody.data);
  const { page, ended } = await openInstalled(nobody, nobody);
  expect(lisp('eval', '(defun tide (h) (* 2 h))', '--session', 'tides')).toContain('TIDE');
  await expect(page.getByRole('region', { name: 'Newer version' })).toHaveCount(0);

  const newer = await packageAs(NEWER);
  install(newer.file);
  newer.remove();
  const news = page.getByRole('region', { name: 'Newer version' });
  await expect(news).toContainText(`Lisp Harbor ${NEWER} is installed`);
  // What runs has all of its own files still, though others lie in their place.
  await page.reload();
  await expect(news).toContainText(`Lisp Harbor ${NEWER} is installed`);

  const agent = await connectAgent(page, 'codex');
  const running = agent.callTool({ name: 'eval', arguments: { code: '(loop)' } });
  await show(page, 'Home');
  await expect(page.getByRole('region', { name: 'At work' })).toContainText('(loop)');
  await show(page, 'Settings');
  await told(page).getByRole('button', { name: 'Start again' }).click();
  await expect(told(page)).toContainText(
    `Version ${NEWER} is started as soon as nothing runs: 1 evaluation now`,
  );
  await show(page, 'Home');
  await page.getByRole('button', { name: /^Stop codex in / }).click();
  await ended();
  await agent.close();
  await running.catch(() => undefined);

  const { page: again, browser } = await attach(nobody.data);
  expect(await versionOf(again)).toBe(NEWER);
  await expect(again.getByRole('region', { name: 'Newer version' })).toHaveCount(0);
  await show(again, 'Sessions');
  const sessions = again.getByRole('grid', { name: 'Sessions' });
  await expect(sessions.getByRole('row').filter({ hasText: 'tides' })).toContainText('asleep');
  expect(lisp('eval', '(tide 21)', '--session', 'tides')).toContain('=> 42');
  await browser.close();
  lisp('stop');
  nobody.end();
});

/** That of the harbor behind a window. */
async function versionOf(page: Page): Promise<string | undefined> {
  const status = await page.evaluate(() => window.bridge.invoke('harbor:status', null));
  return status.ok ? status.value.version : undefined;
}
