/** Source files in the window: a person writes a program into a file, compiles it form by form and mends warnings. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { examine } from './examine';
import { test } from './shared-app';
import { chooseTheme, openSession, screenOf, show, typeLine } from './steps';

const TIDE = `(defpackage :tide (:use :cl))

(in-package :tide)

(defun high (station)
  "The height of high water."
  (car station))

(defun low (station)
  (cdr station))
`;

/** A definition with two mistakes: an unused variable, and a call with too many arguments. */
const RANGE = `
(defun range (station)
  (let ((unused 1))
    (- (high station 2) (low station))))
`;

test('a program is written, compiled form by form, and two warnings are mended from the margin', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  const file = path.join(folders.project, 'tide.lisp');
  await openSession(page, 'SBCL');
  await show(page, 'Source');
  await page.locator('main > header').getByRole('button', { name: 'New file…' }).click();
  await page.getByRole('textbox', { name: 'Path in the project' }).fill('tide.lisp');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Text of tide.lisp' });
  await expect(editor).toBeVisible();

  await editor.click();
  await page.keyboard.insertText(TIDE + RANGE);
  const definitions = page.getByRole('region', { name: 'Definitions' });
  await expect(definitions.getByRole('button')).toHaveText([
    /^tide/,
    /^high.*missing/,
    /^low.*missing/,
    /^range.*missing/,
  ]);

  for (const name of ['tide', 'high', 'low']) await compile(page, definitions, name);
  await expect(definitions.getByRole('button', { name: /^low/ })).toContainText('same');

  await compile(page, definitions, 'range');
  const notes = page.getByRole('list', { name: 'Notes of the compiler' }).getByRole('button');
  await expect(notes).toHaveCount(2);
  await expect(notes.first()).toContainText(/UNUSED/i);
  const marks = page.locator('.cm-note-gutter svg');
  await expect(marks).toHaveCount(2);

  await marks.first().click();
  await page.keyboard.press('End');
  await replaceLine(page, '  (let ((unused 1))', '  (progn');
  await page.keyboard.press('F8');
  await replaceLine(
    page,
    '    (- (high station 2) (low station))))',
    '    (- (high station) (low station))))',
  );
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'range is compiled' })).toBeVisible();
  await expect(notes).toHaveCount(0);
  await expect(definitions.getByRole('button', { name: /^range/ })).toContainText('same');

  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFileSync(file, 'utf8'))
    .toContain('(progn\n    (- (high station) (low station))');
  await expect(page.getByRole('tree').getByText('not saved')).toBeHidden();
});

async function compile(page: Page, definitions: Locator, name: string): Promise<void> {
  await definitions
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').filter({ hasText: `${name} is compiled` })).toBeVisible();
}

/** Moves the cursor behind the first word of a line. */
async function afterFirstWord(page: Page, text: Locator, line: string): Promise<void> {
  await text.getByText(line).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+f');
}

/** Replaces the line of the cursor. */
async function replaceLine(page: Page, line: string, by: string): Promise<void> {
  await expect(page.locator('.cm-activeLine')).toContainText(line.trim());
  await page.keyboard.press('Control+e');
  await page.keyboard.press('Control+u');
  await page.keyboard.insertText(by);
}

test('Alt+. goes to a definition from the REPL and from the text, and Alt+, goes back; a macro form is expanded in place', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  const uses = '(in-package :tide)\n\n(defun span (station)\n  (when station\n    (high station)))\n';
  writeFileSync(path.join(folders.project, 'tide.lisp'), TIDE);
  writeFileSync(path.join(folders.project, 'uses.lisp'), uses);
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(list (load "tide.lisp") (load "uses.lisp"))');
  await expect.poll(() => screenOf(repl)).toContain('(T T)');
  await repl.getByRole('textbox').click();
  await page.keyboard.insertText('tide::low');
  await page.keyboard.press('Alt+.');
  await expect(page.getByRole('textbox', { name: 'Text of tide.lisp' })).toBeFocused();
  await expect(page.locator('.cm-activeLine')).toContainText('(defun low');

  const text = await openFile(page, 'uses.lisp');
  await afterFirstWord(page, text, '(high station)');
  await page.keyboard.press('Alt+.');
  await expect(page.locator('.cm-activeLine')).toContainText('(defun high');
  const detail = page.getByRole('complementary', { name: 'Definition' });
  await expect(detail).toContainText('The height of high water.');
  await expect(detail.getByRole('region', { name: 'Callers' })).toContainText(/span/i);
  await page.keyboard.press('Alt+,');
  await expect(page.locator('.cm-activeLine')).toContainText('(high station)');

  await afterFirstWord(page, text, '(when station');
  await page.keyboard.press('Alt+m');
  const expansion = page.getByRole('region', { name: 'Expansion' });
  await expect(expansion).toContainText('(if station');
  await expansion.getByRole('button', { name: 'Close the expansion' }).click();
  await expect(expansion).toBeHidden();
});

