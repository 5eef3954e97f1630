/** The window as a thing on the screen: its title, its place, hidden starts, second starts, closing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, expect } from '@playwright/test';
import { memoryOfAll } from '../processes';
import { answerQuestions, askToQuit, hideWindow, questions, shown } from './desktop';
import { appArguments, appEnvironment, electronBinary, type Folders, test } from './fixture';
import { test as sharedTest } from './shared-app';

/** Bytes that the harbor may take in an app without a window. */
const MOST_BESIDES = 60 * 1024 * 1024;

test('opens with its title, and reopens at its last position', async ({ start, folders }) => {
  const place = { x: 60, y: 80, width: 900, height: 640 };
  const first = await start();
  await expect(first.page).toHaveTitle('Lisp Harbor');
  expect(await shown(first.app)).toEqual([true]);
  await first.app.evaluate(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(bounds);
  }, place);
  await expect.poll(() => rememberedPlace(folders)).toMatchObject(place);
  await first.app.close();
  const second = await start();
  const bounds = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  expect(bounds).toEqual(place);
});

test('a hidden start has no window until it is asked for one', async ({ startHidden, folders }) => {
  const app = await startHidden();
  expect(await shown(app)).toEqual([]);
  const processes = await app.evaluate(({ app: electron }) =>
    electron.getAppMetrics().map(({ type }) => type),
  );
  expect(processes).toContain('Browser');
  expect(processes).not.toContain('Tab');
  expect(await startAgain(folders)).toBe(0);
  await expect.poll(() => shown(app)).toEqual([true]);
});

test('an app without a window takes little more memory than an Electron that does nothing', async ({
  startHidden,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bare-'));
  writeFileSync(path.join(folder, 'bare.cjs'), "require('electron').app.on('window-all-closed', () => {});");
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const bare = await _electron.launch({
    executablePath: await electronBinary(),
    args: [path.join(folder, 'bare.cjs'), ...asRoot, `--user-data-dir=${folder}`],
  });
  const app = await startHidden();
  const [ours, least] = [app, bare].map((each) => Number(each.process().pid));
  // Each takes its share of what both have. What was only needed to start is let go of after a while.
  await expect
    .poll(() => memoryOfAll(ours ?? 0) - memoryOfAll(least ?? 0), { timeout: 120_000 })
    .toBeLessThan(MOST_BESIDES);
  expect(await shown(app)).toEqual([]);
  await bare.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

sharedTest('a second start brings the first window to the front and ends', async ({ start, folders }) => {
  const { app } = await start();
  await hideWindow(app);
  await expect.poll(() => shown(app)).toEqual([false]);
  expect(await startAgain(folders)).toBe(0);
  await expect.poll(() => shown(app)).toEqual([true]);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a link leads to its place, in the window that is open and in a new one', async ({
  start,
  launch,
  folders,
}) => {
  const { app, page } = await start();
  expect(await startAgain(folders, ['lisp-harbor://settings'])).toBe(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await app.close();
  const again = await launch({ options: ['lisp-harbor://history'] });
  const opened = await again.firstWindow();
  await expect(opened.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
});

test('closing it quits where no tray could bring it back', async ({ start }) => {
  const { app } = await start();
  const ended = once(app.process(), 'exit');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await ended).toEqual([0, null]);
});

test('closing it asks first when that ends sessions', async ({ start }) => {
  const { app, page } = await start();
  await answerQuestions(app, 'Keep open');
  const opened = await page.evaluate(() => window.bridge.invoke('sessions:open', {}));
  expect(opened.ok).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => questions(app)).toEqual([expect.stringContaining('ends 1 session')]);
  expect(await shown(app)).toEqual([true]);
});

test('quits although its page hangs', async ({ start }) => {
  const { app, page } = await start();
  const spinning = page.waitForEvent('console', (message) => message.text() === 'spinning');
  await page.evaluate(() => {
    setTimeout(() => {
      console.log('spinning');
      for (;;);
    });
  });
  await spinning;
  const ended = once(app.process(), 'exit');
  await askToQuit(app);
  expect(await ended).toEqual([0, null]);
});

sharedTest('the menu has no developer tools', async ({ start }) => {
  const { app } = await start();
  const roles = await app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items.map(({ role }) => role) ?? []),
  );
  expect(roles).toContain('copy');
  expect(roles).toContain('quit');
  expect(roles).not.toContain('toggledevtools');
  expect(roles).not.toContain('reload');
});

function rememberedPlace({ data }: Folders): unknown {
  const file = `${data}/electron/window.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Starts the app once more on the same folders; answers the exit code of that process. */
async function startAgain(folders: Folders, words: readonly string[] = []): Promise<number | null> {
  const second = spawn(await electronBinary(), appArguments(folders, words), {
    env: appEnvironment(folders),
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => second.on('exit', resolve).on('error', reject));
}
