/** The six pictures of docs/window.md, what people come for as it looks while they do it: in test-results/pictures. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { connectAgent } from '../e2e/agent';
import { resize } from '../e2e/desktop';
import { test } from '../e2e/fixture';
import { evaluationRow, openPane, show } from '../e2e/steps';
import { call } from '../evaluation';
import { takePicture } from './picture';

const GEOMETRY = '(defun dist (p q)\n  (abs (- p q)))\n';
const DIST =
  '(defun dist (p q)\n  (sqrt (+ (expt (- (car p) (car q)) 2)\n           (expt (- (cdr p) (cdr q)) 2))))';

test('what people come for', async ({ start, folders }) => {
  const desktop = path.join(folders.home, '.config/Claude');
  const library = path.join(folders.home, 'code/lanterns');
  for (const folder of [desktop, library]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(desktop, 'claude_desktop_config.json'), '{}');
  writeFileSync(path.join(library, 'lanterns.asd'), '(defsystem "lanterns")');
  writeFileSync(path.join(library, 'lit.lisp'), '(defvar *lit* 42)');
  writeFileSync(path.join(folders.project, 'geometry.lisp'), GEOMETRY);
  const { app, page } = await start();
  await resize(app, { width: 1280, height: 800 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const take = (name: string) => takePicture(page, `window/${name}`);
  const agent = await connectAgent(page, 'claude-code');
  const { session } = (
    await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'geometry' })
  ).structured;
  const evaluate = (code: string, more = {}) => call(agent, 'eval', { code, session, ...more });

  await show(page, 'Clients');
  await page.getByRole('button', { name: 'Connect Claude Desktop' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
  await take('connect');
  await page.keyboard.press('Escape');

  await evaluate('(load "geometry.lisp")');
  await evaluate(DIST);
  await evaluate('(defun middle (p q)\n  (/ (+ p q) 2))');
  await show(page, 'Sessions');
  await page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'geometry' }).click();
  await openPane(page, 'Changes');
  const changes = page.getByRole('tabpanel', { name: 'Changes' });
  await expect(changes.getByRole('button', { name: 'Write to geometry.lisp: defun dist' })).toBeVisible();
  await take('changes');

  await call(agent, 'load', { path: `${library}/lit.lisp`, session });
  await show(page, 'Home');
  await page.getByRole('button', { name: /^Allow…/ }).click();
  await expect(dialog.getByRole('button', { name: 'Allow and restart 1 session' })).toBeVisible();
  await take('allow');
  await page.keyboard.press('Escape');

  await show(page, 'History');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('middle');
  await evaluationRow(page, '(defun middle').click();
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByRole('menuitem', { name: 'In a new session' })).toBeVisible();
  await take('again');
  await page.keyboard.press('Escape');

  await evaluate('(dist (cons 1 2) (list 3 4))', { on_error: 'debug', wait_ms: 1 });
  await show(page, 'Home');
  await page.getByRole('link', { name: 'Show the error in geometry' }).click();
  await expect(page.getByRole('region', { name: 'Debugger' }).locator('mark')).toBeVisible();
  await take('restart');

  const other = (await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'tides' }))
    .structured;
  const looping = call(agent, 'eval', { code: '(loop)', session: other.session });
  await show(page, 'Home');
  const stop = page.getByRole('button', { name: 'Stop claude-code in tides' });
  await expect(stop).toBeVisible();
  await take('stop');
  await stop.click();
  await looping;
  await agent.close();
});
