/** The head of a session: what it shows when there is little room, and its menu. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator } from '@playwright/test';
import { answerSaveDialog, resize } from './desktop';
import { test } from './shared-app';
import { act, openSession, screenOf, typeLine } from './steps';

test('shows its state whole, and every action in one line, in a narrow window', async ({ start }) => {
  const { app, page } = await start();
  await resize(app, { width: 900, height: 600 });
  const repl = await openSession(page, 'SBCL');
  const session = page.getByRole('region', { name: /^Session / });
  const head = session.locator('header').first();
  await act(page, 'Suspend on errors');
  await typeLine(repl, '(car 1)');
  await expect(head).toContainText('debugger');
  await expect.poll(() => isCut(head.getByText('debugger'))).toBe(false);
  const heights = await head.getByRole('button').evaluateAll((all) => all.map((each) => each.clientHeight));
  expect(Math.max(...heights)).toBeLessThan(30);
  expect(await head.evaluate((element) => element.clientHeight)).toBeLessThan(45);
});

test('its menu exports what was defined', async ({ start, folders }) => {
  const { app, page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(defun depth () 7)');
  await expect.poll(() => screenOf(repl)).toMatch(/\nDEPTH\n/);
  const file = path.join(folders.project, 'kept.lisp');
  await answerSaveDialog(app, file);
  await act(page, 'Export…');
  await expect(page.getByText(`1 definition written to ${file}.`)).toBeVisible();
  expect(readFileSync(file, 'utf8')).toContain('(defun depth () 7)');
});

test('of two tabs side by side each is closed by itself', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'SBCL');
  await page.getByRole('button', { name: 'Show second tab' }).click();
  const second = page.getByRole('tablist', { name: 'Second' });
  await second.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('button', { name: 'Close Debugger' }).click();
  await expect(second).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Log', selected: true })).toBeVisible();

  await page.getByRole('button', { name: 'Show second tab' }).click();
  await page.getByRole('button', { name: 'Close Debugger' }).click();
  await expect(second).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Log', selected: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close tabs' }).click();
  await expect(page.getByRole('tab')).toHaveCount(0);
});

/** Whether less of an element's text is shown than there is. */
function isCut(element: Locator): Promise<boolean> {
  return element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}
