/** Attaching to a server from the window, or starting one in a container, which names it for agents as well. */
import { expect } from '@playwright/test';
import { StandInDocker } from '../containers';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { connectAgent } from './agent';
import { test as ownTest } from './fixture';
import { test } from './shared-app';
import { act, asTerminal, screenOf, show, typeLine } from './steps';

test('a person attaches to a running Lisp, and then agents may', async ({ start }) => {
  test.setTimeout(COMPILING_MS);
  const server = await SwankServer.start({ setup: '(defvar *made-elsewhere* 41)' });
  const address = `127.0.0.1:${server.port}`;
  const { page } = await start();
  await show(page, 'Sessions');
  await page.getByRole('button', { name: 'Attach…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attach to a server' });
  const port = dialog.getByRole('textbox', { name: 'Port' });
  await expect(port).toHaveValue('4005');

  await port.fill('1');
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('No server answers at 127.0.0.1:1');
  await dialog.getByRole('textbox', { name: 'Host' }).fill('192.0.2.1');
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('not this computer');
  await dialog.getByRole('textbox', { name: 'Host' }).fill('localhost');
  await port.fill(String(server.port));
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(dialog).toBeHidden();

  const repl = page.getByRole('region', { name: /^REPL of swank/ });
  await asTerminal(repl);
  await expect.poll(() => screenOf(repl)).toMatch(/CL-USER> $/);
  await typeLine(repl, '(+ 1 *made-elsewhere*)');
  await expect.poll(() => screenOf(repl)).toContain('42');
  await typeLine(repl, '(restart-case (error "stop") (go-on () :went-on))');
  await expect.poll(() => screenOf(repl)).toMatch(/CL-USER\[1\]> $/);
  await typeLine(repl, '0');
  await expect.poll(() => screenOf(repl)).toContain(':WENT-ON');
  const session = page.getByRole('region', { name: /^Session swank/ });
  await expect(session).toContainText(`Swank · ${address} · not sandboxed · CL-USER · you`);

  await show(page, 'Home');
  await expect(page.getByRole('region', { name: 'Engines' })).toContainText(`Swank${address}`);
  await show(page, 'Settings');
  const servers = page.getByRole('list', { name: 'Servers' });
  await expect(servers.getByRole('listitem')).toHaveText([new RegExp(address)]);
  const agent = await connectAgent(page, 'claude-code');
  const attach = () =>
    agent.callTool({ name: 'open_session', arguments: { attach: { kind: 'swank', port: server.port } } });
  expect(await attach()).toMatchObject({ structuredContent: { engine: 'swank', server: address } });
  await show(page, 'Settings');
  await servers.getByRole('button', { name: `Remove ${address}` }).click();
  await expect(servers).toBeHidden();
  const asked = attach();
  await page.getByRole('button', { name: 'Deny' }).click();
  expect((await asked).isError).toBe(true);
  await agent.close();

  await show(page, 'Sessions');
  await page.getByRole('row').filter({ hasText: 'you' }).click();
  await act(page, 'End session…');
  await expect(page.getByRole('dialog')).toContainText('The server keeps running');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^End swank/ })
    .click();
  await expect(session).toContainText('ended');
  expect(server.running).toBe(true);
  await server.stop();
});

test('a lost server is reported in its session', async ({ start }) => {
  const server = await SwankServer.start();
  const { page } = await start();
  await show(page, 'Sessions');
  await page.getByRole('button', { name: 'Attach…' }).click();
  await page.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  const session = page.getByRole('region', { name: /^Session swank/ });
  await expect(session).toBeVisible();
  await server.stop();
  await expect(session.getByRole('note')).toContainText(`127.0.0.1:${server.port}`);
});

// The app looks for Docker on the PATH that it was started with.
ownTest('a person starts a Lisply backend in a container', async ({ start, folders }) => {
  const docker = new StandInDocker();
  const { PATH } = process.env;
  process.env.PATH = docker.searchPath;
  const { page } = await start().finally(() => {
    process.env.PATH = PATH;
  });
  await show(page, 'Sessions');
  await page.getByRole('button', { name: 'Attach…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attach to a server' });
  await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Lisply in a container');
  await dialog.getByRole('textbox', { name: 'Image' }).fill('no/such-image');
  await dialog.getByRole('textbox', { name: 'Shared folders' }).fill('nowhere');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toContainText('Use /here:/there');
  await dialog.getByRole('textbox', { name: 'Shared folders' }).fill(`${folders.project}:/mnt/lighthouse`);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Unable to find image');
  await dialog.getByRole('textbox', { name: 'Image' }).fill('genworks/gendl');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toBeHidden();

  const repl = page.getByRole('region', { name: /^REPL of / });
  await asTerminal(repl);
  await expect.poll(() => screenOf(repl)).toMatch(/lisply> $/);
  await typeLine(repl, '(file-directory-p "/mnt/lighthouse")');
  await expect.poll(() => screenOf(repl)).toMatch(/^t$/m);
  const session = page.getByRole('region', { name: /^Session / });
  await expect(session.locator('[title*="docker run"]')).toContainText('confined by container');
  const agent = await connectAgent(page, 'claude-code');
  const opened = await agent.callTool({
    name: 'open_session',
    arguments: { attach: { kind: 'lisply', image: 'genworks/gendl' } },
  });
  expect(opened.isError).toBeFalsy();
  await agent.close();
  expect(docker.running).toHaveLength(2);
});
