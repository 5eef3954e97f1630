/** Rows of MCP-nREPL that a person sees: the REPL of a Clojure, and how the connection to a server is. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { answerSaveDialog } from '../e2e/desktop';
import { test } from '../e2e/shared-app';
import { act, asTerminal, openSession, screenOf, show, typeLine } from '../e2e/steps';
import { NreplServer, STARTING_MS } from '../nrepl-server';

/** Fills in the dialog that asks for a server. */
async function attach(page: Page, port: number): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Attach to a server' });
  await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('nREPL');
  await dialog.getByRole('textbox', { name: 'Port' }).fill(String(port));
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
}

test('S4-32 S4-33 S4-34 S4-35 S4-73 the window shows the connection’s state, and what to check when there is none', async ({
  start,
  folders,
}) => {
  test.setTimeout(STARTING_MS);
  const first = await NreplServer.onNbb(folders.home);
  const { page } = await start();
  await show(page, 'Sessions');
  await page.getByRole('button', { name: 'Attach…' }).click();
  await attach(page, 1);
  const checks = page.getByRole('dialog').getByRole('alert');
  await expect(checks).toContainText('No server answers at 127.0.0.1:1');
  await expect(checks).toContainText('the server is running');
  await expect(checks).toContainText('.nrepl-port in the project contains its port');
  await expect(checks).toContainText('pass its host and port');
  await attach(page, first.port);

  const session = page.getByRole('region', { name: /^Session nrepl/ });
  const head = session.locator('header');
  await expect(head).toContainText('connected');
  const repl = page.getByRole('region', { name: /^REPL of nrepl/ });
  await asTerminal(repl);
  await typeLine(repl, '(def kept 41)');
  await expect.poll(() => screenOf(repl)).toContain("#'user/kept");

  await first.stop();
  await expect(head).toContainText('failed, retrying');
  await expect(session.getByRole('note')).toContainText('Reconnecting automatically');
  await expect(session.getByRole('note')).toContainText('.nrepl-port');
  const second = await NreplServer.onNbb(folders.home, first.port);
  await expect(head).toContainText('connected');
  await expect(head).toContainText('generation 2');
  await typeLine(repl, '(inc 1)');
  await expect.poll(() => screenOf(repl)).toContain('\n2\n');

  await act(page, 'End session…');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^End nrepl/ })
    .click();
  await expect(head).toContainText('disconnected');
  expect(second.running).toBe(true);
  await second.stop();
});

test('S4-85 a REPL of Clojure in xterm, whose start-up is shown, and one of nbb', async ({ start }) => {
  test.setTimeout(2 * STARTING_MS);
  const { page } = await start();
  const [repl] = await Promise.all([
    openSession(page, 'Clojure'),
    expect(
      page
        .getByRole('status')
        .filter({ hasText: /starting a JVM…|waiting for its nREPL…/ })
        .first(),
    ).toBeVisible(),
  ]);
  await expect.poll(() => screenOf(repl)).toMatch(/^user=> $/m);
  await typeLine(repl, '(def boats [:a :b]) (count boats)');
  await expect.poll(() => screenOf(repl)).toMatch(/#'user\/boats\n2\nuser=> $/);
  await typeLine(repl, '(ns harbor.quay)');
  await expect.poll(() => screenOf(repl)).toMatch(/harbor\.quay=> $/);
  await typeLine(repl, '(/ 1 0)');
  await expect.poll(() => screenOf(repl)).toContain('Divide by zero');
  const embedded = await openSession(page, 'nbb');
  await typeLine(embedded, '(map inc [1 2])');
  await expect.poll(() => screenOf(embedded)).toContain('(2 3)');
});

test('S4-86 S4-87 VS Code is connected, and the line for Claude Code is shown', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  await show(page, 'Clients');
  await page.getByRole('button', { name: /^Show \d+ (?:more )?that are not installed$/ }).click();
  await page.getByRole('button', { name: 'Connect VS Code' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('.vscode/mcp.json');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('listitem', { name: 'VS Code' })).toContainText('connected');
  const file = path.join(folders.home, '.config/Code/User/mcp.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    servers: { lisp: { type: 'stdio', args: expect.arrayContaining(['--client', 'vscode']) } },
  });
  await page.getByRole('button', { name: 'More actions for Claude Code' }).click();
  await page.getByRole('menuitem', { name: 'Snippet' }).click();
  await expect(dialog).toContainText('claude mcp add --scope user lisp -- ');
});

test('S4-88 what was evaluated in a session is exported as a Jupyter notebook', async ({
  start,
  folders,
}) => {
  const { app, page } = await start();
  const repl = await openSession(page, 'nbb');
  await typeLine(repl, '(do (println "hi") (+ 1 2))');
  await expect.poll(() => screenOf(repl)).toContain('hi\n3');
  await typeLine(repl, '(throw (js/Error. "sunk"))');
  // The code itself has the message: the condition is what stands between it and the prompt.
  await expect.poll(() => screenOf(repl)).toMatch(/\n[^(]*sunk[^(]*=> $/);
  const file = path.join(folders.project, 'day.ipynb');
  await answerSaveDialog(app, file);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Export as notebook…' }).click();
  await expect(page.getByText(`2 evaluations written to ${file}.`)).toBeVisible();
  const { nbformat, metadata, cells } = JSON.parse(readFileSync(file, 'utf8'));
  expect({ nbformat, language: metadata.language_info.name }).toEqual({ nbformat: 4, language: 'clojure' });
  expect(cells).toMatchObject([
    {
      cell_type: 'code',
      source: '(do (println "hi") (+ 1 2))',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'hi\n' },
        { output_type: 'execute_result', data: { 'text/plain': '3' } },
      ],
    },
    { outputs: [{ output_type: 'error', ename: 'Error', evalue: 'sunk' }] },
  ]);
});
