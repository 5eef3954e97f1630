/** A person watches what an agent's Clojure taps while it goes on, looks into a value, and clears the list. */
import { expect } from '@playwright/test';
import { Agent } from './agent';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './fixture';
import { chooseTheme, showSessionTab } from './steps';

test('what an agent taps appears while it runs, and leads into the inspector', async ({ start }) => {
  test.setTimeout(240_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const agent = await Agent.connect(page, 'navigator', { engine: 'clojure', name: 'passage' });
  await agent.evaluate('(+ 1 2)');
  const open = () => showSessionTab(page, 'passage', 'Taps');
  await open();
  await expect(page.getByText('Nothing was tapped yet')).toBeVisible();
  await examine(page, 'no taps');

  await agent.evaluate('(tap> {:ship :kea :draught 4}) (tap> [1 2 3]) (tap> (vec (range 500)))');
  const taps = page.getByRole('list', { name: 'Tapped values' }).getByRole('listitem');
  await expect(taps).toHaveCount(3);
  await expect(taps.nth(2)).toContainText('{:ship :kea, :draught 4}');
  for (const theme of ['light', 'dark'] as const) {
    await chooseTheme(page, theme);
    await open();
    await expect(taps).toHaveCount(3);
    await examine(page, `taps, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await open();
  await expect(taps).toHaveCount(3);
  await examine(page, 'taps, narrow');

  await taps.nth(2).getByRole('button', { name: /:kea/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Inspector' })).toContainText(':draught');
  await page.getByRole('tab', { name: 'Taps' }).click();
  await page.getByRole('button', { name: 'Forget all' }).click();
  await expect(page.getByText('Nothing was tapped yet')).toBeVisible();
  await agent.close();
});
