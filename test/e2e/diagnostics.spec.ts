/** A person finds out what is wrong: a tool called by hand with what goes over the wire, and a report for who helps. */
import { expect } from '@playwright/test';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './shared-app';
import { chooseTheme, evaluationRow, show } from './steps';

test('a tool is tried by hand, as a form and as JSON, and a report is copied', async ({ start }) => {
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await show(page, 'Settings');
  await page.getByRole('button', { name: 'Try a tool…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Try a tool' });
  const reply = dialog.getByRole('region', { name: 'Reply' });
  await dialog.getByRole('combobox', { name: 'Tool' }).selectOption('eval');
  await dialog.getByRole('textbox', { name: 'code (required)' }).fill('(defparameter *tide* 42)');
  await dialog.getByRole('button', { name: 'Call' }).click();
  await expect(dialog.getByRole('region', { name: 'Request' })).toContainText('"method": "tools/call"');
  await expect(reply).toContainText('"jsonrpc": "2.0"');

  // The calls share a session; JSON says the same as the form, and more.
  await dialog.getByText('Arguments as JSON').click();
  const json = dialog.getByRole('textbox', { name: 'Arguments as JSON' });
  await expect(json).toHaveValue(/"code": "\(defparameter \*tide\* 42\)"/);
  await json.fill('{"code": "(* 2 *tide*)"}');
  await dialog.getByRole('button', { name: 'Call' }).click();
  await expect(reply).toContainText('84');
  await json.fill('{"code": 7}');
  await dialog.getByRole('button', { name: 'Call' }).click();
  await expect(reply).toContainText('"isError": true');
  await json.fill('no JSON');
  await dialog.getByRole('button', { name: 'Call' }).click();
  await expect(dialog).toContainText('must be a JSON object');
  await json.fill('{"code": "(* 3 *tide*)"}');
  await dialog.getByRole('button', { name: 'Call' }).click();
  await expect(reply).toContainText('126');
  await examine(page, 'a tool tried, light');
  await resize(app, { width: 720, height: 600 });
  await examine(page, 'a tool tried, narrow');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await resize(app, { width: 1200, height: 780 });
  await show(page, 'Sessions');
  await expect(page.getByRole('grid', { name: 'Sessions' })).toBeHidden();

  // It is on record as any client's.
  await show(page, 'History');
  await expect(evaluationRow(page, '(* 3 *tide*)')).toContainText('diagnostics');

  await chooseTheme(page, 'dark');
  await page.getByRole('button', { name: 'Try a tool…' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Tool' })).toBeVisible();
  await examine(page, 'a tool to try, dark');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Copy report' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const report = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(report).toMatch(/^Lisp Harbor \d/);
  expect(report).toMatch(/Electron \d+.*Node \d+/);
  expect(report).toContain('- sbcl: ');
  expect(report).toContain('Endpoint: http://127.0.0.1:');
  expect(report).not.toMatch(/lh_[A-Za-z0-9_-]{20}/);
});
