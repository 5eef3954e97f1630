/** A person attaches Emacs, with SLIME, to the very image that an agent uses. */
import { expect } from '@playwright/test';
import { values } from '../evaluation';
import { SlimeEmacs } from '../slime-emacs';
import { COMPILING_MS } from '../swank-server';
import { connectAgent } from './agent';
import { test } from './shared-app';
import { select, show } from './steps';

test('SLIME and an agent share one image, until the port is closed', async ({ start }) => {
  test.setTimeout(COMPILING_MS + 60_000);
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  expect(await values(agent, '(defvar *tide* :low)')).toEqual(['*TIDE*']);
  await show(page, 'Sessions');
  await select(page.getByRole('row').filter({ hasText: 'codex' }));
  const session = page.getByRole('region', { name: /^Session / });
  await session.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Attach Emacs…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Attach Emacs to / });
  await dialog.getByRole('button', { name: 'Open port' }).click();
  const line = dialog.getByText(/^\(slime-connect "127\.0\.0\.1" \d+\)$/);
  await expect(line).toBeVisible({ timeout: COMPILING_MS });
  const port = Number(/(\d+)\)$/.exec(await line.innerText())?.[1]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: 'Emacs port open' })).toBeVisible();

  const emacs = new SlimeEmacs();
  try {
    await emacs.connect(port);
    expect(await emacs.evaluate('*tide*')).toBe('("" ":LOW")');
    expect(await emacs.repl('(setf *tide* :high)')).toBe(':HIGH');
    expect(await values(agent, '*tide*')).toEqual([':HIGH']);
    const note = session.getByRole('note').filter({ hasText: '1 connection now' });
    await expect(note).toContainText('not recorded in the history');
    await note.getByRole('button', { name: `Close port ${port}` }).click();
    await expect(note).toBeHidden();
    await emacs.do('(test-disconnected)');
  } finally {
    await emacs.end();
  }
  await expect(page.getByRole('link', { name: 'Emacs port open' })).toBeHidden();
  expect(await values(agent, '*tide*')).toEqual([':HIGH']);
  await agent.close();
});
