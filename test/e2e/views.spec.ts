/** Every view in light and dark, empty and filled with a working day, is free of accessibility violations. */
import { examine } from './examine';
import { test } from './fixture';
import { ProvingDay } from './proving-day';
import { show, type Theme } from './steps';
import { WorkingDay } from './working-day';

const THEMES: readonly Theme[] = ['light', 'dark'];

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
  const { page } = await start();
  // A pulsing mark would be seen half faded, and count as low contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await WorkingDay.begin(page, folders.project);
  for (const theme of THEMES) await day.tour(theme, (view) => examine(page, `${view}, ${theme}`));
  await day.end();
});

test('every view of proofs, light and dark', async ({ start }) => {
  test.setTimeout(480_000);
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await ProvingDay.begin(page);
  for (const theme of THEMES) await day.tour(theme, (view) => examine(page, `${view}, ${theme}`));
  await day.end();
});
