/** What a person has typed and not sent when its session ends. */
import { expect } from '@playwright/test';
import { Agent } from './agent';
import { test } from './shared-app';
import { act, asBlocks, asTerminal, enterForm, inputOf, openBlocks, screenOf, select, show } from './steps';

test('what was typed is kept when its session ends, and the next REPL offers it', async ({ start }) => {
  const { page } = await start();
  const end = (name: string) =>
    page.evaluate(async (wanted) => {
      const sessions = await window.bridge.invoke('sessions:list', null);
      const ended = sessions.ok && sessions.value.find((each) => each.name === wanted);
      if (ended) await window.bridge.invoke('sessions:close', { session: ended.id });
    }, name);
  const first = await openBlocks(page, 'SBCL');
  const name = /^REPL of (.*)$/.exec((await first.getAttribute('aria-label')) ?? '')?.[1] ?? '';
  await inputOf(first).click();
  await page.keyboard.type('(never sent');
  await end(name);
  const kept = page.getByRole('region', { name: 'What you had typed' });
  await expect(kept).toContainText('(never sent)');
  await expect(kept.getByRole('button', { name: 'Copy what you had typed' })).toBeVisible();
  await expect(kept).toContainText('the next REPL of SBCL offers it');

  const second = await openBlocks(page, 'SBCL');
  await asTerminal(second);
  await page.keyboard.type('(typed there');
  await expect.poll(() => screenOf(second)).toContain('(typed there');
  await show(page, 'History');
  const other = await page.evaluate(async () => {
    const sessions = await window.bridge.invoke('sessions:list', null);
    return sessions.ok ? (sessions.value[0]?.name ?? '') : '';
  });
  await end(other);
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
    `${other} has ended. What you had typed there is kept`,
  );

  await page.reload();
  const third = await openBlocks(page, 'SBCL');
  await asBlocks(page);
  const left = (session: string) =>
    third.getByRole('region', { name: `Typed in ${session}, which has ended` });
  await inputOf(third).click();
  await page.keyboard.type(':mine');
  await expect(left(other)).toContainText('(typed there');
  await left(other)
    .getByRole('button', { name: /^Discard/ })
    .click();
  await left(name).getByRole('button', { name: 'Insert' }).click();
  await expect(inputOf(third)).toHaveText(/^\(never sent\)\s*:mine$/);
  await expect(left(name)).toBeHidden();
  await page.reload();
  await expect(inputOf(third)).toHaveText(/^\(never sent\)\s*:mine$/);
  await expect(left(name)).toBeHidden();
});

test('what was sent and waits when its session ends is kept as well', async ({ start }) => {
  const { page } = await start();
  const agent = await Agent.connect(page, 'claude-code', { engine: 'sbcl', name: 'ending' });
  await show(page, 'Sessions');
  await select(page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'ending' }));
  const repl = page.getByRole('region', { name: 'REPL of ending' });
  const looped = agent.evaluate('(loop (sleep 0.1))').catch(() => undefined);
  await expect(page.getByRole('region', { name: 'claude-code evaluates' })).toBeVisible();
  for (const form of ['(list :one)', '(list :two)', '(list :three)']) await enterForm(repl, form);
  await expect(page.getByRole('region', { name: 'What waits' })).toContainText('3 forms');
  await page.keyboard.type('(list');
  await act(page, 'End session…');
  await page.getByRole('dialog').getByRole('button', { name: 'End ending' }).click();
  await looped;
  const kept = page.getByRole('region', { name: 'What you had typed' });
  await expect(kept.locator('pre, code').first()).toHaveText('(list :two)\n(list :three)\n(list)');
  const next = await openBlocks(page, 'SBCL');
  await inputOf(next).click();
  await page.keyboard.press('ArrowUp');
  await expect(inputOf(next)).toHaveText('(list :one)');
  await agent.close();
});
