/** A person proves a conjecture by hand in ACL2: goals, a wrong instruction, one that is taken back, and the event at the end. */
import { expect } from '@playwright/test';
import { resize } from './desktop';
import { examine } from './examine';
import { expectLegible } from './legible';
import { test } from './shared-app';
import { chooseTheme, openPane, openSession, showSessionTab, someThemes, submit } from './steps';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const CLAIM = '(implies (true-listp x) (equal (app x nil) x))';

test('instructions lead to the goals that are left, and to the event that admits the theorem', async ({
  start,
}) => {
  test.setTimeout(240_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openSession(page, 'ACL2');
  await submit(repl, APP, 'APP');
  const open = () => showSessionTab(page, 'lighthouse', 'Builder');
  await open();
  await examine(page, 'no proof');
  await page.getByRole('textbox', { name: 'Conjecture' }).fill(CLAIM);
  await page.keyboard.press('Enter');
  const goals = page.getByRole('region', { name: 'Remaining goals' });
  await expect(goals.getByRole('heading', { level: 4 })).toHaveText(['MAIN']);

  const next = page.getByRole('textbox', { name: 'Next instruction' });
  const instructions = page.getByRole('list', { name: 'Instructions' }).getByRole('listitem');
  await next.fill('induct');
  await next.press('Enter');
  await expect(goals.getByRole('heading', { level: 4 })).toHaveCount(2);
  await expect(instructions).toHaveText(['induct']);

  // What fails is told, stays in its field, and changes nothing.
  await next.fill('(dv 9 9)');
  await next.press('Enter');
  await expect(page.getByRole('alert')).toContainText(
    'The instruction (:DV 9 9) failed: Unable to perform the requested dive.',
  );
  await expect(next).toHaveValue('(dv 9 9)');
  await expect(instructions).toHaveText(['induct']);
  await next.fill(') (defun f (x) x');
  await next.press('Enter');
  await expect(page.getByText(/instruction/i).last()).toBeVisible();
  await expect(instructions).toHaveText(['induct']);

  for (const theme of someThemes('builder')) {
    await chooseTheme(page, theme);
    await open();
    await expect(goals.getByRole('heading', { level: 4 })).toHaveCount(2);
    await examine(page, `builder, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await open();
  await examine(page, 'builder, narrow');
  await expectLegible(page, 'builder, narrow');
  // Where somebody types the instruction its failure is seen.
  await next.fill('(dv 9 9)');
  await next.press('Enter');
  await expect(page.getByRole('alert')).toBeInViewport();
  await expect(page.getByRole('alert')).toContainText('(:DV 9 9) failed');
  await openPane(page, 'Proof');
  await expect(page.getByRole('button', { name: 'Final check' })).toBeVisible();
  await expectLegible(page, 'proof, narrow');
  await openPane(page, 'Memory');
  await expect(page.getByText('ACL2 does not report its memory by type')).toBeVisible();
  await open();
  await resize(app, { width: 1200, height: 780 });

  for (const expected of [1, 0]) {
    await next.fill('prove');
    await next.press('Enter');
    await expect(goals.getByRole('heading', { level: 4 })).toHaveCount(expected);
  }
  await expect(page.getByText(':instructions (induct prove prove)')).toBeVisible();
  await page.getByRole('button', { name: 'Undo last' }).click();
  await expect(instructions).toHaveText(['induct', 'prove']);
  await expect(goals.getByRole('heading', { level: 4 })).toHaveCount(1);
});
