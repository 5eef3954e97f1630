/** A person lets a prover's session into raw Lisp: asked first, told what it means, and marked from then on. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './shared-app';
import { newestRow, openSession, show, submit, typeLine } from './steps';

/** What only raw Lisp can do. */
const lie = (attempt: number) =>
  `(defttag :lie-${attempt}) (set-raw-mode-on!) (setf (symbol-function 'evens) #'list) (list ${attempt} 'tried)`;

const MARK = 'Trust: rests on: raw Lisp allowed';

test('raw Lisp is closed until a person has read what it means, and every later result is marked', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openSession(page, 'ACL2');
  await submit(repl, lie(1), 'ttag :LIE-1');
  await expect(badge(page)).toHaveAccessibleName('Trust: no trust issues');

  const dialog = await ask(page);
  await expect(dialog).toContainText('may then report a false statement as “proved”');
  const meanings = [/are marked/, /compiled files/, /cannot be undone/, /Repeat proofs/];
  await expect(dialog.getByRole('listitem')).toHaveText(meanings);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await submit(repl, lie(2), 'ttag :LIE-2');
  await expect(badge(page)).toHaveAccessibleName('Trust: no trust issues');

  await (await ask(page)).getByRole('button', { name: 'Allow raw Lisp in lighthouse' }).click();
  await expect(badge(page)).toHaveAccessibleName(MARK);
  await submit(repl, '(thm (equal x x))', 'Proof succeeded');
  await expect(badge(page)).toHaveAccessibleName(MARK);
  await submit(repl, lie(3), '(3 TRIED)');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: /^Raw Lisp is allowed/ })).toBeDisabled();
  await page.keyboard.press('Escape');

  await show(page, 'History');
  await newestRow(page, '(thm (equal x x))').click();
  await expect(page.getByRole('region', { name: /^Evaluation \d/ })).toContainText('raw Lisp allowed');
});

test('it holds until the image ends: the next one is closed, and its badge says so', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'ACL2');
  await (await ask(page)).getByRole('button', { name: 'Allow raw Lisp in lighthouse' }).click();
  await expect(badge(page)).toHaveAccessibleName(MARK);
  await typeLine(repl, '(good-bye)');
  await expect(page.getByRole('region', { name: 'Session lighthouse' })).toContainText('lost');
  await submit(repl, '(thm (equal x x))', 'Proof succeeded');
  await expect(badge(page)).toHaveAccessibleName('Trust: no trust issues');
});

function badge(page: Page): Locator {
  return page
    .getByRole('region', { name: 'Session lighthouse' })
    .getByRole('button', { name: /^Trust: / })
    .first();
}

/** Chooses it in the session's menu; answers what the person is asked. */
async function ask(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Allow raw Lisp…/ }).click();
  return page.getByRole('dialog', { name: 'Allow raw Lisp in “lighthouse”?' });
}

test('trust tags are named in a dialog, and one that no book of the system has is refused', async ({
  start,
}) => {
  const { page } = await start();
  await openSession(page, 'ACL2');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Allow trust tags…/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow trust tags in “lighthouse”' });
  const allow = dialog.getByRole('button', { name: 'Allow trust tags in lighthouse' });
  await expect(dialog).toContainText('Other books cannot use them');
  await expect(allow).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Trust tags' }).fill('no-such-tag');
  await allow.click();
  await expect(page.getByText('a trust tag of this name: NO-SUCH-TAG')).toBeVisible();
});
