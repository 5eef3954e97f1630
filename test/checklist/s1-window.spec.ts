/** Rows that only the window can fulfil, in the real app. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { answerSaveDialog } from '../e2e/desktop';
import { test } from '../e2e/shared-app';
import { act, openSession, screenOf, typeLine } from '../e2e/steps';

test('S1-33 S1-36 a session that ends says what no file holds, and is exported to a .lisp file that loads', async ({
  start,
  folders,
}) => {
  const { app, page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(defpackage :quay (:use :cl) (:export #:depth)) (in-package :quay)');
  await typeLine(repl, '(defmacro metres (n) `(* 1.0 ,n)) (defun depth () (metres 7)) (defvar *mark* 3)');
  await expect.poll(() => screenOf(repl)).toContain('*MARK*');

  await act(page, 'End session…');
  const dialog = page.getByRole('dialog');
  const unsaved = dialog.getByRole('region', { name: 'Not saved to a file' });
  await expect(unsaved).toContainText('4 definitions are not saved to a file');
  for (const name of ['QUAY package', 'METRES macro', 'DEPTH function', '*MARK* variable'])
    await expect(unsaved).toContainText(name);

  const file = path.join(folders.project, 'kept.lisp');
  await answerSaveDialog(app, null);
  await dialog.getByRole('button', { name: 'Export…' }).click();
  await expect(dialog.getByRole('button', { name: 'Export…' })).toBeEnabled();
  expect(existsSync(file)).toBe(false);

  await answerSaveDialog(app, path.join(folders.project, 'no', 'such', 'folder.lisp'));
  await dialog.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByText('folder.lisp cannot be written')).toBeVisible();

  await answerSaveDialog(app, file);
  await dialog.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByText(`4 definitions written to ${file}.`)).toBeVisible();
  expect(readFileSync(file, 'utf8')).toMatch(/^;;;; ABOUTME: \S/);
  expect(readFileSync(file, 'utf8')).toMatch(/\(in-package :quay\)\n\n\(defmacro metres[\s\S]*\(defun depth/);
  await dialog.getByRole('button', { name: /^End / }).click();
  await expect(dialog).toBeHidden();

  const fresh = await openSession(page, 'SBCL');
  await typeLine(fresh, '(load "kept.lisp") (list :again (quay:depth))');
  await expect.poll(() => screenOf(fresh)).toContain('(:AGAIN 7.0)');
  await act(page, 'End session…');
  await expect(dialog).toContainText('Evaluations stay in the history');
  await expect(unsaved).toBeHidden();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});
