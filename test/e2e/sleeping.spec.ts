/** Sessions of the last time: asleep in the list, woken by a button or by use, and ended all at once. */
import { expect, type Page } from '@playwright/test';
import { test } from './fixture';
import { act, openSession, screenOf, show, typeLine } from './steps';

const row = (page: Page, state: string) =>
  page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: state });

test('a session of the last time is asleep until a person wakes it', async ({ start }) => {
  const first = await start();
  const repl = await openSession(first.page, 'SBCL');
  await typeLine(repl, '(defun tide (h) (* 2 h))');
  await expect.poll(() => screenOf(repl)).toContain('TIDE');
  // Whoever looks again finds what was chosen.
  await act(first.page, 'Suspend on errors');
  await first.end();

  const { page } = await start();
  await show(page, 'Sessions');
  await row(page, 'asleep').click();
  await expect(page.getByText('When it is used, the session is restored with its definitions')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeDisabled();
  await page.getByRole('button', { name: 'Wake' }).click();
  const again = page.getByRole('region', { name: /^REPL of / });
  await expect.poll(() => screenOf(again)).toMatch(/\* $/);
  await act(page, 'Do not suspend on errors');
  await typeLine(again, '(tide 21)');
  await expect.poll(() => screenOf(again)).toContain('42');
  expect(await row(page, 'asleep').count()).toBe(0);
});

test('a person ends all that are asleep, and starts with none', async ({ start }) => {
  const first = await start();
  for (const engine of ['SBCL', 'nbb'] as const) await openSession(first.page, engine);
  await first.end();

  const { page } = await start();
  await show(page, 'Sessions');
  await page.getByRole('button', { name: 'End 2 sleeping sessions…' }).click();
  const dialog = page.getByRole('dialog', { name: 'End 2 sessions?' });
  await expect(dialog).toContainText('cannot be restored');
  await dialog.getByRole('button', { name: 'End 2 sessions' }).click();
  await expect(page.getByRole('heading', { name: 'No sessions' })).toBeVisible();
});