test('text is merged with a file that was changed outside, or the user chooses', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  const file = path.join(folders.project, 'tide.lisp');
  writeFileSync(file, TIDE);
  const editor = await openFile(page, 'tide.lisp');
  await editor.getByText('(car station)').click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' ; metres');
  await expect(page.getByRole('tree').getByText('not saved')).toBeVisible();

  writeFileSync(file, TIDE.replace('(cdr station)', '(cadr station)'));
  await expect(editor).toContainText('(cadr station)');
  await expect(editor).toContainText('; metres');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('metres');
  expect(readFileSync(file, 'utf8')).toContain('(cadr station)');

  await editor.getByText('"The height of high water."').click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' ; mine');
  writeFileSync(file, TIDE.replace('The height', 'A height'));
  await expect(page.getByRole('note').filter({ hasText: 'changed outside' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep my text' }).click();
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('; mine');
});

test('each definition shows whether image, file and Git agree', async ({ start, folders }) => {
  const { page } = await start();
  const git = (...args: string[]) =>
    execFileSync('git', [
      '-C',
      folders.project,
      '-c',
      'user.name=ada',
      '-c',
      'user.email=ada@example.org',
      ...args,
    ]);
  writeFileSync(path.join(folders.project, 'tide.lisp'), TIDE);
  writeFileSync(
    path.join(folders.project, 'tides.asd'),
    '(defsystem "tides" :components ((:file "tide")))\n',
  );
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Tides');
  writeFileSync(path.join(folders.project, 'tide.lisp'), TIDE.replace('(car station)', '(first station)'));
  await openSession(page, 'SBCL');
  await openFile(page, 'tide.lisp');
  const states = page.getByRole('region', { name: 'Definitions' }).getByRole('button');
  await expect(states).toHaveText([/missing.*same/, /missing.*changed/, /missing.*same/]);
  await page.keyboard.press('Control+l');
  await expect(states).toHaveText([/same.*same/, /same.*changed/, /same.*same/]);
  await test.step('and the tree has the systems and packages of the project', async () => {
    const grouping = page.getByRole('combobox', { name: 'Show by' });
    for (const [group, name] of [
      ['Systems', 'tides'],
      ['Packages', 'tide'],
    ] as const) {
      await grouping.selectOption(group);
      await page.getByRole('treeitem', { name, exact: true }).click();
      await expect(page.getByRole('treeitem', { name: 'tide.lisp', exact: true })).toBeVisible();
    }
    await grouping.selectOption('Files');
  });
  for (const theme of ['light', 'dark'] as const) {
    await chooseTheme(page, theme);
    await show(page, 'Source');
    await examine(page, `source, ${theme}`);
  }
});

test('an ACL2 file shows how far the world has it; a form of Clojure is evaluated in its namespace', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  const book = `(in-package "ACL2")

(defun app (x y) ; appends
  (if (consp x) (cons (car x) (app (cdr x) y)) y))

(defthm app-assoc
  (equal (app (app x y) z) (app x (app y z))))
`;
  writeFileSync(path.join(folders.project, 'app.lisp'), book);
  writeFileSync(
    path.join(folders.project, 'tide.clj'),
    '(ns tide)\n\n(defn high [station] (first station))\n',
  );
  await openSession(page, 'ACL2');
  await openFile(page, 'app.lisp');
  const definitions = page.getByRole('region', { name: 'Definitions' });
  const states = definitions.getByRole('button');
  await expect(states).toHaveText([/^app.*missing/, /^app-assoc.*missing/]);
  await compile(page, definitions, 'app');
  await expect(states).toHaveText([/^app.*same/, /^app-assoc.*missing/]);
  await page.keyboard.press('Control+l');
  await expect(states).toHaveText([/^app.*same/, /^app-assoc.*same/]);

  await openSession(page, 'nbb');
  await openFile(page, 'tide.clj');
  for (const name of ['tide', 'high']) await compile(page, definitions, name);
  await expect(states.last()).toContainText('same');
});

async function openFile(page: Page, name: string): Promise<Locator> {
  await show(page, 'Source');
  await page.getByRole('treeitem', { name }).click();
  const editor = page.getByRole('textbox', { name: `Text of ${name}` });
  await editor.click();
  return editor;
}
