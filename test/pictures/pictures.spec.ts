/**
 * Pictures of every view, for people to look at: in test-results/pictures, light and dark, in a usual and in a
 * narrow window. The one in the README, resources/screenshot.png, is one of them.
 */
import path from 'node:path';
import type { Page } from '@playwright/test';
import { makeCertificate } from '../certificate';
import { resize } from '../e2e/desktop';
import { ROOT, test } from '../e2e/fixture';
import { ProvingDay } from '../e2e/proving-day';
import { chooseTheme, show, type Theme } from '../e2e/steps';
import { WorkingDay } from '../e2e/working-day';

const THEMES: readonly Theme[] = ['light', 'dark'];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
];

/** Milliseconds for one picture; a screen that draws at all needs a tenth of one second. */
const PICTURE_LIMIT_MS = 10_000;

for (const size of SIZES) {
  test(`${size.width} by ${size.height}`, async ({ start, folders }) => {
    const { app, page } = await start();
    await resize(app, size);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const take = (name: string) => picture(page, `${name}-${size.width}`);
    for (const view of ['Home', 'Sessions', 'History'] as const) {
      await show(page, view);
      await take(`${view.toLowerCase()}-empty`);
    }
    const day = await WorkingDay.begin(page, folders.project);
    for (const theme of THEMES) await day.tour(theme, (view) => take(`${view}-${theme}`));
    await day.end();
  });

  test(`proofs, ${size.width} by ${size.height}`, async ({ start }) => {
    const { app, page } = await start();
    await resize(app, size);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const day = await ProvingDay.begin(page);
    for (const theme of THEMES)
      await day.tour(theme, (view) => picture(page, `${view}-${theme}-${size.width}`));
    await day.end();
  });
}

test('every port open', async ({ start, folders }) => {
  const { cert, key } = makeCertificate(folders.project, 'own');
  const names = ['swank', 'bridge', 'lisply', 'tcp', 'telnet', 'https'];
  const ports = names.flatMap((name) => [`--${name}-port`, '0']);
  const { app, page } = await start({ options: [...ports, '--cert', cert, '--key', key] });
  await resize(app, { width: 1280, height: 800 });
  for (const theme of THEMES) {
    await chooseTheme(page, theme);
    await show(page, 'Home');
    await picture(page, `ports-${theme}-1280`);
  }
});

/** Runs in the page. A picture names no folder of the machine on which it was taken. */
function withoutPlaces(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    node.nodeValue = (node.nodeValue ?? '').replaceAll(/\/[^\s]*\/harbor-\w{6}(?=\/)/g, '/home/ada');
}

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(withoutPlaces);
  const file = path.join(ROOT, 'test-results/pictures', `${name}.png`);
  await page.screenshot({ path: file, timeout: PICTURE_LIMIT_MS });
}
