/** A session that an app, or a harbor without one, leaves to what comes in its place. */
import { expect, type Page } from '@playwright/test';
import { show } from '../e2e/steps';

/** `lisp-harbor` with these words, of one person and data folder; answers what it prints. */
export type Lisp = (...words: string[]) => string;

export function defineTide(lisp: Lisp): void {
  expect(lisp('eval', '(defun tide (h) (* 2 h))', '--session', 'tides')).toContain('TIDE');
}

/** By what was defined in it before. */
export function expectTideBack(lisp: Lisp): void {
  expect(lisp('eval', '(tide 21)', '--session', 'tides')).toContain('=> 42');
}

export async function expectAsleep(page: Page, ...names: string[]): Promise<void> {
  await show(page, 'Sessions');
  const sessions = page.getByRole('grid', { name: 'Sessions' });
  for (const name of names)
    await expect(sessions.getByRole('row').filter({ hasText: name })).toContainText('asleep');
}
