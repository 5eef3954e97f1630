/**
 * Pictures of every view, for people to look at: in test-results/pictures, light and dark, in a usual and in a
 * narrow window. The one in the README, resources/screenshot.png, is one of them.
 */
import { makeCertificate } from '../certificate';
import { resize } from '../e2e/desktop';
import { test } from '../e2e/fixture';
import { ProvingDay } from '../e2e/proving-day';
import { chooseTheme, show, type Theme } from '../e2e/steps';
import { WorkingDay } from '../e2e/working-day';
import { takePicture } from './picture';

const THEMES: readonly Theme[] = ['light', 'dark'];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
];

for (const size of SIZES) {
  test(`${size.width} by ${size.height}`, async ({ start, folders }) => {
    const { app, page } = await start();
    await resize(app, size);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const take = (name: string) => takePicture(page, `${name}-${size.width}`);
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
      await day.tour(theme, (view) => takePicture(page, `${view}-${theme}-${size.width}`));
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
    await takePicture(page, `ports-${theme}-1280`);
  }
});
