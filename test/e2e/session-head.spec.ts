/** The head of a session: what it shows when there is little room, and its menu. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator } from '@playwright/test';
import { answerSaveDialog, resize } from './desktop';
import { test } from './shared-app';
import { act, block, enterForm, openBlocks, openPane, openSession, screenOf, typeLine } from './steps';

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

test('Escape closes its dialog for editors after a port was opened there', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'SBCL');
  await act(page, 'Attach editor…');
  const dialog = page.getByRole('dialog', { name: /^Attach an editor to / });
  await dialog.getByRole('button', { name: 'Open nREPL port' }).click();
  await expect(dialog.getByRole('button', { name: 'Close port' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: /^Close port \d+$/ }).click();
});

test('a pane is split and closed by itself, and its icon opens and closes it', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'SBCL');
  const tab = (name: string) => page.getByRole('tab', { name });
  const panes = page.getByRole('tabpanel');
  await expect(panes).toHaveCount(0);
  await tab('Debugger').click();
  await page.getByRole('button', { name: 'Split the pane' }).click();
  await page.getByRole('button', { name: 'Choose the second pane' }).click();
  await page.getByRole('menuitem', { name: 'Log' }).click();
  await expect(panes).toHaveCount(2);
  await page.getByRole('button', { name: 'Close Debugger' }).click();
  await expect(tab('Log')).toHaveAttribute('aria-selected', 'true');
  await expect(panes).toHaveCount(1);
  await page.getByRole('button', { name: 'Close the pane' }).click();
  await expect(panes).toHaveCount(0);
  await page.keyboard.press('Alt+2');
  await expect(page.getByRole('tabpanel', { name: 'Inspector' })).toBeVisible();
  await page.keyboard.press('Alt+2');
  await expect(panes).toHaveCount(0);
  await tab('Memory').click();
  await expect(page.getByRole('tabpanel', { name: 'Memory' })).toBeVisible();
  await tab('Memory').click();
  await expect(panes).toHaveCount(0);
});

test('with a pane open there are 80 columns of code, and the list of sessions is a rail', async ({
  start,
}) => {
  const { app, page } = await start();
  await resize(app, { width: 1280, height: 800 });
  const repl = await openBlocks(page, 'SBCL');
  const sessions = page.getByRole('grid', { name: 'Sessions' });
  const widthOf = (element: Locator) => element.evaluate(({ clientWidth }) => clientWidth);
  await expect.poll(() => widthOf(sessions)).toBeGreaterThan(150);
  await openPane(page, 'Memory');
  await expect.poll(() => widthOf(sessions)).toBeLessThan(80);
  const line = 'x'.repeat(76);
  await enterForm(repl, `"${line}"`);
  const code = block(repl, line).locator('pre').first();
  await expect(code).toBeVisible();
  // Quotes included, 78 characters are on one line, and two more would be.
  await expect.poll(() => code.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(30);
  await expect.poll(() => code.evaluate(columnsOf)).toBeGreaterThanOrEqual(80);
  await page.getByRole('button', { name: 'Widen or narrow the session list' }).click();
  await expect(page.getByRole('tabpanel')).toHaveCount(0);
  await expect.poll(() => widthOf(sessions)).toBeGreaterThan(150);
});

/** The number of characters that an element is wide. */
function columnsOf(element: Element): number {
  const { font, width } = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = font;
  return Math.floor(Number.parseFloat(width) / context.measureText('0').width);
}

/** Whether less of an element's text is shown than there is. */
function isCut(element: Locator): Promise<boolean> {
  return element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}
