/** Every view can be read and used where there is little room, where letters are twice as large, and where a system forces its colours. */
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { sampled } from '../rounds';
import { resize } from './desktop';
import { test } from './fixture';
import { expectLegible } from './legible';
import { drawn } from './pace';
import { ProvingDay } from './proving-day';
import { show, showSession, type ViewName } from './steps';
import { type Look, WorkingDay } from './working-day';

interface Room {
  name: string;
  width: number;
  height: number;
  zoom: number;
}

const NARROW: Room = { name: 'narrow', width: 720, height: 620, zoom: 1 };

const OTHERS: readonly Room[] = [
  { name: 'as it opens', width: 1200, height: 780, zoom: 1 },
  { name: 'at 200 %', width: 1200, height: 780, zoom: 2 },
];

const VIEWS: readonly ViewName[] = ['Home', 'Sessions', 'History', 'Sandbox', 'Clients', 'Settings'];

/** Answers when the page has drawn itself in that room. */
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

/** Looks at each view where there is least room, and in one of the other sizes, in soak in both. */
function inEveryRoom(app: ElectronApplication, page: Page): Look {
  return async (view) => {
    await expectLegible(page, `${view}, ${NARROW.name}`);
    for (const room of sampled(`rooms of ${view}`, OTHERS, 1)) {
      await give(app, page, room);
      await expectLegible(page, `${view}, ${room.name}`);
    }
    await give(app, page, NARROW);
  };
}

test('nothing is cut off or lies on anything else, nor looks like what is not chosen', async ({
  start,
  folders,
}) => {
  test.setTimeout(480_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await WorkingDay.begin(page, folders.project);
  await give(app, page, NARROW);
  await day.tour('dark', inEveryRoom(app, page));
  await showSession(page, 'charts');
  for (const room of [NARROW, ...OTHERS]) {
    await give(app, page, room);
    await expect.poll(() => unusedBelow(page, 'Session charts')).toBe(0);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  await expectChosenDistinct(page);
  await day.end();
});

test('nothing of proofs is cut off or lies on anything else', async ({ start }) => {
  test.setTimeout(480_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await ProvingDay.begin(page);
  await give(app, page, NARROW);
  await day.tour('dark', inEveryRoom(app, page));
  await day.end();
});

/** Pixels between the end of a region and that of the window. */
function unusedBelow(page: Page, region: string): Promise<number> {
  return page
    .getByRole('region', { name: region, exact: true })
    .evaluate((element) => Math.round(innerHeight - element.getBoundingClientRect().bottom));
}

test('the outline that stands there first has its names where the navigation will have them', async ({
  start,
}) => {
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
});

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
