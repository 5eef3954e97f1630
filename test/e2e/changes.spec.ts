/** What an agent changed: a person sees it, keeps some of it in files and takes some of it back, by mouse and by keyboard. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { call } from '../evaluation';
import { rounds } from '../rounds';
import { connectAgent } from './agent';
import { examine } from './examine';
import type { Folders } from './fixture';
import { test } from './shared-app';
import { chooseTheme, openPane, show, showSessionTab, someThemes } from './steps';

/** Definitions of a session that has loaded a library. */
const MANY = rounds({ usual: 600, soak: 1_500 });
/** Files that an agent has written. */
const FILES = rounds({ usual: 90, soak: 150 });

const GEOMETRY = `(defun dist (p q)
  (abs (- p q)))

(defun area (w h)
  (* w h))
`;

const DIST = `(defun dist (p q)
  (sqrt (expt (- p q) 2)))`;

/** An agent loads a file, redefines its definitions and edits files; returns it, and the id of the load. */
async function work(page: Page, { project }: Folders) {
  writeFileSync(`${project}/geometry.lisp`, GEOMETRY);
  writeFileSync(`${project}/notes.lisp`, '(defun notes () 1)\n');
  const agent = await connectAgent(page, 'geometer');
  const opened = await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'geometry' });
  const { session } = opened.structured;
  const evaluate = (code: string) => call(agent, 'eval', { code, session });
  const loaded = await call<{ id: number }>(agent, 'eval', { code: '(load "geometry.lisp")', session });
  await evaluate(DIST);
  await evaluate('(defparameter *points* (list 1 2 3))');
  await evaluate('(defun middle (p q)\n  (/ (+ p q) 2))');
  await call(agent, 'edit_form', {
    ...{ path: 'notes.lisp', operation: 'replace', form_type: 'defun', form_name: 'notes' },
    content: '(defun notes ()\n  2)',
  });
  await call(agent, 'write_file', { path: 'draft.lisp', content: '(defun draft () 1)\n', session });
  return { agent, loaded: loaded.structured.id };
}

const changeOf = (page: Page, title: string, group = /^(Definitions|Files)$/): Locator =>
  page
    .getByRole('tabpanel', { name: 'Changes' })
    .getByRole('region', { name: group })
    .getByRole('listitem', { name: title });

