/** What an agent evaluates is seen while it runs, and is there after a restart. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { connectAgent } from './agent';
import { quit } from './desktop';
import { test } from './fixture';
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
  await agent.close();
});

test('the history is there after a restart, and search finds what was in it', async ({ start }) => {
  const first = await start();
  const repl = await openSession(first.page, 'SBCL');
  await typeLine(repl, '(string-upcase "the quay at dawn")');
  await expect.poll(() => screenOf(repl)).toContain('"THE QUAY AT DAWN"');
  await typeLine(repl, '(error "The tide is ~a." :out)');
  await expect.poll(() => screenOf(repl)).toContain('The tide is OUT.');
  await quit(first.app);

  const { page } = await start();
  await show(page, 'History');
  await expect(evaluationRow(page, 'string-upcase')).toContainText('"THE QUAY AT DAWN"');
  await expect(evaluationRow(page, 'tide')).toContainText('The tide is OUT.');
  await page.getByRole('searchbox', { name: 'Search history' }).fill('quay');
  await expect(evaluationRow(page, 'tide')).toHaveCount(0);
  await expect(evaluationRow(page, 'string-upcase')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search history' }).fill('nowhere at all');
  await expect(page.getByText('Nothing fits')).toBeVisible();
});
