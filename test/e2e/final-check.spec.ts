/** The final check of a theorem, begun in the window: its report beside the proof and in the history. */
import { expect } from '@playwright/test';
import { test } from './shared-app';
import { openPane, openSession, submit } from './steps';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

test('a theorem is checked by a button, and its report is shown and kept', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'ACL2');
  await submit(repl, APP, 'DEFUN APP');
  await submit(repl, ASSOC, 'DEFTHM APP-ASSOC');
  await openPane(page, 'Events');
  await page.getByRole('listbox', { name: 'Events' }).getByRole('option').nth(1).click();
  await page.getByRole('region', { name: 'Command 2' }).getByRole('button', { name: 'Final check' }).click();
  const report = page.getByRole('region', { name: 'Final check' });
  await expect(report).toContainText('APP-ASSOC holds, rebuilt from sources. Only ACL2 is trusted.');
  await expect(report.getByRole('list', { name: 'Theorems' })).toContainText('(EQUAL (APP (APP X Y) Z)');
  await report.getByText('1 source').click();
  await expect(report.getByRole('list', { name: /^Files/ })).toContainText(
    /lisp-harbor-session\.lisp[0-9a-f]{64}/,
  );
  await report.getByText('How to reproduce').click();
  await expect(report).toContainText('(certify-book "lisp-harbor-session" ? nil');

  await submit(repl, '(skip-proofs (defthm wrong nil :rule-classes nil))', 'WRONG');
  await openPane(page, 'Proof');
  await page.getByRole('button', { name: 'Final check' }).click();
  const proof = page.getByRole('region', { name: 'Proof' });
  await expect(proof).toContainText('The session does not hold');
});
