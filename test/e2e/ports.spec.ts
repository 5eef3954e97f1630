/** A person sees each port that is open, who may come in by it, and how to connect. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from '@playwright/test';
import { makeCertificate } from '../certificate';
import { temporaryFolder } from '../started-harbor';
import { TelnetClient } from '../telnet-client';
import { connectAgent } from './agent';
import { openWindow, test } from './fixture';
import { test as sharedTest } from './shared-app';
import { show } from './steps';

test('the window shows the ports of TCP, telnet and HTTPS, and the code of the time', async ({ start }) => {
  const folder = temporaryFolder('certificate');
  const { cert, key } = makeCertificate(folder, 'own');
  const secure = ['--https-port', '0', '--cert', cert, '--key', key];
  const { page } = await start({ options: ['--tcp-port', '0', '--telnet-port', '0', ...secure] });

  await page.getByRole('link', { name: 'TCP port open' }).click();
  const tcp = page.getByRole('region', { name: 'MCP over TCP' });
  await expect(tcp.getByText(/^127\.0\.0\.1:\d+$/)).toBeVisible();
  await expect(tcp).toContainText('without a token');
  await expect(page.getByRole('region', { name: 'Endpoint' })).toContainText(/https:\/\/localhost:\d+\/mcp/);

  await page.getByRole('link', { name: 'Telnet port open' }).click();
  const telnet = page.getByRole('region', { name: 'Telnet' });
  const command = await telnet.getByText(/^telnet 127\.0\.0\.1 \d+$/).innerText();
  const code = telnet.getByText(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  const first = await code.innerText();

  const client = new TelnetClient(Number(command.split(' ')[2]));
  await client.until('Code: ');
  client.type(first);
  await client.until('* ');
  await expect(telnet).toContainText('1 connection');
  await expect(code).not.toHaveText(first);
  client.close();
  await expect(telnet).toContainText('0 connections');
  rmSync(folder, { recursive: true, force: true });
});

sharedTest('closed ports have no link', async ({ start }) => {
  const { page } = await start();
  await show(page, 'Home');
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText(/Listening\s*127\.0\.0\.1:\d+/);
  for (const name of ['TCP port open', 'Telnet port open', 'Lisply port open'])
    await expect(page.getByRole('link', { name })).toBeHidden();
  await expect(page.getByText('ACL2 Bridge')).toBeHidden();
});

test('a port of another program is reported, with a button that takes a free port', async ({ launch }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { page } = await openWindow(await launch({ options: ['--port', String(port)] }));
  await show(page, 'Home');
  const told = page.getByRole('alert').filter({ hasText: String(port) });
  await expect(told).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Not listening');
  await told.getByRole('button', { name: 'Use a free port' }).click();
  await expect(told).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText(/Listening\s*127\.0\.0\.1:\d+/);
  const agent = await connectAgent(page, 'codex');
  expect((await agent.listTools()).tools.length).toBeGreaterThan(0);
  await agent.close();
  other.close();
});
