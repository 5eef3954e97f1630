/** What evaluations cost, where their time goes and what fills a session's memory, as the window shows it. */
import { expect } from '@playwright/test';
import { connectAgent } from './agent';
import { test } from './shared-app';
import { newestRow, openPane, openSession, screenOf, select, show, typeLine } from './steps';

const WORK = `(progn (defun ripple (n) (let ((sum 0)) (dotimes (i n sum) (setf sum (logxor sum (random 1000))))))
  (defun tide (n) (list (ripple n) (ripple n)))
  (tide 20000000))`;

test('a profile is a flame graph to walk through by keyboard, and a table', async ({ start }) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'harbor-pilot');
  const answer = await agent.callTool({ name: 'eval', arguments: { code: WORK, profile: 'cpu' } });
  expect(answer.structuredContent).toMatchObject({ outcome: 'ok' });
  await show(page, 'History');
  await select(newestRow(page, 'defun ripple'));
  const detail = page.getByRole('region', { name: 'CPU profile' });
  await expect(page.getByText(/CPU .* allocated/)).toBeVisible();
  const graph = detail.getByRole('group', { name: 'Flame graph' });
  const tide = graph.getByRole('button', { name: /^TIDE: \d+ samples, \d+\.\d %$/ });
  const ripple = graph.getByRole('button', { name: /^RIPPLE: / });
  await expect(detail.getByRole('table', { name: 'Busiest functions' })).toContainText('RIPPLE');

  const whole = graph.getByRole('button').first();
  await whole.focus();
  await page.keyboard.press('ArrowDown');
  await expect(tide).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(ripple.first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(tide).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const width = async () => (await ripple.first().boundingBox())?.width;
  expect(await width()).toBe((await whole.boundingBox())?.width);
  await expect(ripple.first()).toBeFocused();
  await agent.close();
});

test('the memory of a session is told by type, and counted again when asked', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(defstruct buoy name) (defvar *buoys* (loop repeat 70000 collect (make-buoy)))');
  await expect.poll(() => screenOf(repl)).toContain('*BUOYS*');
  await openPane(page, 'Memory');
  const row = page.getByRole('table', { name: 'Objects by type' }).getByRole('row', { name: /^BUOY/ });
  const shown = async () => Number((await row.getByRole('cell').first().innerText()).replaceAll(',', ''));
  await expect(row).toBeVisible();
  expect(await shown()).toBeGreaterThan(60_000);
  await typeLine(repl, '(progn (setf *buoys* nil) (setf - nil * nil / nil) (sb-ext:gc :full t) :gone)');
  await expect.poll(() => screenOf(repl)).toContain(':GONE');
  await openPane(page, 'Memory');
  await page.getByRole('button', { name: 'Count again' }).click();
  await expect(row).toBeHidden();
});

test('an engine that does not know its memory says so', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'nbb');
  await openPane(page, 'Memory');
  await expect(page.getByRole('heading', { name: 'nbb does not report its memory by type' })).toBeVisible();
});
