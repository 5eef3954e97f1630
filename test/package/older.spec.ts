/** A newer version is installed over an older one, and opens what that one kept. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { electronBinary, test } from '../e2e/fixture';
import { show } from '../e2e/steps';
import { openInstalled } from './installed-window';
import { Nobody } from './nobody';
import { asOlder } from './older-history';
import {
  COMMAND,
  install,
  installedVersion,
  packageAs,
  packageFile,
  uninstall,
  versionOf,
} from './package-files';
import { defineTide, expectAsleep, expectTideBack } from './tides';

/** The `user_version` of the first version whose sessions outlived their harbor. */
const MAX_SESSIONS = 100;

const OLDER = '0.0.9';

test('sessions, history, settings and connected programs of an older version are there in a newer one', async () => {
  const nobody = await Nobody.take();
  const { data, folder } = nobody;
  const lisp = (...words: string[]) => nobody.say(COMMAND, ...words, '--data', data);
  uninstall();
  const older = await packageAs(OLDER);
  install(older.file);
  older.remove();
  expect(installedVersion()).toBe(OLDER);
  defineTide(lisp);
  lisp('eval', '(+ 40 2)', '--session', 'sums', '--engine', 'nbb');
  lisp('clients', 'add', 'claude-desktop', '--profile', 'acl2');
  lisp('stop');
  asOlder(await electronBinary(), data, MAX_SESSIONS);
  nobody.own(data);

  install(packageFile());
  expect(installedVersion()).toBe(versionOf(packageFile()));
  expectTideBack(lisp);
  expect(lisp('call', 'history', '{}')).toContain('(defun tide (h) (* 2 h))');
  expect(lisp('clients', 'list')).toMatch(/claude-desktop +connected/);
  lisp('stop');

  const { page, end } = await openInstalled(nobody, nobody);
  await expectAsleep(page, 'tides', 'sums');
  await show(page, 'History');
  await expect(page.getByText('(defun tide (h) (* 2 h))').first()).toBeVisible();
  await end();
  lisp('clients', 'remove', 'claude-desktop');
  expect(existsSync(`${folder}/.config/Claude/claude_desktop_config.json`)).toBe(false);
  // The older history was brought up to date, and not moved aside as damaged.
  expect(readdirSync(data).filter((name) => name.includes('damaged'))).toEqual([]);
  expect(readFileSync(`${data}/history.db`).subarray(0, 15).toString()).toBe('SQLite format 3');
  nobody.end();
});
