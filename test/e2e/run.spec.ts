/** Profile, trace and break of what a person evaluates: from the block to the line, and to the debugger. */
import { expect, type Locator } from '@playwright/test';
import { resize } from './desktop';
import { examine } from './examine';
import { expectLegible } from './legible';
import { test } from './shared-app';
import { block, enterForm, openBlocks } from './steps';

const TIDE = `(progn (defun ripple (n) (let ((sum 0)) (dotimes (i n sum) (setf sum (logxor sum (random 1000))))))
  (defun tide (n) (list (ripple n) (ripple n))))`;

/** The menu appears while the pointer is on the block. */
async function openMenu(of: Locator): Promise<void> {
  await of.hover();
  await of.getByRole('button', { name: /^More for evaluation/ }).click();
}

test('a block is profiled, and its calls are traced down to their values', async ({ start }) => {
  const { app, page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, TIDE);
  await expect(block(repl, 'defun ripple')).toContainText('TIDE');
  await enterForm(repl, '(tide 9000000)');
  const work = block(repl, '(tide 9000000)');
  await expect(work.first()).toContainText('(');
  await openMenu(work.first());
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  const pane = page.getByRole('tabpanel', { name: 'Run' });
  const graph = pane.getByRole('group', { name: 'Flame graph' });
  await expect(graph.getByRole('button', { name: /^TIDE/ })).toBeVisible();
  await expect(pane.getByRole('table', { name: 'Busiest functions' })).toContainText('RIPPLE');

  await enterForm(repl, '(tide 3)');
  await openMenu(block(repl, '(tide 3)'));
  await page.getByRole('menuitem', { name: 'Trace' }).click();
  const calls = pane.getByRole('table', { name: 'Calls' });
  await expect(calls.getByRole('row')).toHaveText([/Call/, /\(TIDE 3\)/, /\(RIPPLE 3\)/, /\(RIPPLE 3\)/]);
  await pane.getByRole('button', { name: 'Calls in TIDE' }).press('Enter');
  await expect(calls.getByRole('row')).toHaveCount(2);
  await pane.getByRole('button', { name: 'Calls in TIDE' }).press('Enter');
  await pane.getByRole('searchbox', { name: 'Filter calls and values' }).fill('ripple');
  await expect(calls.getByRole('row')).toHaveCount(4);
  await pane.getByRole('combobox', { name: 'Depth' }).selectOption('1');
  await expect(calls.getByRole('row')).toHaveCount(1);
  await pane.getByRole('combobox', { name: 'Depth' }).selectOption('all');
  await pane.getByRole('searchbox', { name: 'Filter calls and values' }).fill('');
  for (const size of [
    { width: 720, height: 620 },
    { width: 1200, height: 780 },
  ]) {
    await resize(app, size);
    await examine(page, `calls at ${size.width}`);
    await expectLegible(page, `calls at ${size.width}`);
  }
  await calls
    .getByRole('button', { name: /^RIPPLE/ })
    .first()
    .click();
  await expect(page.getByRole('tabpanel', { name: 'Inspector' })).toContainText('RIPPLE');
});

test('running code is stopped where it is, and goes on from there', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(defvar *spins* t) (defun spin (n) (loop while *spins* do (incf n)) 42) (spin 1)');
  const running = block(repl, 'defun spin');
  await running.getByRole('button', { name: 'Break' }).click();
  const debug = page.getByRole('tabpanel', { name: 'Debugger' });
  await expect(debug).toContainText('SPIN');
  await enterForm(repl, '(setf *spins* nil)');
  await expect(block(repl, '(setf *spins* nil)')).toContainText('NIL');
  await debug
    .getByRole('button', { name: /CONTINUE/i })
    .first()
    .click();
  await expect(running).toContainText('42');
});
