/** Other programs: connecting them by the window, and tokens for those that connect themselves. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import { appEnvironment, type Folders, test as ownTest, type User } from './fixture';
import { test } from './shared-app';
import { choose, evaluationRow, issueToken, show } from './steps';

/** A person's own file: odd indentation, another server, text beyond ASCII, Windows line ends. */
const OWN_CONFIG = [
  '{',
  '   "globalShortcut": "Ctrl+Ä",',
  '   "mcpServers": {',
  '      "files": { "command": "npx", "args": ["-y", "server-files", "/home/ada"] }',
  '   }',
  '}',
  '',
].join('\r\n');

test('Connect shows the change, writes it, and Disconnect gives back the same bytes', async ({
  start,
  folders,
}) => {
  const file = claudeDesktopFile(folders);
  writeFileSync(file, OWN_CONFIG);
  const { page } = await start();
  await show(page, 'Clients');
  const program = page.getByRole('listitem', { name: 'Claude Desktop' });
  await expect(program.getByText('not connected', { exact: true })).toBeVisible();

  await program.getByRole('button', { name: 'Connect Claude Desktop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Claude Desktop' });
  await expect(dialog).toContainText('"claude-desktop"');
  expect(readFileSync(file, 'utf8')).toBe(OWN_CONFIG);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(dialog).toBeHidden();
  await expect(program.getByText('connected', { exact: true })).toBeVisible();
  const written = JSON.parse(readFileSync(file, 'utf8'));
  expect(written).toMatchObject(JSON.parse(OWN_CONFIG));
  expect(Object.keys(written.mcpServers)).toEqual(['files', 'lisp']);

  await program.getByRole('button', { name: 'Disconnect Claude Desktop' }).click();
  const undo = page.getByRole('dialog', { name: 'Disconnect Claude Desktop' });
  await undo.getByRole('button', { name: 'Disconnect' }).click();
  await expect(program.getByText('not connected', { exact: true })).toBeVisible();
  expect(readFileSync(file, 'utf8')).toBe(OWN_CONFIG);
});

