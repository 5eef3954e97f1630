/** The tray icon over D-Bus, as a desktop's panel speaks to it. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { test as base } from './fixture';
import { TrayHost } from './tray-host';

const test = base.extend<{ tray: TrayHost }>({
  // The app looks for a tray when it starts, so this comes first.
  tray: [
    async ({ browserName: _ }, use) => {
      const tray = await TrayHost.start();
      await use(tray);
      tray.stop();
    },
    { auto: true },
  ],
});

test('shows an icon with the endpoint, which it copies, pauses agents, brings back a hidden window, and quits', async ({
  startHidden,
  tray,
}) => {
  const app = await startHidden();
  const labels = async () => (await tray.entries()).map(({ label }) => label);
  await expect.poll(() => tray.icons).toBe(1);
  await expect.poll(() => tray.iconWidth()).toBeGreaterThan(0);
  await expect
    .poll(labels)
    .toEqual([
      'Show window',
      'No sessions',
      'Pause all agents',
      expect.stringMatching(/^Copy http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      'Quit',
    ]);
  await tray.press('Copy');
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  await tray.press('Pause all agents');
  await expect.poll(labels).toContain('Resume agents');
  await tray.press('Resume agents');
  await expect.poll(labels).toContain('Pause all agents');
  const visible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
  expect(await visible()).toBe(false);
  await tray.press('Show window');
  await expect.poll(visible).toBe(true);
  const ended = once(app.process(), 'exit');
  await tray.press('Quit');
  expect(await ended).toEqual([0, null]);
});

test('speaks the language that a person chose', async ({ startHidden, folders, tray }) => {
  writeFileSync(`${folders.data}/settings.json`, JSON.stringify({ language: 'ja' }));
  await startHidden();
  await expect
    .poll(async () => (await tray.entries()).map(({ label }) => label))
    .toEqual([
      'ウインドウを表示',
      'セッションなし',
      '全エージェントを一時停止',
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp をコピー$/),
      '終了',
    ]);
});

test('keeps the harbor when the window is closed, and counts what quitting ends', async ({ start, tray }) => {
  const { app, page } = await start();
  await expect.poll(() => tray.icons).toBe(1);
  const opened = await page.evaluate(() => window.bridge.invoke('sessions:open', {}));
  expect(opened.ok).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  const windows = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  await expect.poll(windows).toBe(0);
  const labels = async () => (await tray.entries()).map(({ label }) => label);
  await expect.poll(labels).toContain('Quit (ends 1 session)');
  await tray.press('Show window');
  await expect.poll(windows).toBe(1);
});

test('ends with its window where a person wants that', async ({ start, folders }) => {
  writeFileSync(`${folders.data}/settings.json`, JSON.stringify({ keepRunning: false }));
  const { app } = await start();
  const ended = once(app.process(), 'exit');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await ended).toEqual([0, null]);
});
