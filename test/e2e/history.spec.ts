/** What an agent evaluates is seen while it runs, and is there after a restart. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { connectAgent } from './agent';
import { test as ownTest } from './fixture';
import { test } from './shared-app';
import { evaluationRow, openSession, screenOf, select, show, typeLine } from './steps';

const WAITS_FOR_FILE = `(progn (format t "half way~%") (finish-output)
  (loop until (probe-file "go-on") do (sleep 0.02))
  (list :arrived (* 6 7)))`;

test('an evaluation by an agent appears while it runs, then shows its value', async ({ start, folders }) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'harbor-pilot');
  await show(page, 'History');
  const answer = agent.callTool({ name: 'eval', arguments: { code: WAITS_FOR_FILE } });
  const row = evaluationRow(page, 'half way');
  await expect(row).toContainText('running');
  await expect(row).toContainText('harbor-pilot');
  await expect(row.getByRole('gridcell', { name: 'half way', exact: true })).toBeVisible();
  await row.click();
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('half way');
  writeFileSync(path.join(folders.project, 'go-on'), '');
  expect((await answer).structuredContent).toMatchObject({
    outcome: 'ok',
    forms: [{ values: ['(:ARRIVED 42)'] }],
  });
  await expect(row).toContainText('ok');
  await expect(row).toContainText('(:ARRIVED 42)');
  const detail = page.getByRole('region', { name: 'Values' });
  await expect(detail).toContainText('(:ARRIVED 42)');
  await select(row);
  await expect(detail).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(detail).toBeHidden();

  // All values, warnings, and what a tool did or was refused.
  await agent.callTool({ name: 'eval', arguments: { code: '(values :one "two" 3)' } });
  await expect(evaluationRow(page, '(values :one')).toContainText(/:ONE.*"two".*3/);
  const careless = '(defun careless (a) (let ((b 1)) (undefined-here-1 c)))';
  await agent.callTool({ name: 'eval', arguments: { code: careless } });
  await expect(evaluationRow(page, '(defun careless')).toContainText(/ok\s*\d warnings/);
  await expect(evaluationRow(page, '(defun careless')).toContainText('SBCL');
  await agent.callTool({ name: 'write_file', arguments: { path: '/etc/harbor-test', content: 'no' } });
  const refused = evaluationRow(page, 'write_file /etc/harbor-test');
  await expect(refused).toContainText('refused');
  await refused.click();
  await expect(page.getByRole('region', { name: 'Reason' })).toContainText('/etc');

  // A value that is too long for its row, page by page to its end.
  const long = '(loop for number below 20000 collect number)';
  await agent.callTool({ name: 'eval', arguments: { code: `(setf *print-pretty* nil)\n${long}` } });
  await evaluationRow(page, '(setf *print-pretty').click();
  const pages = page.getByRole('navigation', { name: 'Pages of the value' });
  await expect(pages).toContainText('Characters 1 to 20,000 of 108,891');
  await expect(detail).not.toContainText('19999');
  for (const shown of [
    '20,001 to 40,000',
    '40,001 to 60,000',
    '60,001 to 80,000',
    '80,001 to 100,000',
    '100,001 to 108,891',
  ]) {
    await pages.getByRole('button', { name: 'Next' }).click();
    await expect(pages).toContainText(`Characters ${shown} of 108,891`);
  }
  await expect(detail).toContainText('19998 19999)');
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Back' }).click();
  await expect(pages).toContainText('Characters 80,001 to 100,000 of 108,891');

  // Again in a new session of its engine, whose values stand in its own row; by the keyboard alone.
  await evaluationRow(page, '(values :one').click();
  await page.getByRole('button', { name: 'Run again' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'In a new session' }).press('Enter');
  await expect(evaluationRow(page, '(values :one')).toHaveCount(2);
  const again = evaluationRow(page, '(values :one').first();
  await expect(again).toContainText(/:ONE.*"two".*3/);
  await expect(again).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('region', { name: /^Evaluation \d+$/ })).toContainText('you (eval)');
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('menuitem', { name: 'In a branch' }).click();
  await expect(evaluationRow(page, '(values :one')).toHaveCount(3);
  await agent.close();
});

ownTest('the history is there after a restart, and search finds what was in it', async ({ start }) => {
  const first = await start();
  const repl = await openSession(first.page, 'SBCL');
  await typeLine(repl, '(string-upcase "the quay at dawn")');
  await expect.poll(() => screenOf(repl)).toContain('"THE QUAY AT DAWN"');
  await typeLine(repl, '(error "The tide is ~a." :out)');
  await expect.poll(() => screenOf(repl)).toContain('The tide is OUT.');
  await first.end();

  const { page } = await start();
  await show(page, 'History');
  await expect(evaluationRow(page, 'string-upcase')).toContainText('"THE QUAY AT DAWN"');
  await expect(evaluationRow(page, 'tide')).toContainText('The tide is OUT.');
  await page.getByRole('searchbox', { name: 'Search history' }).fill('quay');
  await expect(evaluationRow(page, 'tide')).toHaveCount(0);
  await expect(evaluationRow(page, 'string-upcase')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search history' }).fill('nowhere at all');
  await expect(page.getByText('No results')).toBeVisible();
});
