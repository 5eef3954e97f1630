/** What a person wants in no history is in none, whichever way it came: no byte of the data folder has it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { call, type WholeRecord } from '../evaluation';
import { connectAgent } from './agent';
import { quit, resize } from './desktop';
import { examine } from './examine';
import { test } from './fixture';
import { act, chooseTheme, evaluationRow, show, someThemes } from './steps';

/** In two halves, so that this file's own text is not what is found. */
const SECRET = ['sk-live', 'Qx7f3Zk9'].join('-');

/** The files below a folder in whose bytes the text is. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

test('a secret in code, output, values and arguments is nowhere in the data folder', async ({
  start,
  folders,
}) => {
  test.setTimeout(240_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await show(page, 'Settings');
  const field = page.getByRole('textbox', { name: 'Text to redact' });
  await field.fill('s*');
  await field.press('Enter');
  await expect(page.getByText('Use at least three characters other than *')).toBeVisible();
  await field.fill('sk-live*');
  await field.press('Enter');
  const rules = page.getByRole('list', { name: 'Redaction' });
  await expect(rules.getByRole('listitem')).toHaveText('sk-live*');
  for (const theme of someThemes('redaction')) {
    await chooseTheme(page, theme);
    await field.scrollIntoViewIfNeeded();
    await examine(page, `redaction, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await field.scrollIntoViewIfNeeded();
  await examine(page, 'redaction, narrow');
  await resize(app, { width: 1200, height: 780 });

  const agent = await connectAgent(page, 'keeper');
  const { session } = (
    await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'keys' })
  ).structured;
  const evaluate = async (code: string) =>
    (await call<WholeRecord>(agent, 'eval', { code, session })).structured;
  // The image has what was evaluated; what is told of it has not.
  expect((await evaluate(`(defparameter *key* "${SECRET}")`)).outcome).toBe('ok');
  expect((await evaluate('(length *key*)')).values).toEqual([String(SECRET.length)]);
  expect((await evaluate('(list *key* 1)')).values).toEqual(['("⟨redacted⟩" 1)']);
  await evaluate('(defun kept (x) x)');
  const printed = await evaluate(
    '(progn (loop for c across *key* do (write-char c) (finish-output) (sleep 0.02)) (terpri) (princ "done"))',
  );
  expect(printed.stdout).toBe('⟨redacted⟩\ndone');
  expect((await evaluate('(error "bad key ~a" *key*)')).condition?.message).toBe('bad key ⟨redacted⟩');
  await call(agent, 'find', { query: SECRET, kind: 'text', session });
  await call(agent, 'read_file', { path: `/tmp/${SECRET}.lisp` });

  await show(page, 'History');
  const row = evaluationRow(page, '(defparameter *key*');
  await expect(row).toContainText('"⟨redacted⟩"');
  await row.click();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('menuitem', { name: 'In the same session' }).click();
  await expect(page.getByText(/code of evaluation \d+ were redacted/)).toBeVisible();

  // A new image tells what it lacks, and has the rest.
  await show(page, 'Sessions');
  await page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'keys' }).click();
  await act(page, 'Restart…');
  await page.getByRole('dialog').getByRole('button', { name: 'Restart keys' }).click();
  const after = await evaluate('(list (kept 1) (boundp (quote *key*)))');
  expect(after.values).toEqual(['(1 NIL)']);
  expect(after.notes.join('\n')).toMatch(
    /Not evaluated again: #\d+ \(defparameter \*key\* "⟨redacted⟩"\) \(its code was redacted\)/,
  );
  await agent.close();
  expect(filesWith(folders.data, SECRET)).toEqual([]);
  await quit(app);
  expect(filesWith(folders.data, SECRET)).toEqual([]);
});
