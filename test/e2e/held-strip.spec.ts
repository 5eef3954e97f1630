/** Above the input of a session that is held: what holds it, and every way out. */
import { expect } from '@playwright/test';
import { test } from './shared-app';
import { block, enterForm, inputOf, openBlocks } from './steps';

test('a long error message leaves room for the restarts and the input, also in large letters', async ({
  start,
}) => {
  const { app, page } = await start();
  const zoom = (factor: number) =>
    app.evaluate(({ BrowserWindow }, chosen) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(chosen);
    }, factor);
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(
    repl,
    String.raw`(restart-case (error "~a" (make-string 3000 :initial-element #\x)) (ebb () 1) (wait () 2) (flow () 3))`,
  );
  const strip = page.getByRole('region', { name: 'Suspended at level 1' });
  await expect(strip).toContainText('SIMPLE-ERROR');
  const width = await page.evaluate(() => innerWidth);
  for (const factor of [2, 1]) {
    await zoom(factor);
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width / factor);
    await expect(inputOf(repl)).toBeInViewport({ ratio: 0.9 });
    for (const button of await strip.getByRole('button').all())
      await expect(button).toBeInViewport({ ratio: 0.9 });
  }
  // What is not seen of the message is scrolled to, by the keyboard as well.
  const message = strip.getByText('xxx');
  await message.locator('..').press('End');
  await expect.poll(() => message.locator('..').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await enterForm(repl, '0');
  await expect(strip).toBeHidden();
});

test('of many restarts every one can be chosen above the input', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  const restarts = ['ebb', 'wait', 'flow', 'turn', 'slack', 'surge'];
  await enterForm(
    repl,
    `(restart-case (error "tide") ${restarts.map((name, n) => `(${name} () :report "${name} now" ${n})`).join(' ')})`,
  );
  const strip = page.getByRole('region', { name: 'Suspended at level 1' });
  await strip.getByRole('button', { name: /^\d more restarts$/ }).click();
  const menu = page.getByRole('menu', { name: /more restarts$/ });
  await expect(menu.getByRole('menuitem')).toHaveText([/^4 SLACK\s*slack now/, /^5 SURGE/, /^6 ABORT/]);
  await menu.getByRole('menuitem', { name: '5 SURGE' }).click();
  await expect(strip).toBeHidden();
  await expect(block(repl, 'restart-case').getByRole('list', { name: 'Values' })).toHaveText('5');
});
