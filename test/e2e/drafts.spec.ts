/** What a person has typed and not sent when its session ends. */
import { expect, type Page } from '@playwright/test';
import { Agent } from './agent';
import { test } from './shared-app';
import {
  act,
  asBlocks,
  asTerminal,
  enterForm,
  inputOf,
  openBlocks,
  openSession,
  screenOf,
  select,
  show,
} from './steps';

/** Ends the only session as an agent or the harbor does: nobody at the window is asked. Answers its name. */
function endSession(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const sessions = await window.bridge.invoke('sessions:list', null);
    const [only] = sessions.ok ? sessions.value : [];
    if (only) await window.bridge.invoke('sessions:close', { session: only.id });
    return only?.name ?? '';
  });
}

test('what was typed is kept when its session ends, and the next REPL offers it', async ({ start }) => {
  const { page } = await start();
  const repl = page.getByRole('region', { name: /^REPL of / });
  const left = repl.getByRole('region', { name: /^Unsent input of .*, which has ended$/ });
  await test.step('its place shows it', async () => {
    await inputOf(await openBlocks(page, 'SBCL')).click();
    await page.keyboard.type('(never sent');
    await endSession(page);
    const kept = page.getByRole('region', { name: 'Unsent input', exact: true });
    await expect(kept).toContainText('(never sent)');
    await expect(kept.getByRole('button', { name: 'Copy your input' })).toBeVisible();
    await expect(kept).toContainText('the next SBCL REPL offers it');
  });
  await test.step('a message says so to who looks elsewhere', async () => {
    await openSession(page, 'SBCL');
    await page.keyboard.type('(typed there');
    await expect.poll(() => screenOf(repl)).toContain('(typed there');
    await show(page, 'History');
    const name = await endSession(page);
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
      `${name} has ended. Your unsent input is saved`,
    );
  });
  await test.step('a terminal takes it, where it stands also after a reload', async () => {
    await openSession(page, 'SBCL');
    await expect(left).toContainText('(typed there');
    await left.getByRole('button', { name: 'Insert' }).click();
    await page.keyboard.type(' too');
    await expect.poll(() => screenOf(repl)).toContain('(typed there too');
    await page.reload();
    await asTerminal(repl);
    await expect.poll(() => screenOf(repl)).toContain('(typed there too');
  });
  await test.step('and so does the editor, above what it has', async () => {
    await asBlocks(page);
    await expect(inputOf(repl)).toHaveText('(typed there too');
    await left.getByRole('button', { name: 'Insert' }).click();
    await expect(inputOf(repl)).toHaveText(/^\(never sent\)\s*\(typed there too$/);
    await expect(left).toBeHidden();
    await page.reload();
    await expect(inputOf(repl)).toHaveText(/^\(never sent\)\s*\(typed there too$/);
    await expect(left).toBeHidden();
  });
  await test.step('what is not wanted is discarded', async () => {
    await endSession(page);
    await openBlocks(page, 'SBCL');
    await left.getByRole('button', { name: /^Discard/ }).click();
    await expect(left).toBeHidden();
    await page.reload();
    await expect(inputOf(repl)).toBeVisible();
    await expect(left).toBeHidden();
  });
});

test('what was sent and waits when its session ends is kept as well', async ({ start }) => {
  const { page } = await start();
  const agent = await Agent.connect(page, 'claude-code', { engine: 'sbcl', name: 'ending' });
  await show(page, 'Sessions');
  await select(page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'ending' }));
  const repl = page.getByRole('region', { name: 'REPL of ending' });
  const looped = agent.evaluate('(loop (sleep 0.1))').catch(() => undefined);
  await expect(page.getByRole('region', { name: 'claude-code is evaluating' })).toBeVisible();
  for (const form of ['(list :one)', '(list :two)', '(list :three)']) await enterForm(repl, form);
  await expect(page.getByRole('region', { name: 'Queue' })).toContainText('3 forms');
  await page.keyboard.type('(list');
  await act(page, 'End session…');
  await page.getByRole('dialog').getByRole('button', { name: 'End ending' }).click();
  await looped;
  const kept = page.getByRole('region', { name: 'Unsent input', exact: true });
  await expect(kept.locator('pre, code').first()).toHaveText('(list :two)\n(list :three)\n(list)');
  const next = await openBlocks(page, 'SBCL');
  await inputOf(next).click();
  await page.keyboard.press('ArrowUp');
  await expect(inputOf(next)).toHaveText('(list :one)');
  await agent.close();
});
