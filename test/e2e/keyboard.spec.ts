/** The whole way without a mouse: every view by its shortcut, everything in it by Tab, arrows, Enter and Escape. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { VIEWS } from '../../renderer/route';
import { test } from './shared-app';
import { block, evaluationRow, inputOf, type ViewName } from './steps';

/** More than any view has places to stop at. */
const MOST_STOPS = 30;

test('from a new session to a detail of the history', async ({ start }) => {
  const { page } = await start();
  await go(page, 'Sessions');
  await page.keyboard.press('Control+n');
  const repl = page.getByRole('region', { name: /^REPL of / });
  await expect(inputOf(repl)).toBeFocused();
  await enter(page, '(values 40 2)');
  await expect(block(repl, '(values 40 2)').getByRole('list', { name: 'Values' })).toHaveText(/40\s*2/);
  await enter(page, '(error "The lamp is out.")');
  await expect(page.getByRole('region', { name: 'Suspended at level 1' })).toContainText('The lamp is out.');

  await go(page, 'History');
  await tabTo(page, evaluations(page));
  await expectActive(page, 'lamp');
  const condition = page.getByRole('region', { name: 'Condition' });
  const values = page.getByRole('region', { name: 'Values' });
  await expect(condition).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(condition).toContainText('The lamp is out.');
  await page.keyboard.press('ArrowDown');
  await expectActive(page, '(values 40 2)');
  await expect(values).toContainText('40');
  // What is closed is opened again from where the keyboard was.
  await page.keyboard.press('Escape');
  await expect(values).toBeHidden();
  await expect(evaluations(page)).toBeFocused();
  await expectActive(page, '(values 40 2)');
  await page.keyboard.press('Enter');
  await expect(values).toContainText('40');
  await page.keyboard.press('ArrowUp');
  await expectActive(page, 'lamp');
  await expect(condition).toContainText('The lamp is out.');
  await page.keyboard.press('Escape');
  await expect(condition).toBeHidden();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('lamp');
  await expect(evaluationRow(page, '(values 40 2)')).toHaveCount(0);
  await expect(evaluationRow(page, 'lamp')).toBeVisible();
});

test('from the REPL to its tabs, and to another session', async ({ start }) => {
  const { page } = await start();
  const repl = page.getByRole('region', { name: /^REPL of / });
  for (const name of ['lighthouse', 'lighthouse 2']) {
    await page.keyboard.press('Control+n');
    await expect(page.getByRole('region', { name: `REPL of ${name}`, exact: true })).toBeVisible();
    await expect(inputOf(repl)).toBeFocused();
    await leaveEditor(page);
  }
  const input = inputOf(repl);
  await backTo(page, input);
  await enter(page, ':second');
  await expect(block(repl, ':second')).toContainText(':SECOND');
  await leaveEditor(page);
  await tabTo(page, page.getByRole('tab', { name: 'Debugger' }));
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(page.getByRole('tabpanel', { name: 'Checkpoints' })).toBeVisible();

  const rows = page.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  await backTo(page, input);
  await leaveEditor(page, 'Shift+Tab');
  await backTo(page, rows.filter({ hasText: 'lighthouse 2' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'REPL of lighthouse', exact: true })).toBeVisible();
  await expect(inputOf(repl)).toBeFocused();
});

test('a program is connected, a token issued and a theme chosen', async ({ start, folders }) => {
  // By this folder the program is found, and stands in the list from the start.
  mkdirSync(path.join(folders.home, '.config', 'Claude'), { recursive: true });
  const { page } = await start();
  await go(page, 'Clients');
  await tabTo(page, page.getByRole('button', { name: 'Connect Claude Desktop' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Connect Claude Desktop' });
  await tabTo(page, dialog.getByRole('button', { name: 'Connect' }));
  await page.keyboard.press('Enter');
  const disconnect = page.getByRole('button', { name: 'Disconnect Claude Desktop' });
  await expect(disconnect).toBeVisible();

  await tabTo(page, page.getByRole('button', { name: 'Issue token…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('pilot');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy token' })).toBeFocused();
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem', { name: 'pilot' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Issue token…' })).toBeFocused();

  await go(page, 'Settings');
  await tabTo(page, page.getByRole('radio', { name: 'System' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await go(page, 'Home');
  await tabTo(page, page.getByRole('link', { name: 'Connect a program or issue a token' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
});

function evaluations(page: Page): Locator {
  return page.getByRole('grid', { name: 'Evaluations' });
}

/** The grid has the focus itself and names the row where the keyboard is. */
async function expectActive(page: Page, code: string): Promise<void> {
  const row = evaluationRow(page, code);
  await expect(row).toHaveAttribute('id', /^entry-/);
  const id = (await row.getAttribute('id')) ?? '';
  await expect(evaluations(page)).toHaveAttribute('aria-activedescendant', id);
}

/** In the editor Tab completes and indents; after Escape it leaves. */
async function leaveEditor(page: Page, by: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press(by);
}

async function go(page: Page, view: ViewName): Promise<void> {
  const place = VIEWS.findIndex((id) => id === view.toLowerCase());
  await page.keyboard.press(`Control+${place + 1}`);
  await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible();
}

async function enter(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

/** Presses Tab until the element has the focus. */
function tabTo(page: Page, element: Locator): Promise<void> {
  return stepTo(page, element, 'Tab');
}

function backTo(page: Page, element: Locator): Promise<void> {
  return stepTo(page, element, 'Shift+Tab');
}

async function stepTo(page: Page, element: Locator, key: string): Promise<void> {
  await expect(element).toBeVisible();
  const focused = () => element.evaluate((node) => node === document.activeElement);
  for (let stop = 0; stop < MOST_STOPS && !(await focused()); stop += 1) await page.keyboard.press(key);
  await expect(element).toBeFocused();
}