test('the entry that Connect writes reaches this harbor', async ({ start, user, folders }) => {
  const file = claudeDesktopFile(folders);
  const { page } = await start();
  await show(page, 'Clients');
  await page.getByRole('button', { name: 'Connect Claude Desktop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
  const program = page.getByRole('listitem', { name: 'Claude Desktop' });
  await expect(program.getByText('connected', { exact: true })).toBeVisible();

  const desktop = await startedBy(file, user, folders);
  const { content } = await desktop.callTool({ name: 'eval', arguments: { code: '(* 6 7 1)' } });
  expect(content).toMatchObject([{ text: expect.stringMatching(/^=> 42\n/) }]);
  await show(page, 'History');
  // In no other test: the history keeps what the app that tests share has done.
  await expect(evaluationRow(page, '(* 6 7 1)')).toContainText('claude-desktop');
  await desktop.close();
});

test('a program is given the address with a token of its own, which is checked and revoked', async ({
  start,
  folders,
}) => {
  const file = path.join(folders.home, '.cursor/mcp.json');
  mkdirSync(path.dirname(file));
  const own = '// mine\n{\n  "mcpServers": {\n    "a": { "env": { "KEY": "sk-secret" } }, // keep\n  },\n}\n';
  writeFileSync(file, own);
  const { page } = await start();
  await show(page, 'Clients');
  const program = page.getByRole('listitem', { name: 'Cursor', exact: true });
  await program.getByRole('button', { name: 'Connect Cursor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
  await choose(dialog.getByRole('combobox', { name: 'Connection' }), 'http');
  await choose(dialog.getByRole('combobox', { name: 'Profile' }), 'acl2');
  await expect(dialog.getByRole('region', { name: 'Change' })).toContainText('/mcp');
  await expect(dialog).not.toContainText('sk-secret');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(program.getByText('connected', { exact: true })).toBeVisible();
  await expect(program).toContainText('address');
  await expect(program.getByRole('combobox', { name: 'Profile of Cursor' })).toHaveValue('acl2');
  await expect(
    page.getByRole('list', { name: 'Tokens' }).getByRole('listitem', { name: 'cursor', exact: true }),
  ).toBeVisible();
  const [token = ''] = /lh_[\w-]+/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(await status(page, token)).not.toBe(401);

  await program.getByRole('button', { name: 'More actions for Cursor' }).click();
  await page.getByRole('menuitem', { name: 'Check' }).click();
  const check = page.getByRole('dialog', { name: 'Check Cursor' });
  await expect(check).toContainText('Its model sees');
  await check.getByRole('button', { name: 'Done' }).click();

  await program.getByRole('button', { name: 'Disconnect Cursor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(program).toContainText('not connected');
  expect(readFileSync(file, 'utf8')).toBe(own);
  expect(await status(page, token)).toBe(401);
});

ownTest(
  'programs with the address of before follow it when a person says so, with their tokens',
  async ({ start, folders }) => {
    const file = path.join(folders.home, '.cursor/mcp.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{}\n');
    const { page, end } = await start();
    await show(page, 'Clients');
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
    await choose(dialog.getByRole('combobox', { name: 'Connection' }), 'http');
    await expect(dialog.getByRole('region', { name: 'Change' })).toContainText('/mcp');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await expect(dialog).toBeHidden();
    const before = readFileSync(file, 'utf8');
    await end();

    const { page: again } = await start();
    await show(again, 'Clients');
    await expect(again.getByText('Cursor still has')).toBeVisible();
    expect(readFileSync(file, 'utf8')).toBe(before);
    await again.getByRole('button', { name: 'Update all…' }).click();
    const question = again.getByRole('dialog', { name: 'Update the address in these programs?' });
    await expect(question).toContainText(file);
    await question.getByRole('button', { name: 'Update' }).click();
    await expect(again.getByRole('button', { name: 'Update all…' })).toHaveCount(0);
    const after = readFileSync(file, 'utf8');
    const [token = ''] = /lh_[\w-]+/.exec(after) ?? [];
    expect(before).toContain(token);
    expect(after).not.toBe(before);
    expect(await status(again, token)).not.toBe(401);
  },
);

test('programs that were not found are shown when asked for, and one that dropped its entry says so', async ({
  start,
  folders,
}) => {
  const file = claudeDesktopFile(folders);
  writeFileSync(file, OWN_CONFIG);
  const { page } = await start();
  await show(page, 'Clients');
  const programs = page.getByRole('list', { name: 'Programs' }).getByRole('listitem');
  await expect(programs).toHaveCount(1);
  await page.getByRole('button', { name: /^Show 22 more/ }).click();
  await expect(programs).toHaveCount(23);
  await page.getByRole('button', { name: 'More actions for JetBrains AI Assistant' }).click();
  await page.getByRole('menuitem', { name: 'Snippet' }).click();
  await expect(page.getByRole('dialog')).toContainText('mcpServers');
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Connect Claude Desktop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
  const program = page.getByRole('listitem', { name: 'Claude Desktop' });
  await expect(program.getByText('connected', { exact: true })).toBeVisible();
  writeFileSync(file, OWN_CONFIG);
  await show(page, 'Home');
  await show(page, 'Clients');
  await expect(program).toContainText('entry missing');
  await expect(program).toContainText('Claude Desktop rewrites its file while it runs');
});

test('a file that does not parse is refused and left alone', async ({ start, folders }) => {
  const file = claudeDesktopFile(folders);
  writeFileSync(file, '{ "mcpServers": { oops');
  const { page } = await start();
  await show(page, 'Clients');
  const program = page.getByRole('listitem', { name: 'Claude Desktop' });
  await expect(program).toContainText('unreadable');
  await expect(program.getByRole('button', { name: 'Connect Claude Desktop' })).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": { oops');
});

test('a token is shown once, works, and is refused after it is revoked', async ({ start }) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'pilot');
  const { structuredContent } = await agent.callTool({ name: 'eval', arguments: { code: '(+ 1 2)' } });
  expect(structuredContent).toMatchObject({ forms: [{ values: ['3'] }] });
  await agent.close();

  const secret = await issueToken(page, 'second');
  expect(secret).toMatch(/\S{40,}/);
  await expect(page.getByRole('listitem', { name: 'second' })).toContainText('never used');
  expect(await page.content()).not.toContain(secret);
  expect(await status(page, secret)).not.toBe(401);
  await page.getByRole('button', { name: 'Revoke second' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Revoke second' })
    .click();
  await expect(page.getByRole('listitem', { name: 'second' })).toHaveCount(0);
  expect(await status(page, secret)).toBe(401);
});

test('the profile of a client is chosen where it is listed, and its open conversation hears of it', async ({
  start,
  user,
  folders,
}) => {
  const file = claudeDesktopFile(folders);
  const { page } = await start();
  const pilot = await connectAgent(page, 'pilot');
  let heard = 0;
  pilot.setNotificationHandler('notifications/tools/list_changed', () => {
    heard += 1;
  });
  const tools = async () => (await pilot.listTools()).tools.map(({ name }) => name);
  expect(await tools()).toContain('open_session');

  await show(page, 'Clients');
  const token = page.getByRole('listitem', { name: 'pilot' });
  await token.getByRole('combobox', { name: 'Profile of pilot' }).selectOption('cl-mcp-server');
  await expect.poll(() => heard).toBe(1);
  expect(await tools()).toContain('evaluate-lisp');
  await token.getByRole('combobox', { name: 'Profile of pilot' }).selectOption('Default profile (default)');
  await expect.poll(() => heard).toBe(2);
  expect(await tools()).toContain('open_session');
  await pilot.close();

  writeFileSync(file, OWN_CONFIG);
  user.own(file);
  const program = page.getByRole('listitem', { name: 'Claude Desktop' });
  await page.getByRole('button', { name: 'Connect Claude Desktop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
  await choose(program.getByRole('combobox', { name: 'Profile of Claude Desktop' }), 'acl2');
  const desktop = await startedBy(file, user, folders);
  const names = (await desktop.listTools()).tools.map(({ name }) => name);
  expect(names).not.toContain('open_session');
  await desktop.close();
});

/** Claude Desktop, which has run what its file says. */
async function startedBy(file: string, user: User, folders: Folders): Promise<Client> {
  const { lisp } = JSON.parse(readFileSync(file, 'utf8')).mcpServers;
  const [command, ...args] = user.command(lisp.command, ...lisp.args);
  const desktop = new Client({ name: 'claude-ai', version: '1.0.0' });
  const env = appEnvironment(folders);
  await desktop.connect(
    new StdioClientTransport({ command, args, env, cwd: folders.project, stderr: 'ignore' }),
  );
  return desktop;
}

function claudeDesktopFile({ home }: Folders): string {
  const folder = path.join(home, '.config', 'Claude');
  mkdirSync(folder, { recursive: true });
  return path.join(folder, 'claude_desktop_config.json');
}

/** The HTTP status that the endpoint answers to a bearer of this token. */
async function status(page: Page, token: string): Promise<number> {
  const harbor = await page.evaluate(() => window.bridge.invoke('harbor:status', null));
  const url = harbor.ok ? harbor.value.endpoint.url : null;
  if (url === null) throw new Error('The endpoint does not listen.');
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
