/** A first start: what Home offers, that nothing happens unasked, and that it stays away afterwards. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { examine } from './examine';
import { type Folders, test } from './fixture';
import { show } from './steps';

/** The program that sessions on SBCL shall run, which is not there yet. */
const programOf = ({ home }: Folders) => path.join(home, 'bin/sbcl');

function withoutSbcl(folders: Folders): void {
  writeFileSync(
    `${folders.data}/settings.json`,
    JSON.stringify({ version: 1, sbclCommand: [programOf(folders)] }),
  );
}

/** As the program leaves it before it has any server. */
function withCursor({ home }: Folders): string {
  const file = path.join(home, '.cursor/mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{}\n');
  return file;
}

const firstSteps = (page: Page) => page.getByRole('region', { name: 'First steps' });

test('a Lisp is installed by a command that is copied, a program is connected by its button, and both are done', async ({
  start,
  folders,
}) => {
  withoutSbcl(folders);
  const cursor = withCursor(folders);
  const { app, page } = await start();
  const steps = firstSteps(page);
  await expect(steps).toContainText('Found: nbb');
  await expect(steps).toContainText('SBCL is not installed');
  await expect(steps.getByText('sudo apt install sbcl', { exact: true })).toBeVisible();
  await examine(page, 'first steps');
  const choices = steps.getByRole('group', { name: 'What to install' });
  await choices.getByRole('checkbox', { name: 'SBCL' }).click({ force: true });
  await expect(steps.getByRole('button', { name: 'Copy command' })).toHaveCount(0);
  await choices.getByRole('checkbox', { name: 'SBCL' }).click({ force: true });
  await steps.getByRole('button', { name: 'Copy command' }).click();
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('sudo apt install sbcl');
  expect(readFileSync(cursor, 'utf8')).toBe('{}\n');

  mkdirSync(path.dirname(programOf(folders)));
  symlinkSync('/usr/bin/sbcl', programOf(folders));
  await steps.getByRole('button', { name: 'Check again' }).click();
  await expect(steps).toContainText(/Found: SBCL [\d.]+/);

  await steps.getByRole('button', { name: 'Connect Cursor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
  await expect(dialog.getByRole('region', { name: 'Change' })).toContainText('stdio.mjs');
  expect(readFileSync(cursor, 'utf8')).toBe('{}\n');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(steps).toHaveCount(0);
  expect(JSON.parse(readFileSync(cursor, 'utf8')).mcpServers.lisp).toBeDefined();

  // It stays away, also when the program is disconnected again.
  await show(page, 'Clients');
  await page.getByRole('button', { name: 'Disconnect Cursor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('listitem', { name: 'Cursor', exact: true })).toContainText('not connected');
  await show(page, 'Home');
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test('put away, it has changed nothing, and does not come back at the next start', async ({
  start,
  folders,
}) => {
  withoutSbcl(folders);
  const cursor = withCursor(folders);
  const { app, page } = await start();
  await firstSteps(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(firstSteps(page)).toHaveCount(0);
  expect(readFileSync(cursor, 'utf8')).toBe('{}\n');
  expect(existsSync(programOf(folders))).toBe(false);
  await app.close();

  const { page: again } = await start();
  await expect(again.getByRole('region', { name: 'Needs you' })).toContainText('Nothing');
  await expect(firstSteps(again)).toHaveCount(0);
});

test('nothing is offered where a Lisp is here and no program', async ({ start }) => {
  const { page } = await start();
  await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('Nothing');
  await expect(page.getByRole('complementary', { name: 'The harbor' })).toContainText('SBCL');
  await expect(firstSteps(page)).toHaveCount(0);
});

test('Git is made to ignore what only looks like a repository', async ({ start, folders }) => {
  withCursor(folders);
  const { page } = await start();
  const guard = firstSteps(page).getByRole('button', { name: 'Set it' });
  await guard.click();
  await expect(guard).toHaveCount(0);
  expect(readFileSync(path.join(folders.home, '.gitconfig'), 'utf8')).toContain('explicit');
});
