/** Tokens are rotated: the old one is refused at once, and the new one is where the old one was. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './shared-app';
import { choose, issueToken, show } from './steps';

const tokenRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Tokens' }).getByRole('listitem', { name, exact: true });

/** What the endpoint answers to who holds this: 401 where it is refused. */
async function status(page: Page, token: string): Promise<number> {
  const harbor = await page.evaluate(() => window.bridge.invoke('harbor:status', null));
  if (!harbor.ok || harbor.value.endpoint.url === null) throw new Error('The endpoint does not listen.');
  const response = await fetch(harbor.value.endpoint.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return response.status;
}

test('rotating a token shows the new one once', async ({ start }) => {
  const { page } = await start();
  const old = await issueToken(page, 'pilot');
  await tokenRow(page, 'pilot').getByRole('button', { name: 'Rotate pilot' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate token “pilot”?' });
  await expect(question).toContainText('old token');
  expect(await status(page, old)).not.toBe(401);
  await question.getByRole('button', { name: 'Rotate pilot' }).click();
  const shown = page.getByRole('dialog', { name: 'Token “pilot”' });
  const secret = (await shown.locator('[data-secret]').textContent()) ?? '';
  await shown.getByRole('button', { name: 'Done' }).click();

  expect(secret).toMatch(/^lh_\S{40,}$/);
  expect(secret).not.toBe(old);
  expect(await page.content()).not.toContain(secret);
  expect([await status(page, old), (await status(page, secret)) === 401]).toEqual([401, false]);
  await expect(tokenRow(page, 'pilot')).toContainText('May read, evaluate');
});

test('rotating the token of a program writes its file after a question', async ({ start, folders }) => {
  const file = path.join(folders.home, '.cursor/mcp.json');
  mkdirSync(path.dirname(file));
  const own = '// mine\n{ "mcpServers": { "a": { "env": { "KEY": "sk-secret" } } } }\n';
  writeFileSync(file, own);
  const { page } = await start();
  await show(page, 'Clients');
  await page.getByRole('button', { name: 'Connect Cursor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
  await choose(dialog.getByRole('combobox', { name: 'Connection' }), 'http');
  await expect(dialog.getByRole('region', { name: 'Change' })).toContainText('/mcp');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(tokenRow(page, 'cursor')).toBeVisible();
  const held = () => /lh_[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const old = held();

  await tokenRow(page, 'cursor').getByRole('button', { name: 'Rotate cursor' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate token “cursor”?' });
  await expect(question).toContainText('The file of Cursor');
  await expect(question.getByRole('region', { name: 'Change' })).toBeVisible();
  await expect(question).not.toContainText('sk-secret');
  expect(held()).toBe(old);
  await question.getByRole('button', { name: 'Rotate cursor' }).click();
  await expect(question).toBeHidden();
  const fresh = held();
  expect(fresh).not.toBe(old);
  expect([await status(page, old), (await status(page, fresh)) === 401]).toEqual([401, false]);
  expect(readFileSync(file, 'utf8')).toContain('// mine');

  await page.getByRole('button', { name: 'Disconnect Cursor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('listitem', { name: 'Cursor', exact: true })).toContainText('not connected');
  expect(readFileSync(file, 'utf8')).toBe(own);
  expect(await status(page, fresh)).toBe(401);
});
