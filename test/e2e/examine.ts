/** What axe finds in the page. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Goes on after a violation, so that one run tells of all. */
export async function examine(page: Page, view: string): Promise<void> {
  // A tooltip of what the pointer rests on stands outside of all landmarks.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toBeHidden();
  // The page keeps axe, half a megabyte: to load it for each view takes longer than to examine that.
  const loaded = await page.evaluate(() => 'axe' in globalThis);
  const builder = new AxeBuilder({ page, ...(loaded ? { axeSource: 'undefined' } : {}) });
  // Electron cannot open the second page that axe would like to finish its work in. Elements without fault need no report.
  const { violations } = await builder
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }));
  expect.soft(found, view).toEqual([]);
}
