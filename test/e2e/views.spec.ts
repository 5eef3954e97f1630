/** Every view in light and dark, empty and filled with a working day, is free of accessibility violations. */
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { sampled } from '../rounds';
import { examine } from './examine';
import { test } from './fixture';
import { ProvingDay } from './proving-day';
import { expectTheme, show, type Theme, type ViewName } from './steps';
import { type Look, WorkingDay } from './working-day';

const THEMES: readonly Theme[] = ['dark', 'light'];
const VIEWS: readonly ViewName[] = ['Home', 'Sessions', 'History', 'Sandbox', 'Clients', 'Settings'];

/** Examines each view in one of the themes, in soak in both, and leaves it light. */
function inThemes(app: ElectronApplication, page: Page): Look {
  const become = async (theme: Theme) => {
    await app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    await expectTheme(page, theme);
  };
  return async (view) => {
    for (const theme of sampled(`themes of ${view}`, THEMES, 1)) {
      await become(theme);
      await examine(page, `${view}, ${theme}`);
    }
    await become('light');
  };
}

test('the views before anything happened', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const view of ['Home', 'Sessions', 'History'] as const) {
    await show(page, view);
    await examine(page, `${view}, empty`);
  }
});

test('every view, light and dark', async ({ start, folders }) => {
  test.setTimeout(480_000);
  const { app, page } = await start();
  // A pulsing mark would be seen half faded, and count as low contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await WorkingDay.begin(page, folders.project);
  await day.tour('light', inThemes(app, page));
  await page.emulateMedia({ contrast: 'more' });
  for (const view of VIEWS) {
    await show(page, view);
    await examine(page, `${view}, more contrast`);
  }
  await page.emulateMedia({ contrast: 'no-preference' });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2));
  for (const view of VIEWS) {
    await show(page, view);
    await examine(page, `${view}, at 200 %`);
    expect.soft(await cutOff(page), `${view}, at 200 %`).toEqual([]);
  }
  await day.end();
});

/** What can be pressed and lies beside the window, where nothing scrolls to it. */
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

test('every view of proofs, light and dark', async ({ start }) => {
  test.setTimeout(480_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await ProvingDay.begin(page);
  await day.tour('light', inThemes(app, page));
  await day.end();
});
