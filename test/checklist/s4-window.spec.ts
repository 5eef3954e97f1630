/** Rows of MCP-nREPL that a person sees: the REPL of a Clojure, and how the connection to a server is. */
import { expect, type Page } from '@playwright/test';
import { test } from '../e2e/fixture';
import { openSession, screenOf, show, typeLine } from '../e2e/steps';
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
  await expect(checks).toContainText('the server runs');
  await expect(checks).toContainText('.nrepl-port in the project names its port');
  await expect(checks).toContainText('give its host and port');
  await attach(page, first.port);

  const session = page.getByRole('region', { name: /^Session nrepl/ });
  const head = session.locator('header');
  await expect(head).toContainText('connected');
  const repl = page.getByRole('region', { name: /^REPL of nrepl/ });
  await typeLine(repl, '(def kept 41)');
  await expect.poll(() => screenOf(repl)).toContain("#'user/kept");

  await first.stop();
  await expect(head).toContainText('failed, retrying');
  await expect(session.getByRole('note')).toContainText('It is tried again by itself');
  await expect(session.getByRole('note')).toContainText('.nrepl-port');
  const second = await NreplServer.onNbb(folders.home, first.port);
  await expect(head).toContainText('connected');
  await expect(head).toContainText('generation 2');
  await typeLine(repl, '(inc 1)');
  await expect.poll(() => screenOf(repl)).toContain('\n2\n');

  await head.getByRole('button', { name: 'End session…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^End nrepl/ })
    .click();
  await expect(head).toContainText('disconnected');
  expect(second.running).toBe(true);
  await second.stop();
});

test('S4-85 a REPL of Clojure in xterm, whose start-up is shown, and one of nbb', async ({ start }) => {
  test.setTimeout(STARTING_MS);
  const { page } = await start();
  const [repl] = await Promise.all([
    openSession(page, 'Clojure'),
    expect(
      page.getByRole('status').filter({ hasText: /starting a JVM…|waiting for its nREPL…/ }),
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
