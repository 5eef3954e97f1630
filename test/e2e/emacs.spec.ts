/** A person attaches editors, SLIME and one with nREPL, to the very image that an agent uses. */
import { expect } from '@playwright/test';
import { values } from '../evaluation';
import { NreplEditor } from '../nrepl-editor';
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
  await session.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Attach editor…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Attach an editor to / });
  await dialog.getByRole('button', { name: 'Open Swank port' }).click();
  const line = dialog.getByText(/^M-x slime-connect RET 127\.0\.0\.1 RET \d+ RET$/);
  await expect(line).toBeVisible({ timeout: COMPILING_MS });
  const port = Number(/(\d+) RET$/.exec(await line.innerText())?.[1]);
  await dialog.getByRole('button', { name: 'Open nREPL port' }).click();
  const nrepl = dialog.getByRole('region', { name: 'nREPL' }).getByText(/^:ConjureConnect 127\.0\.0\.1 \d+$/);
  await expect(nrepl).toBeVisible();
  const nreplPort = Number(/(\d+)$/.exec(await nrepl.innerText())?.[1]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: /^Editor ports? open$/ })).toBeVisible();

  const editor = await NreplEditor.on(nreplPort);
  expect((await editor.ask({ op: 'eval', code: '*tide*' })).values).toEqual([':LOW']);
  editor.close();
  await session.getByRole('button', { name: `Close port ${nreplPort}` }).click();
  const emacs = new SlimeEmacs();
  try {
    await emacs.connect(port);
    expect(await emacs.evaluate('*tide*')).toBe('("" ":LOW")');
    expect(await emacs.repl('(setf *tide* :high)')).toBe(':HIGH');
    expect(await values(agent, '*tide*')).toEqual([':HIGH']);
    const note = session.getByRole('note').filter({ hasText: `127.0.0.1:${port}` });
    await expect(note).toContainText('1 connection now');
    await expect(note).toContainText('is in the history');
    await note.getByRole('button', { name: `Close port ${port}` }).click();
    await expect(note).toBeHidden();
    await emacs.do('(test-disconnected)');
  } finally {
    await emacs.end();
  }
  await expect(page.getByRole('link', { name: 'Editor port open' })).toBeHidden();
  expect(await values(agent, '*tide*')).toEqual([':HIGH']);
  await agent.close();
});
