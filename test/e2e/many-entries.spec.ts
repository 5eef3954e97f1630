/** A long history: only what is in sight is drawn, any place of it is a moment away, and the keyboard goes through it. */
import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { APART_MS, NEWEST_AT, writeManyEntries } from '../many-entries';
import { resize } from './desktop';
import { examine } from './examine';
import { electronBinary, test } from './fixture';
import { chooseTheme, show, someThemes } from './steps';

const EVALUATIONS = 20_000;
const ENTRIES = EVALUATIONS + EVALUATIONS / 10;

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Evaluations' });
const rows = (page: Page): Locator => grid(page).getByRole('row', { name: /height-at|find|write_file/ });
const selected = (page: Page): Locator => grid(page).getByRole('row', { selected: true });

test('a long history is scrolled, walked through, searched, narrowed, and seen as a timeline', async ({
  start,
  folders,
}) => {
  writeManyEntries(await electronBinary(), folders.data, EVALUATIONS);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await show(page, 'History');
  await test.step('the list', () => useList(page));
  await page.getByRole('button', { name: 'Show all' }).click();
  await test.step('the timeline says when each client did what, and leads to it', () =>
    useTimeline(app, page));
});

async function useList(page: Page): Promise<void> {
  await expect(
    page.getByRole('status').filter({ hasText: `${ENTRIES.toLocaleString('en-US')} entries` }),
  ).toBeVisible();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(ENTRIES + 1));
  await expect(rows(page).filter({ hasText: `find station-` }).first()).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(80);

  // Both values, engine and session of an evaluation.
  const newest = rows(page).filter({ hasText: `(height-at ${EVALUATIONS - 1} :` });
  await expect(newest).toContainText(`${EVALUATIONS - 1}.`);
  await expect(newest).toContainText('NIL');
  await expect(newest.getByRole('gridcell', { name: 'tides SBCL' })).toBeVisible();

  // By keys from the first to the last, and what is selected stands beside the list.
  await grid(page).focus();
  await page.keyboard.press('Home');
  await expect(selected(page)).toHaveAttribute('aria-rowindex', '2');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(selected(page)).toHaveAttribute('aria-rowindex', '4');
  await expect(page.getByRole('region', { name: `Evaluation ${EVALUATIONS - 1}` })).toBeVisible();
  await page.keyboard.press('End');
  await expect(selected(page)).toContainText('(height-at 1 :');
  expect(await rows(page).count()).toBeLessThan(80);

  // A date: the newest of that day is in sight.
  const day = new Date(NEWEST_AT - 5 * 24 * 60 * APART_MS);
  const pad = (part: number) => String(part).padStart(2, '0');
  await page
    .getByRole('textbox', { name: 'Go to date' })
    .or(page.getByLabel('Go to date'))
    .fill(`${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`);
  const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
  const last = EVALUATIONS - Math.floor((NEWEST_AT - midnight) / APART_MS) - 1;
  await expect(rows(page).filter({ hasText: `(height-at ${last} :` })).toBeVisible();

  // Hits are marked; a call is found by what it was asked.
  const search = page.getByRole('searchbox', { name: 'Search history' });
  const asked = '(height-at 777 :';
  await search.fill(asked);
  await expect(rows(page)).toHaveCount(1);
  // A hit over several pieces of code has a mark in each.
  await expect.poll(async () => (await grid(page).locator('mark').allTextContents()).join('')).toBe(asked);
  await search.fill('station-4321');
  await expect(page.getByText('No results')).toBeVisible();
  await search.fill('station-4320');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('refused');
  await rows(page).click();
  await expect(page.getByRole('region', { name: 'Reason' })).toContainText('told of 4320');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Reason' })).toBeHidden();

  // Narrowed by each of the choices.
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('combobox', { name: 'Session' }).selectOption({ label: 'charts' });
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('error');
  // Every fiftieth, of which each third is of that session, from the first on.
  const failed = Math.ceil(EVALUATIONS / 50 / 3);
  await expect(page.getByRole('status').filter({ hasText: `${failed} entries` })).toBeVisible();
  await expect(rows(page).first()).toContainText('no station');
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'by write_file' });
  await expect(
    page.getByRole('status').filter({ hasText: `${(EVALUATIONS / 20).toLocaleString('en-US')} entries` }),
  ).toBeVisible();
  await expect(rows(page).first()).toContainText('refused');
}

async function useTimeline(app: ElectronApplication, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Timeline' }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const lane = (client: string) => timeline.getByRole('group', { name: client });
  for (const client of ['claude-code', 'codex', 'cursor']) await expect(lane(client)).toBeVisible();
  await expect(
    lane('claude-code')
      .getByRole('button', { name: /evaluations, \d+ other calls, \d+ refusals$/ })
      .first(),
  ).toBeVisible();
  await expect(lane('codex').getByRole('button')).toHaveCount(96);
  for (const theme of someThemes('many-entries')) {
    await chooseTheme(page, theme);
    await show(page, 'History');
    await expect(lane('codex')).toBeVisible();
    await examine(page, `timeline, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await examine(page, 'timeline, narrow');
  await resize(app, { width: 1200, height: 780 });

  // The oldest mark of a client leads to its last entry of that time.
  await lane('codex').getByRole('button').first().click();
  await expect(selected(page)).toContainText('codex');
  const place = await selected(page).getAttribute('aria-rowindex');
  expect(Number(place)).toBeGreaterThan(ENTRIES * 0.95);

  // One stop of Tab; from there arrows lead along a lane and to the others.
  await lane('codex').getByRole('button').first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await expect(lane('claude-code').getByRole('button').last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(selected(page)).toContainText('claude-code');
  expect(Number(await selected(page).getAttribute('aria-rowindex'))).toBeLessThan(10);

  // It is of what the list shows.
  await page.getByRole('combobox', { name: 'Client' }).selectOption({ label: 'cursor' });
  await expect(lane('codex')).toBeHidden();
  await expect(lane('cursor')).toBeVisible();
}
