/** An exception of an agent's Clojure, looked at by a person: its causes, its data, its stack; by mouse and by keyboard. */
import { expect } from '@playwright/test';
import { Agent } from './agent';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './shared-app';
import { chooseTheme, showSessionTab, someThemes } from './steps';

const CODE = `(defn height [ship]
  (throw (ex-info "no draught" {:ship ship :depth 4})))
(defn sail [ship]
  (try (height ship)
       (catch Exception e (throw (IllegalStateException. "cannot sail" e)))))`;

test('a person sees what an agent’s Clojure threw, looks into its data and at the line', async ({
  start,
}) => {
  test.setTimeout(240_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const agent = await Agent.connect(page, 'navigator', { engine: 'clojure', name: 'passage' });
  await agent.evaluate(CODE);
  await agent.evaluate('(sail {:name :kea})');

  const open = () => showSessionTab(page, 'passage', 'Debugger');
  await open();
  const error = page.getByRole('region', { name: 'Last error' });
  const causes = error.getByRole('region', { name: 'Causes' });
  const frames = error.getByRole('region', { name: 'Frames' });
  await expect(error).toContainText('navigator');
  await expect(error).toContainText('The evaluation has ended. Clojure has no restarts');
  await expect(
    causes.getByRole('button', { name: /caused by clojure\.lang\.ExceptionInfo/ }),
  ).toHaveAttribute('aria-pressed', 'true');
  await expect(causes).toContainText('cannot sail');
  await expect(causes.locator('dl[aria-label=Data]')).toContainText(':depth');

  // The agent's own function is open at its line; Clojure's own frames are one line.
  await expect(frames.getByRole('button', { name: /user\/height \(/ })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  await expect(frames.locator('mark')).toHaveText('(throw (ex-info "no draught" {:ship ship :depth 4})))');
  await expect(frames.getByRole('button', { name: /frames? of Clojure/ }).first()).toBeVisible();
  for (const theme of someThemes('thrown')) {
    await chooseTheme(page, theme);
    await open();
    await expect(frames.locator('mark')).toBeVisible();
    await examine(page, `what was thrown, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await open();
  await expect(frames.locator('mark')).toBeVisible();
  await examine(page, 'what was thrown, narrow');

  await test.step('the keyboard leads along the stack', async () => {
    await frames.getByRole('button', { name: /user\/height \(/ }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(frames.getByRole('button', { name: /user\/sail \(/ })).toBeFocused();
    await expect(frames.locator('mark')).toHaveText('(try (height ship)');
    await causes.getByRole('button', { name: /thrown java\.lang\.IllegalStateException/ }).focus();
    await page.keyboard.press('Enter');
    await expect(frames.getByRole('button', { name: /user\/sail \(/ })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
    await expect(frames.getByRole('button', { name: /user\/height \(/ })).toBeHidden();
  });

  await test.step('its data is a value of the image', async () => {
    await causes.getByRole('button', { name: '{:name :kea}' }).click();
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await expect(inspector).toContainText('clojure.lang.PersistentArrayMap');
    await expect(inspector).toContainText(':kea');
  });
  await agent.close();
});
