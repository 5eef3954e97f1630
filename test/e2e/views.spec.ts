/**
 * Every view, empty and filled with a day of work: without accessibility violations in both themes, and legible in small
 * windows, with large letters and with forced colours.
 */
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { sampled } from '../rounds';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './fixture';
import { expectLegible } from './legible';
import { drawn } from './pace';
import { ProvingDay } from './proving-day';
import { test as sharedTest } from './shared-app';
import { expectTheme, show, showSession, THEMES, type Theme, type ViewName } from './steps';
import { type Look, WorkingDay } from './working-day';

const VIEWS: readonly ViewName[] = [
  'Home',
  'Sessions',
  'Source',
  'Tests',
  'History',
  'Sandbox',
  'Clients',
  'Settings',
];

interface Room {
  name: string;
  width: number;
  height: number;
  zoom: number;
}

const USUAL: Room = { name: 'as it opens', width: 1200, height: 780, zoom: 1 };
const ROOMS: readonly Room[] = [
  USUAL,
  { name: 'narrow', width: 720, height: 620, zoom: 1 },
  { ...USUAL, name: 'at 200 %', zoom: 2 },
];

/** A check of the shown view. */
type Check = (app: ElectronApplication, page: Page, view: string) => Promise<void>;

const CHECKS: readonly Check[] = [
  ...THEMES.map(
    (theme): Check =>
      async (app, page, view) => {
        await become(app, page, theme);
        await examine(page, `${view}, ${theme}`);
        await become(app, page, 'light');
      },
  ),
  ...ROOMS.map(
    (room): Check =>
      async (app, page, view) => {
        await give(app, page, room);
        await expectLegible(page, `${view}, ${room.name}`);
        await give(app, page, USUAL);
      },
  ),
];

/** Makes one of the checks of each view; all of them in soak. */
function someChecks(app: ElectronApplication, page: Page): Look {
  return async (view) => {
    for (const check of sampled(`checks of ${view}`, CHECKS, 1)) await check(app, page, view);
  };
}

/** As the settings do it: for the system's parts and for the page. */
async function become(app: ElectronApplication, page: Page, theme: Theme): Promise<void> {
  await app.evaluate(({ nativeTheme }, source) => {
    nativeTheme.themeSource = source;
  }, theme);
  await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
  await expectTheme(page, theme);
}

/** Resizes the window and waits until the page is drawn. */
async function give(
  app: ElectronApplication,
  page: Page,
  { width, height, zoom }: Omit<Room, 'name'>,
): Promise<void> {
  await resize(app, { width, height });
  await app.evaluate(({ BrowserWindow }, factor) => {
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor);
  }, zoom);
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width / zoom);
  await drawn(page);
}

test('the views before anything happened', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const view of ['Home', 'Sessions', 'History'] as const) {
    await show(page, view);
    await examine(page, `${view}, empty`);
  }
});

test('every view after a day of work', async ({ start, folders }) => {
  test.setTimeout(480_000);
  const { app, page } = await start();
  // A pulsing mark would be seen half faded, and count as low contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await WorkingDay.begin(page, folders.project);
  await give(app, page, USUAL);
  await day.tour('light', someChecks(app, page));
  await showSession(page, 'charts');
  for (const room of ROOMS) {
    await give(app, page, room);
    await expect.poll(() => unusedBelow(page, 'Session charts')).toBe(0);
  }
  await page.emulateMedia({ contrast: 'more' });
  await give(app, page, USUAL);
  for (const view of sampled('more contrast', VIEWS, 2)) {
    await show(page, view);
    await examine(page, `${view}, more contrast`);
  }
  await page.emulateMedia({ contrast: 'no-preference' });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2));
  for (const view of sampled('at 200 %', VIEWS, 3)) {
    await show(page, view);
    await examine(page, `${view}, at 200 %`);
    expect.soft(await cutOff(page), `${view}, at 200 %`).toEqual([]);
  }
  await give(app, page, USUAL);
  await page.emulateMedia({ forcedColors: 'active' });
  await expectChosenDistinct(page);
  await day.end();
});

