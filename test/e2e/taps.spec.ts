/** A person watches what Clojure taps while it goes on, an agent's or a server's, looks into a value, and clears the list. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { NreplServer, STARTING_MS } from '../nrepl-server';
import { Agent } from './agent';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './shared-app';
import { chooseTheme, openPane, show, showSessionTab, someThemes } from './steps';

test('what an agent taps appears while it runs, and leads into the inspector', async ({ start }) => {
  test.setTimeout(240_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const agent = await Agent.connect(page, 'navigator', { engine: 'clojure', name: 'passage' });
  await agent.evaluate('(+ 1 2)');
  const open = () => showSessionTab(page, 'passage', 'Taps');
  await open();
  await expect(page.getByText('No taps yet')).toBeVisible();
  await examine(page, 'no taps');

  await agent.evaluate('(tap> {:ship :kea :draught 4}) (tap> [1 2 3]) (tap> (vec (range 500)))');
  const taps = page.getByRole('list', { name: 'Tapped values' }).getByRole('listitem');
  await expect(taps).toHaveCount(3);
  await expect(taps.nth(2)).toContainText('{:ship :kea, :draught 4}');
  for (const theme of someThemes('taps')) {
    await chooseTheme(page, theme);
    await open();
    await expect(taps).toHaveCount(3);
    await examine(page, `taps, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await open();
  await expect(taps).toHaveCount(3);
  await examine(page, 'taps, narrow');

  await taps.nth(2).getByRole('button', { name: /:kea/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Inspector' })).toContainText(':draught');
  await openPane(page, 'Taps');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.getByText('No taps yet')).toBeVisible();
  await agent.close();
});

test('of a server that was attached, what anybody there taps is told from the first look on', async ({
  start,
}) => {
  test.setTimeout(STARTING_MS);
  const folder = mkdtempSync(path.join(tmpdir(), 'taps-'));
  const server = await NreplServer.onJava(folder);
  const evaluate = (code: string) => evaluateThere(server.port, code);
  const { page } = await start();
  await show(page, 'Sessions');
  await page.getByRole('button', { name: 'Attach…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attach to a server' });
  await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('nREPL');
  await dialog.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(dialog).toBeHidden();

  await evaluate('(tap> :before-anybody-looked)');
  await showSessionTab(page, 'nrepl', 'Taps');
  await expect(page.getByText('from the first time that you open this tab')).toBeVisible();
  await evaluate('(tap> {:moored :kea}) (tap> (vec (range 500)))');
  const taps = page.getByRole('list', { name: 'Tapped values' }).getByRole('listitem');
  await expect(taps).toHaveCount(2);
  await expect(taps.nth(1)).toContainText('{:moored :kea}');
  await taps.nth(1).getByRole('button', { name: /:kea/ }).click();
  await expect(page.getByRole('region', { name: 'Inspector' })).toContainText(':moored');
  await openPane(page, 'Taps');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.getByText('No taps yet')).toBeVisible();
  await evaluate('(tap> :after)');
  await expect(taps).toHaveText([/^:after/]);

  await server.stop();
  rmSync(folder, { recursive: true });
});

/** As somebody who works there beside us does it, over a connection of their own; settles when it is done. */
async function evaluateThere(port: number, code: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').write(`d2:op4:eval4:code${code.length}:${code}e`);
  for (let said = ''; !said.includes('4:done'); ) said += String(await once(socket, 'data'));
  socket.destroy();
}
