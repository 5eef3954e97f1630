/** The installed app installs a newer package of itself, from a real server, and comes back with its sessions asleep. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../e2e/fixture';
import { pressLast, show } from '../e2e/steps';
import { UpdateFeed } from '../update-feed';
import { attach, openInstalled } from './installed-window';
import { COMMAND, ensureInstalled, FOLDER, installedVersion, packageAs, uninstall } from './package-files';
import { Root } from './root';
import { defineTide, expectAsleep, expectTideBack } from './tides';

const CONFIG = path.join(FOLDER, 'resources/app-update.yml');
const NEWER = '9.9.9';

test.beforeAll(ensureInstalled);
// What was put in its place here is no longer what was packed.
test.afterAll(uninstall);

test('a package that was built with an address knows it, and of which kind it is', () => {
  expect(readFileSync(CONFIG, 'utf8')).toMatch(/^provider: generic\nurl: http:\/\/127\.0\.0\.1:9\/\n/);
  expect(readFileSync(path.join(FOLDER, 'resources/package-type'), 'utf8').trim()).toBe('deb');
});

test('a newer package is fetched and installed, and the app starts again', async () => {
  const feed = await UpdateFeed.start();
  const newer = await packageAs(NEWER);
  feed.offer('latest', { version: NEWER, file: 'newer.deb', bytes: readFileSync(newer.file) });
  newer.remove();
  writeFileSync(CONFIG, feed.config);
  // Whoever is not root is asked for a password by the system, which nobody is here to answer.
  const root = new Root();
  const lisp = (...words: string[]) => root.say(COMMAND, ...words, '--data', root.data);

  const { page, ended } = await openInstalled(root, root);
  defineTide(lisp);
  await show(page, 'Settings');
  const told = page.getByRole('status', { name: 'Newer version' });
  await told.getByRole('button', { name: 'Download' }).click();
  await pressLast(told.getByRole('button', { name: 'Install and restart' }));
  await ended();
  expect(installedVersion()).toBe(NEWER);

  const { page: again, browser } = await attach(root.data);
  await expectAsleep(again, 'tides');
  expectTideBack(lisp);
  await browser.close();
  lisp('stop');
  await feed.stop();
  root.end();
});
