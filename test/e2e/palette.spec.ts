/** Every command by its name, in the palette, in the application menu and by shortcuts that a person may change. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { Folders } from './fixture';
import { test } from './shared-app';
import { openSession, screenOf, show } from './steps';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const shortcuts = ({ data }: Folders) =>
  JSON.parse(readFileSync(`${data}/settings.json`, 'utf8')).shortcuts as unknown;

test('opens by its shortcut everywhere, and leaves line editing to the REPL', async ({ start, folders }) => {
  const { app, page } = await start();
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await page.keyboard.press('Control+k');
  await expect(palette).toBeVisible();
  await page.keyboard.type('sandb');
  await expect(palette.getByRole('menuitem')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Sandbox')).toBeVisible();
  await expect(palette).toBeHidden();

  // Ctrl+K erases to the end of the line where somebody types Lisp.
  const repl = await openSession(page, 'SBCL');
  await page.keyboard.type('(list 1 2)');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+k');
  await expect.poll(() => screenOf(repl)).not.toContain('(list 1 2)');
  await expect(palette).toBeHidden();
  await page.keyboard.press('Control+Shift+P');
  await expect(palette).toBeVisible();
  await page.keyboard.type('earlier');
  await page.keyboard.press('Enter');
  const messages = page.getByRole('dialog', { name: 'Earlier messages' });
  await expect(messages).toContainText('No messages since this window opened.');
  await messages.getByRole('button', { name: 'Close' }).click();

  // The application menu has the same table.
  const labels = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  await expect.poll(labels).toEqual(expect.arrayContaining(['Go', 'Session', 'Agents']));
  const choose = (title: string) =>
    app.evaluate(({ Menu }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      items?.find(({ label }) => label === wanted)?.click();
    }, title);
  await choose('Pause all agents');
  await expect(page.getByRole('button', { name: 'Resume agents' })).toBeVisible();
  await choose('Resume agents');
  await expect(page.getByRole('button', { name: 'Pause all agents' })).toBeVisible();

  // What starts a command is a person's to choose.
  await show(page, 'Settings');
  await page.getByRole('button', { name: 'Change the shortcut of Home' }).click();
  await page.keyboard.press('Control+2');
  await expect(page.getByRole('button', { name: 'Press a shortcut for Home' })).toContainText(
    'is already used for “Sessions”',
  );
  await page.keyboard.press('Control+Shift+H');
  await expect.poll(() => shortcuts(folders)).toEqual({ 'view:home': 'Mod+Shift+H' });
  await page.keyboard.press('Control+1');
  await expect(heading(page, 'Settings')).toBeVisible();
  await page.keyboard.press('Control+Shift+H');
  await expect(heading(page, 'Home')).toBeVisible();
});

test('has all commands of the menu of the shown session', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'SBCL');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const inMenu = page.getByRole('menuitem', { disabled: false });
  await expect(inMenu.first()).toBeVisible();
  const offered = await inMenu.locator('> span:first-child').allInnerTexts();
  expect(offered).toEqual(
    expect.arrayContaining(['Restart…', 'Suspend on errors', 'Attach editor…', 'End session…']),
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+P');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  for (const title of offered) await expect(palette.getByRole('menuitem', { name: title })).toHaveCount(1);
  await page.keyboard.type('end session');
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog', { name: /^End session/ })
    .getByRole('button', { name: /^End / })
    .click();
  await expect(page.getByText('This session has ended.')).toBeVisible();
});
