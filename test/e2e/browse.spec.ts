/** Names of an image in the window: what they stand for, who uses them, from any symbol by Alt+. or a click. */
import { expect, type Locator } from '@playwright/test';
import { examine } from './examine';
import { test } from './shared-app';
import { chooseTheme, openPane, openSession, screenOf, show, someThemes, typeLine } from './steps';

const SETUP = `(progn
  (defclass buoy () ((depth :initarg :depth :documentation "In metres.")) (:documentation "A mark that floats."))
  (defclass lit-buoy (buoy) ())
  (defgeneric drift (buoy) (:documentation "Where it goes."))
  (defmethod drift ((buoy buoy)) :leeward)
  (defun drift-all (buoys) "Moves all." (mapcar #'drift buoys)))`;

test('classes, generic functions, packages and who calls', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, SETUP.replaceAll(/\s*\n\s*/g, ' '));
  await expect.poll(() => screenOf(repl)).toContain('DRIFT-ALL');
  await openPane(page, 'Browse');
  const pane = page.getByRole('region', { name: 'Browse' });
  await expect(pane.getByRole('heading', { level: 2 })).toHaveText('COMMON-LISP-USER');
  const browse = async (name: string) => {
    const field = pane.getByRole('textbox', { name: 'Name to browse' });
    await field.fill(name);
    await field.press('Enter');
  };

  await browse('buoy');
  await expect(pane).toContainText('A mark that floats.');
  await expect(pane).toContainText('In metres.');
  await pane.getByRole('list', { name: 'subclasses' }).getByRole('button', { name: 'LIT-BUOY' }).click();
  await expect(pane.getByRole('heading', { level: 2 })).toHaveText('LIT-BUOY');
  await pane.getByRole('button', { name: 'Back' }).click();
  await expect(pane.getByRole('heading', { level: 2 })).toHaveText('BUOY');

  await browse('drift');
  await expect(pane).toContainText('Where it goes.');
  await expect(pane.getByRole('list', { name: 'Methods' })).toContainText('BUOY');
  await pane.getByText('References').click();
  await expect(pane.getByRole('list', { name: 'references' })).toContainText('DRIFT-ALL');
  for (const theme of someThemes('browse')) {
    await chooseTheme(page, theme);
    await show(page, 'Sessions');
    await expect(pane).toContainText('Where it goes.');
    await examine(page, `browse, ${theme}`);
  }

  await browse('no-such-name');
  await expect(pane.getByRole('note')).toContainText(/no symbol|NO-SUCH-NAME/i);
  await browse('drift-all');
  await pane.getByText('Source: evaluation').click();
  await altClick(pane.locator('pre'), 'mapcar');
  await expect(pane.getByRole('heading', { level: 2 })).toHaveText(/MAPCAR/);
  await browse('drift-all');
  await pane.getByRole('textbox', { name: 'Name to browse' }).fill('lit-buoy');
  await page.keyboard.press('Alt+.');
  await expect(pane.getByRole('heading', { level: 2 })).toHaveText('LIT-BUOY');

  await test.step('from code in the history as well', async () => {
    await show(page, 'History');
    const row = page.getByRole('row').filter({ hasText: 'defclass' }).first();
    await altClick(row, 'defclass');
    await expect(pane.getByRole('heading', { level: 2 })).toHaveText(/DEFCLASS/);
    await show(page, 'History');
    await row.click();
    const code = page
      .getByRole('region', { name: /^Evaluation / })
      .locator('pre')
      .first();
    await altClick(code, 'mapcar');
    await expect(pane.getByRole('heading', { level: 2 })).toHaveText(/MAPCAR/);
  });
});

/** Clicks on a word of a text with Alt held. */
async function altClick(text: Locator, word: string): Promise<void> {
  const { x, y } = await text.evaluate((element, sought) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const start = node.textContent?.indexOf(sought) ?? -1;
      if (start < 0) continue;
      range.setStart(node, start);
      range.setEnd(node, start + sought.length);
      break;
    }
    range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = range.getClientRects()[0] ?? new DOMRect();
    return { x: left + width / 2, y: top + height / 2 };
  }, word);
  const page = text.page();
  await page.keyboard.down('Alt');
  await page.mouse.click(x, y);
  await page.keyboard.up('Alt');
}
