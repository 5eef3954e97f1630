/** Worlds of ACL2 that are kept by name: gone back to in the window, with what was left kept as well. */
import { expect, type Page } from '@playwright/test';
import { test } from './shared-app';
import { openPane, openSession, submit } from './steps';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

test('a world is saved, left, gone back to, and taken up again', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'ACL2');
  await submit(repl, APP, 'DEFUN APP');
  await openPane(page, 'Checkpoints');
  await expect(page.getByText('the world: every command')).toBeVisible();
  await page.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('definitions');
  await page.keyboard.press('Enter');
  const row = (name: string) =>
    page.getByRole('table', { name: 'Checkpoints' }).locator('tbody').filter({ hasText: name });
  await expect(row('definitions')).toContainText('lighthouse');
  await submit(repl, ASSOC, 'DEFTHM APP-ASSOC');
  await expect(await events(page)).toHaveText(['1DEFUN APP', '2DEFTHM APP-ASSOC']);

  await openPane(page, 'Checkpoints');
  await row('definitions').getByRole('button', { name: 'Restore definitions' }).click();
  const asked = page.getByRole('dialog', { name: 'Restore “definitions” into “lighthouse”?' });
  await expect(asked).toContainText('Its current state is saved in a checkpoint first.');
  await asked.getByRole('button', { name: 'Restore definitions' }).click();
  await expect(page.getByText('Its previous state is in checkpoint lighthouse-1.')).toBeVisible();
  await expect(await events(page)).toHaveText(['1DEFUN APP']);

  await openPane(page, 'Checkpoints');
  await row('lighthouse-1').getByRole('button', { name: 'Restore lighthouse-1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore lighthouse-1' }).click();
  await expect(page.getByText('is restored from checkpoint lighthouse-1')).toBeVisible();
  await expect(await events(page)).toHaveText(['1DEFUN APP', '2DEFTHM APP-ASSOC']);
});

async function events(page: Page) {
  await openPane(page, 'Events');
  return page.getByRole('listbox', { name: 'Events' }).getByRole('option');
}