test('changes of an agent are shown, written to their file and reverted', async ({ start, folders }) => {
  test.setTimeout(240_000);
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { agent, loaded } = await work(page, folders);
  const file = () => readFileSync(`${folders.project}/geometry.lisp`, 'utf8');

  // Four steps to one of its functions in its file: the view, the session, its changes, and the writing.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'geometry' }).click();
  await openPane(page, 'Changes');
  const dist = changeOf(page, 'defun dist');
  await expect(dist).toContainText('redefined');
  await expect(dist).toContainText('geometry.lisp:1');
  await expect(dist.getByRole('region', { name: 'Diff of defun dist' })).toContainText('-  (abs (- p q)))');
  await expect(changeOf(page, 'defparameter *points*')).toContainText('no file');
  await expect(changeOf(page, 'notes.lisp')).toContainText('edited');
  await expect(changeOf(page, 'geometry.lisp', /^Files loaded$/)).toContainText(`geometer, #${loaded}`);
  for (const theme of someThemes('changes')) {
    await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
    await examine(page, `changes, ${theme}`);
  }
  await dist.getByRole('button', { name: 'Write to geometry.lisp: defun dist' }).click();
  await expect(page.getByText('defun dist written to geometry.lisp.')).toBeVisible();
  expect(file()).toBe(GEOMETRY.replace('  (abs (- p q))', '  (sqrt (expt (- p q) 2))'));
  await expect(dist.getByRole('button', { name: /^Write/ })).toHaveCount(0);
  await expect(changeOf(page, 'geometry.lisp')).toContainText('you');

  await test.step('the file is put back', async () => {
    await changeOf(page, 'geometry.lisp').getByRole('button', { name: 'Revert geometry.lisp…' }).click();
    await page.getByRole('button', { name: 'Revert geometry.lisp', exact: true }).click();
    await expect(page.getByText('geometry.lisp is restored.')).toBeVisible();
    expect(file()).toBe(GEOMETRY);
  });

  await test.step('a file that was not there is deleted after a question, unless it has changed', async () => {
    const draft = `${folders.project}/draft.lisp`;
    const row = changeOf(page, 'draft.lisp');
    await expect(row).toContainText('new');
    const ask = row.getByRole('button', { name: 'Delete draft.lisp…' });
    await ask.click();
    await expect(page.getByRole('dialog')).toContainText('The file did not exist before.');
    await examine(page, 'delete a new file');
    await call(agent, 'edit_form', {
      ...{ path: 'draft.lisp', operation: 'replace', form_type: 'defun', form_name: 'draft' },
      content: '(defun draft () 2)',
    });
    await agent.close();
    // The view has read the new version, and the question is still about the earlier one.
    await expect(page.getByRole('listitem', { name: 'draft.lisp', includeHidden: true })).toContainText(
      '2 writes',
    );
    await page.getByRole('button', { name: 'Delete draft.lisp', exact: true }).click();
    await expect(page.getByText(/draft\.lisp (has )?changed since it was read/)).toBeVisible();
    expect(existsSync(draft)).toBe(true);
    await ask.click();
    await page.getByRole('button', { name: 'Delete draft.lisp', exact: true }).click();
    await expect(page.getByText('draft.lisp is deleted. Its content is saved in the history.')).toBeVisible();
    expect(existsSync(draft)).toBe(false);
    await expect(row).toHaveCount(0);
  });

  await test.step('what no file has goes to one that is named, all at once', async () => {
    await page.getByRole('button', { name: 'Write all to files…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write 3 definitions of “geometry”' });
    await examine(page, 'write to files');
    await dialog.getByRole('textbox', { name: 'File for definitions without one' }).fill('src/middle.lisp');
    await expect(dialog.getByRole('list', { name: 'Target files' })).toContainText('src/middle.lisp');
    await dialog.getByRole('button', { name: 'Write 3 definitions' }).click();
    await expect(page.getByText('2 definitions written to src/middle.lisp.')).toBeVisible();
    await expect(changeOf(page, 'src/middle.lisp')).toContainText('new');
    expect(readFileSync(`${folders.project}/src/middle.lisp`, 'utf8')).toContain('(defun middle (p q)');
  });

  await test.step('definitions stand by their files, and lead to what the image knows', async () => {
    await openPane(page, 'Definitions');
    const panel = page.getByRole('tabpanel', { name: 'Definitions' });
    await expect(panel.getByRole('region', { name: 'src/middle.lisp' })).toContainText('defun middle');
    const loaded = panel.getByRole('region', { name: 'Files loaded' });
    await loaded.getByRole('button', { name: 'geometry.lisp' }).click();
    await expect(loaded.getByRole('listitem', { name: /./ }).getByRole('listitem')).toHaveText([
      /^defun dist.*line 1$/,
      /^defun area.*line 4$/,
    ]);
    await loaded.getByRole('button', { name: 'defun area' }).click();
    await expect(page.getByRole('region', { name: 'Description' })).toContainText('AREA');
    await openPane(page, 'Definitions');
    await panel.getByRole('searchbox', { name: 'Filter definitions' }).fill('dist');
    await expect(panel.getByRole('button', { name: /^def/ })).toHaveText(['defun dist']);
    await examine(page, 'definitions');
    await panel.getByRole('button', { name: 'defun dist' }).click();
    await expect(page.getByRole('region', { name: 'Description' })).toContainText('DIST');
  });

  await test.step('one is taken back in the session', async () => {
    await openPane(page, 'Changes');
    await changeOf(page, 'defun middle').getByRole('button', { name: 'Revert defun middle…' }).click();
    await page.getByRole('button', { name: 'Revert defun middle', exact: true }).click();
    await expect(changeOf(page, 'defun middle')).toHaveCount(0);
  });

  await chooseTheme(page, 'light');
});

