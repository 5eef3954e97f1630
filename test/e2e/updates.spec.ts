/** Newer versions of the app, from a real server: looked for, fetched, refused, installed, and never while something runs. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { UpdateFeed } from '../update-feed';
import { connectAgent } from './agent';
import { test as base, type Folders } from './fixture';
import { test as sharedTest } from './shared-app';
import { pressLast, show } from './steps';

/** What is fetched, in the place of a whole app: it says that it was started. */
const NEWER = Buffer.from('#!/bin/sh\nenv > "$(dirname "$0")/started"\n');
const OFFER = { version: '9.9.9', file: 'lisp-harbor-9.9.9.AppImage', bytes: NEWER };

const test = base.extend<{ feed: UpdateFeed }>({
  feed: async ({ browserName: _ }, use) => {
    const feed = await UpdateFeed.start();
    await use(feed);
    await feed.stop();
  },
});

const imageOf = ({ home }: Folders) => path.join(home, 'lisp-harbor.AppImage');

/** The environment of an app that was started from one file, and built with the server's address. */
function asImage(folders: Folders, feed: UpdateFeed): Record<string, string> {
  const config = path.join(folders.home, 'app-update.yml');
  writeFileSync(config, feed.config);
  writeFileSync(imageOf(folders), 'the older version');
  return { APPIMAGE: imageOf(folders), LISP_HARBOR_UPDATE_CONFIG: config };
}

const told = (page: Page) => page.getByRole('status', { name: 'Newer version' });

test('a newer version is fetched, waits for what runs, and takes the place of the older one', async ({
  start,
  folders,
  feed,
}) => {
  feed.offer('latest', OFFER);
  const { app, page } = await start({ env: asImage(folders, feed) });
  await expect(page.getByRole('region', { name: 'Newer version' })).toContainText(
    'Lisp Harbor 9.9.9 is available',
  );
  await show(page, 'Settings');
  await expect(told(page)).toContainText('Version 9.9.9 is available.');
  expect(feed.requests).not.toContain(OFFER.file);
  await told(page).getByRole('button', { name: 'Download' }).click();
  await expect(told(page)).toContainText('Version 9.9.9 is downloaded.');
  expect(readFileSync(imageOf(folders), 'utf8')).toBe('the older version');

  const agent = await connectAgent(page, 'codex');
  await agent.callTool({ name: 'eval', arguments: { code: '(defun tide (h) (* 2 h))' } });
  const running = agent.callTool({ name: 'eval', arguments: { code: '(loop (sleep 0.1))' } });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await show(page, 'Home');
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('(loop (sleep 0.1))');
  await show(page, 'Settings');
  await told(page).getByRole('button', { name: 'Install and restart' }).click();
  await expect(told(page)).toContainText('1 evaluation now');
  expect(readFileSync(imageOf(folders), 'utf8')).toBe('the older version');

  const ended = once(app.process(), 'exit');
  await show(page, 'Home');
  await pressLast(page.getByRole('button', { name: /^Stop codex in / }));
  await ended;
  await agent.close();
  await running.catch(() => undefined);
  expect(readFileSync(imageOf(folders))).toEqual(NEWER);
  await expect.poll(() => existsSync(path.join(folders.home, 'started'))).toBe(true);

  const { page: again } = await start();
  await show(again, 'Sessions');
  const sessions = again.getByRole('grid', { name: 'Sessions' });
  await expect(sessions.getByRole('row').filter({ hasText: 'codex' })).toContainText('asleep');
});

test('a file that is not what was announced is refused', async ({ start, folders, feed }) => {
  feed.offer('latest', { ...OFFER, sha512: Buffer.alloc(64).toString('base64') });
  const { page } = await start({ env: asImage(folders, feed) });
  await show(page, 'Settings');
  await told(page).getByRole('button', { name: 'Download' }).click();
  await expect(told(page)).toContainText('sha512 checksum mismatch');
  await expect(told(page).getByRole('button', { name: 'Install and restart' })).toHaveCount(0);
  expect(readFileSync(imageOf(folders), 'utf8')).toBe('the older version');
});

test('the channel is a person’s choice: beta, or nothing is asked of anybody', async ({
  start,
  folders,
  feed,
}) => {
  writeFileSync(`${folders.data}/settings.json`, JSON.stringify({ version: 1, updates: 'off' }));
  feed.offer('beta', { ...OFFER, version: '9.9.9-beta.1' });
  const { page } = await start({ env: asImage(folders, feed) });
  await show(page, 'Settings');
  await expect(told(page)).toContainText('Lisp Harbor does not check for updates.');
  expect(feed.requests).toEqual([]);
  await page.getByRole('combobox', { name: 'Updates' }).selectOption('beta');
  await expect(told(page)).toContainText('Version 9.9.9-beta.1 is available.');
  expect(feed.requests).toEqual(['beta-linux.yml']);
});

sharedTest('a copy without an address says so', async ({ start }) => {
  const { page } = await start();
  await show(page, 'Settings');
  await expect(page.getByText('has no update address')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Updates' })).toHaveCount(0);
});
