/** The tests of a project as a person runs them: red, mended, green, watched, stopped, and those of an agent. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import { resize } from './desktop';
import { examine } from './examine';
import { expectLegible } from './legible';
import { test } from './shared-app';
import { newestRow, openBlocks, show } from './steps';

/** The system that is tested, and its tests for SB-RT, which comes with SBCL. */
function writeTide(project: string, highWater: string, more = '', tide = 'tide'): void {
  const files = {
    [`${tide}.asd`]: `(defsystem "${tide}" :components ((:file "tide")))
(defsystem "${tide}/tests" :depends-on ("${tide}" "sb-rt") :components ((:file "predict") (:file "gauge")))
`,
    'tide.lisp': `(defpackage :${tide} (:use :cl) (:export #:high-water #:gauge))
(in-package :${tide})
(defun high-water () ${highWater})
(defun gauge () :closed)
`,
    'predict.lisp': `(defpackage :${tide}/tests (:use :cl :sb-rt))
(in-package :${tide}/tests)
(deftest high-water (${tide}:high-water) (("01:07" 5.08) ("13:24" 5.21)))
(deftest datum (+ 1 1) 2)
`,
    'gauge.lisp': `(in-package :${tide}/tests)
(deftest gauge-closed (${tide}:gauge) :closed)
${more}`,
  };
  mkdirSync(project, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
}

const RIGHT = `'(("01:07" 5.08) ("13:24" 5.21))`;
const WRONG = `'(("01:07" 5.08) ("13:23" 5.17))`;

const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
const counts = (page: Page) => page.getByRole('region', { name: 'Progress of the run' }).getByRole('status');

test('a failed test shows what differs, is mended, and passes; a watched one runs again by itself', async ({
  start,
  folders,
}) => {
  const { app, page } = await start();
  writeTide(folders.project, WRONG);
  await openBlocks(page, 'SBCL');
  await show(page, 'Tests');
  await expect(row(page, /^tide\/tests/)).toContainText('3 tests');
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(counts(page)).toHaveText(/2 passed.*1 failed/);

  // By keyboard alone: to the failure, and back to it after another view.
  await row(page, /^tide\/tests/).focus();
  await page.keyboard.press('n');
  const detail = page.getByRole('region', { name: 'high-water', exact: true }).first();
  await expect(detail.getByRole('region', { name: 'Expected' })).toContainText('"13:24"');
  await expect(detail.getByRole('region', { name: 'Actual' })).toContainText('"13:23"');
  await expect(detail.getByRole('region', { name: 'Difference' }).locator('del')).toHaveText([
    '"13:24"',
    '5.21',
  ]);
  await expect(detail.getByRole('region', { name: 'Definition' })).toContainText('deftest high-water');
  await expect(detail).toContainText('predict.lisp:3');
  await show(page, 'Home');
  await expect(page.getByRole('main')).toContainText('1 failed');
  await show(page, 'Tests');
  await expect(detail).toBeVisible();

  for (const [width, height] of [
    [1200, 780],
    [720, 620],
  ] as const) {
    await resize(app, { width, height });
    await expectLegible(page, `tests at ${width}`);
    await examine(page, `tests at ${width}`);
  }
  await resize(app, { width: 1200, height: 780 });

  writeTide(folders.project, RIGHT);
  await row(page, 'high-water').focus();
  await page.keyboard.press('f');
  await expect(counts(page)).toHaveText('3 passed');
  await expect(detail.getByRole('region', { name: 'Last runs' }).getByRole('link')).toHaveCount(2);

  await page.keyboard.press('w');
  await expect(page.getByRole('button', { name: 'Watch' })).toHaveAttribute('aria-pressed', 'true');
  await show(page, 'Home');
  writeTide(folders.project, WRONG);
  await show(page, 'Tests');
  await expect(counts(page)).toHaveText(/1 failed/);
  await page.getByRole('button', { name: 'Watch' }).click();
});

test('a test without end is named while it runs; stopped, the run keeps its results', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  writeTide(folders.project, RIGHT, '(deftest spins (loop) 1)\n(deftest never-run 1 1)\n', 'ebb');
  await openBlocks(page, 'SBCL');
  await show(page, 'Tests');
  await page.getByRole('button', { name: 'Run all' }).click();
  const progress = page.getByRole('region', { name: 'Progress of the run' });
  await expect(progress).toContainText('in SPINS');
  await expect(row(page, /^spins/)).toContainText('running');
  await progress.getByRole('button', { name: 'Stop' }).click();
  await expect(progress).toContainText('ended in SPINS');
  await expect(counts(page)).toHaveText(/3 passed.*1 failed.*1 not run/);
});

test('a run of an agent is red in the view of tests, on Home and in the history', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  writeTide(folders.project, WRONG, '', 'flood');
  const agent = await connectAgent(page, 'harbor-pilot');
  await agent.callTool({ name: 'run_tests', arguments: { system: 'flood' } });
  await show(page, 'Tests');
  await expect(row(page, 'high-water')).toContainText('failed');
  await show(page, 'Home');
  await expect(page.getByRole('main')).toContainText('1 failed');
  await show(page, 'History');
  await expect(newestRow(page, 'run-tests')).toContainText('1 failed');
  await agent.close();
});

test('an error in a test is debugged where it is', async ({ start, folders }) => {
  const { page } = await start();
  writeTide(folders.project, '(error "no gauge")', '', 'neap');
  await openBlocks(page, 'SBCL');
  await show(page, 'Tests');
  await page.getByRole('button', { name: 'Run all' }).click();
  // Runs of other tests may be the newest until this one has ended.
  await expect(row(page, /^neap\/tests/)).toContainText('1 failed');
  await row(page, /^high-water/).click();
  await page.getByRole('button', { name: 'Debug this test' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Debugger' })).toContainText('no gauge');
});