test('a newer definition of the file is loaded, or replaced after a question', async ({ start, folders }) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'first');
  const other = await connectAgent(page, 'second');
  const opened = await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'older' });
  const { session } = opened.structured;
  await call(agent, 'eval', { code: '(defun price () 1)\n(defun tax () 1)', session });
  await call(agent, 'write_file', { path: 'shop.lisp', definitions: true, session });
  for (const name of ['price', 'tax'])
    await call(other, 'edit_form', {
      ...{ path: 'shop.lisp', operation: 'replace', form_type: 'defun', form_name: name },
      content: `(defun ${name} () 2)`,
    });
  const newer = readFileSync(`${folders.project}/shop.lisp`, 'utf8');
  const refused = await call(agent, 'write_file', { path: 'shop.lisp', definitions: true, session });
  expect(refused.isError).toBe(true);
  await Promise.all([agent.close(), other.close()]);
  await showSessionTab(page, 'older', 'Changes');
  const price = changeOf(page, 'defun price');
  await expect(price).toContainText('the file is newer');
  await expect(price.getByRole('button', { name: 'Write to shop.lisp: defun price' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Write all to files…' })).toHaveCount(0);
  await price.getByRole('button', { name: 'Load from shop.lisp: defun price' }).click();
  await expect(price).not.toContainText('newer');
  expect(readFileSync(`${folders.project}/shop.lisp`, 'utf8')).toBe(newer);
  const tax = changeOf(page, 'defun tax');
  await tax.getByRole('button', { name: 'Write over shop.lisp: defun tax…' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('(defun tax () 2)');
  await examine(page, 'write over a newer definition');
  expect(readFileSync(`${folders.project}/shop.lisp`, 'utf8')).toBe(newer);
  await question.getByRole('button', { name: 'Write over shop.lisp' }).click();
  await expect(page.getByText('defun tax written to shop.lisp.')).toBeVisible();
  expect(readFileSync(`${folders.project}/shop.lisp`, 'utf8')).toBe(newer.replace('tax () 2', 'tax () 1'));
});

test('the same by the keyboard alone, in an hour’s changes', async ({ start, folders }) => {
  const { page } = await start();
  await (await work(page, folders)).agent.close();
  await show(page, 'Home');
  const { keyboard } = page;
  const command = async (typed: string) => {
    await keyboard.press('Control+Shift+P');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await expect(palette.locator(':focus')).toHaveCount(1);
    await keyboard.type(typed);
    await expect(palette.getByRole('menuitem', { name: typed })).toHaveCount(1);
    await keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  await command('Session geometry');
  await expect(page.getByRole('region', { name: 'REPL of geometry' })).toBeVisible();
  await command('Changes');
  const dist = changeOf(page, 'defun dist');
  await expect(dist).toBeVisible();
  const since = page.getByRole('combobox', { name: 'Changes since' });
  await since.focus();
  await keyboard.press('ArrowDown');
  await expect(since).toHaveValue('hour');
  await expect(dist).toBeVisible();
  const write = dist.getByRole('button', { name: 'Write to geometry.lisp: defun dist' });
  await expect(async () => {
    await keyboard.press('Tab');
    await expect(write).toBeFocused({ timeout: 100 });
  }).toPass();
  await keyboard.press('Enter');
  await expect(page.getByText('defun dist written to geometry.lisp.')).toBeVisible();
  expect(readFileSync(`${folders.project}/geometry.lisp`, 'utf8')).toContain('(sqrt (expt (- p q) 2))');
  // The button is gone; Tab goes on from its row.
  await expect(write).toBeHidden();
  await expect(dist).toBeFocused();
});

test('of thousands of definitions and files only the visible ones are drawn', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const agent = await connectAgent(page, 'generator');
  const opened = await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'many' });
  const { session } = opened.structured;
  const code = Array.from({ length: MANY }, (_, index) => `(defvar *v${index}* ${index})`).join('\n');
  await call(agent, 'eval', { code, session });
  for (let file = 0; file < FILES; file += 1)
    await call(agent, 'write_file', { path: `f${file}.lisp`, content: `(defun f${file} () 1)\n`, session });
  await agent.close();
  const rows = page.locator('li[aria-setsize]');
  const rowsOf = (group: string) => page.getByRole('region', { name: group, exact: true }).locator(rows);
  const scroll = (label: string, to: number) =>
    page
      .getByRole('region', { name: label, exact: true })
      .first()
      .evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), to);
  await test.step('of what has changed', async () => {
    await showSessionTab(page, 'many', 'Changes');
    await expect(rowsOf('Definitions').first()).toHaveAttribute('aria-setsize', String(MANY));
    expect(await rows.count()).toBeLessThan(60);
    const place = (number: number) =>
      page.locator(`li[aria-posinset="${number}"]`).getByRole('button', { name: /^defvar/ });
    await place(2).click();
    await expect(place(2)).toHaveAttribute('aria-expanded', 'true');
    await scroll('List of changes', 1);
    const last = rowsOf('Files').last();
    await expect(last).toBeInViewport();
    await expect(last).toHaveAttribute('aria-posinset', String(FILES));
    expect(await rows.count()).toBeLessThan(60);
    const file = last.getByRole('button', { name: /^f\d+\.lisp$/ });
    await file.click();
    await expect(file).toHaveAttribute('aria-expanded', 'true');
    await scroll('List of changes', 0);
    await expect(place(2)).toHaveAttribute('aria-expanded', 'true');
    await expect(last).toBeHidden();
    await scroll('List of changes', 1);
    await expect(file).toHaveAttribute('aria-expanded', 'true');
    // Where one group ends and the next begins both are there.
    await page
      .getByRole('heading', { name: 'Files', exact: true })
      .evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
    await expect(place(MANY)).toBeInViewport();
    await expect(rowsOf('Files').first()).toBeInViewport();
  });
  await test.step('and of what is defined', async () => {
    await openPane(page, 'Definitions');
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(MANY));
    expect(await rows.count()).toBeLessThan(100);
    await scroll('Definitions', 1);
    await expect(rows.last()).toBeInViewport();
    await expect(rows.last()).toHaveAttribute('aria-posinset', String(MANY));
    expect(await rows.count()).toBeLessThan(100);
  });
});