/** Controls outside the window that no scrolling reaches. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      const { overflowX } = getComputedStyle(element);
      const above = element.parentElement;
      return overflowX === 'auto' || overflowX === 'scroll' || (above !== null && scrolls(above));
    };
    return [...document.querySelectorAll('a, button, input, select')]
      .filter((element) => element.checkVisibility() && !scrolls(element))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 200));
  });
}

sharedTest('every view of proofs', async ({ start }) => {
  sharedTest.setTimeout(480_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await ProvingDay.begin(page);
  await give(app, page, USUAL);
  await day.tour('light', someChecks(app, page));
  await day.end();
});

/** Pixels between the end of a region and that of the window. */
function unusedBelow(page: Page, region: string): Promise<number> {
  return page
    .getByRole('region', { name: region, exact: true })
    .evaluate((element) => Math.round(innerHeight - element.getBoundingClientRect().bottom));
}

sharedTest(
  'the first outline of the window has its names where the navigation has them',
  async ({ start }) => {
    const { app, page } = await start();
    for (const [width, zoom] of [
      [1200, 1],
      [720, 1],
      [720, 1.5],
    ] as const) {
      await give(app, page, { width, height: 600, zoom });
      const places = await page.evaluate(placesOfNames);
      expect(places.outlined).toEqual(places.drawn);
    }
  },
);

/** Where the names of the views are before the page's code is there, and after: the first edges of their letters. */
async function placesOfNames(): Promise<{ outlined: number[][]; drawn: number[][] }> {
  const html = await fetch('/index.html').then((answer) => answer.text());
  const place = (holder: Element) => {
    const range = document.createRange();
    range.selectNodeContents(holder);
    const { left, top } = range.getBoundingClientRect();
    return getComputedStyle(holder).visibility === 'hidden' ? [] : [left, top].map(Math.round);
  };
  const drawn = [...document.querySelectorAll('nav ul a > span:first-of-type')].map((name) =>
    getComputedStyle(name).clipPath === 'none' ? place(name) : [],
  );
  const frame = document.createElement('div');
  frame.style.cssText = 'position: fixed; inset: 0';
  frame.innerHTML =
    new DOMParser().parseFromString(html, 'text/html').querySelector('.opening')?.outerHTML ?? '';
  document.body.append(frame);
  const outlined = [...frame.querySelectorAll('li')].map(place);
  frame.remove();
  return { outlined, drawn };
}

/** Where a system forces its colours. */
async function expectChosenDistinct(page: Page): Promise<void> {
  for (const view of VIEWS) {
    await show(page, view);
    expect.soft(await indistinct(page), view).toEqual([]);
  }
  await page.getByRole('button', { name: 'Choose project…' }).first().focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('dialog').locator('[data-focused]')).toBeVisible();
  expect(await indistinct(page)).toEqual([]);
}

/** What is chosen and looks like what is not, of the same kind and beside it. */
function indistinct(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const KINDS = [
      ['nav a', '[aria-current]'],
      ['[role=tab], [role=row], tr', '[aria-selected=true]'],
      ['label:has([type=radio])', '[data-selected]'],
      ['label:has([type=checkbox])', '[data-selected]'],
      ['[role=menuitem]', '[data-focused]'],
    ] as const;
    /** How it looks, and its first child, which is the box of a checkbox. */
    const look = (element: Element) =>
      [element, ...element.querySelectorAll('svg')].map((part) => {
        const { outlineStyle, outlineColor, visibility, borderBottomColor, color } = getComputedStyle(part);
        return [outlineStyle, outlineColor, visibility, part === element && [borderBottomColor, color]];
      });
    return KINDS.flatMap(([all, chosen]) => {
      const seen = [...document.querySelectorAll(all)].filter((element) => element.checkVisibility());
      const others = seen
        .filter((element) => !element.matches(chosen))
        .map((element) => JSON.stringify(look(element)));
      return seen
        .filter((element) => element.matches(chosen) && others.includes(JSON.stringify(look(element))))
        .map((element) => element.outerHTML.slice(0, 160));
    });
  });
}
