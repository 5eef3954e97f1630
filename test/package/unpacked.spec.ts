/** The archive: unpacked by somebody without rights, in a folder of theirs, it is the whole app. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../e2e/fixture';
import { show } from '../e2e/steps';
import { openInstalled } from './installed-window';
import { Nobody } from './nobody';
import { madeBeside, uninstall } from './package-files';

// What is not installed lends nothing to what is unpacked.
test.beforeAll(uninstall);

let nobody: Nobody;
let folder: string;

test.beforeAll(async () => {
  nobody = await Nobody.take();
  folder = path.join(nobody.folder, 'apps and more');
  mkdirSync(folder);
  nobody.own(folder);
  const [program, ...args] = nobody.command('tar', 'xzf', madeBeside('.tar.gz'), '--strip-components=1');
  execFileSync(program, args, { cwd: folder });
});

test.afterAll(() => nobody.end());

test('it is of no package, so that nobody would install one in its place', () => {
  for (const name of ['package-type', 'app-update.yml'])
    expect(existsSync(path.join(folder, 'resources', name))).toBe(false);
  expect(readFileSync(path.join(folder, 'resources/app-version'), 'utf8')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('its command evaluates, and its window opens inside Chromium’s own sandbox', async () => {
  const command = path.join(folder, 'bin/lisp-harbor');
  const lisp = (...words: string[]) => nobody.say(command, ...words, '--data', nobody.data);
  expect(lisp('eval', '(* 6 7)')).toContain('=> 42');
  lisp('stop');
  const { page, end } = await openInstalled(nobody, { ...nobody, app: path.join(folder, 'lisp-harbor') });
  await show(page, 'History');
  await expect(page.getByText('(* 6 7)').first()).toBeVisible();
  await show(page, 'Settings');
  await expect(page.getByText('has no update address')).toBeVisible();
  await end();
});
