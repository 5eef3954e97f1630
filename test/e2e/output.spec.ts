/** What code prints reaches the window while it runs: all of it where the page keeps up, and the end of it always, also after the page was gone. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ElectronApplication, expect, type Locator } from '@playwright/test';
import { BATCH_LIMIT, MAX_IN_TRANSIT } from '../../electron/shell/window-events';
import { type Folders, test as ownTest } from './fixture';
import { test } from './shared-app';
import { block, enterForm, openBlocks } from './steps';

/** Prints far more than is ever on its way to a page, and then stays until the file `calm` is there. */
function waves({ project }: Folders, name: string): string {
  const flood = `(dotimes (i 40000) (format t "~a ~d~%" '${name} i))`;
  return `(progn ${until(project, 'begin')} ${flood} (format t "the last ${name}~%") (finish-output) ${made(project, 'flooded')} ${until(project, 'calm')} '${name}s)`;
}

const until = (project: string, name: string) =>
  `(loop until (probe-file "${path.join(project, name)}") do (sleep 0.05))`;

const made = (project: string, name: string) =>
  `(close (open "${path.join(project, name)}" :direction :output :if-exists :supersede))`;

const touch = ({ project }: Folders, name: string) => writeFileSync(path.join(project, name), '');

const rendererOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);

/** What an evaluation that runs has printed last. */
const printing = (repl: Locator, code: string) => block(repl, code).locator('[data-output] .xterm-rows');

test('the end of a flood is seen while its code still runs', async ({ start, folders }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  touch(folders, 'begin');
  await enterForm(repl, waves(folders, 'wave'));
  await expect(printing(repl, 'waves')).toContainText('the last wave');
  touch(folders, 'calm');
  await expect(block(repl, 'waves').getByRole('list', { name: 'Values' })).toHaveText('WAVES');
});

/** What running evaluations have printed, as the page shows it. */
async function printed(app: ElectronApplication): Promise<string> {
  const rows = `[...document.querySelectorAll('[data-output] .xterm-rows')].map((rows) => rows.innerText).join('')`;
  const text = await app.evaluate(
    ({ BrowserWindow }, code) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code) as Promise<string>,
    rows,
  );
  return text.replaceAll('\u00a0', ' ');
}

/** Counts the characters of output that main sends from now on. */
async function countSent(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    const counted = { sent: 0 };
    Object.assign(globalThis, { counted });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (!contents) return;
    const send = contents.send.bind(contents);
    contents.send = (event, ...args) => {
      if (event.endsWith(':output')) counted.sent += (args[0] as { text: string }).text.length;
      send(event, ...args);
    };
  });
}

const sent = (app: ElectronApplication): Promise<number> =>
  app.evaluate(() => (globalThis as unknown as { counted: { sent: number } }).counted.sent);

/** Has the page fall far behind what an evaluation prints; answers its process, which is stopped. */
async function leftBehind(app: ElectronApplication, folders: Folders, repl: Locator): Promise<number> {
  await enterForm(repl, waves(folders, 'wave'));
  await expect(block(repl, 'waves')).toBeVisible();
  const renderer = await rendererOf(app);
  await countSent(app);
  process.kill(renderer, 'SIGSTOP');
  touch(folders, 'begin');
  await expect.poll(() => existsSync(path.join(folders.project, 'flooded'))).toBe(true);
  // What it has not shown waits in main.
  expect(await sent(app)).toBeLessThan(MAX_IN_TRANSIT + 2 * BATCH_LIMIT);
  return renderer;
}

test('a page that was far behind and is loaded anew shows the end, and all that is printed then', async ({
  start,
  folders,
}) => {
  const { app, page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  process.kill(await leftBehind(app, folders, repl), 'SIGCONT');
  await page.reload();
  await expect(printing(repl, 'waves')).toContainText('the last wave');
  touch(folders, 'calm');
  await expect(block(repl, 'waves').getByRole('list', { name: 'Values' })).toHaveText('WAVES');
  rmSync(path.join(folders.project, 'calm'));
  await enterForm(repl, waves(folders, 'tide'));
  await expect(printing(repl, 'tides')).toContainText('the last tide');
  touch(folders, 'calm');
});

// Playwright cannot use an app again whose page has crashed.
ownTest('a page that crashed far behind the output comes back with its end', async ({ start, folders }) => {
  const { app, page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  const crashed = await leftBehind(app, folders, repl);
  process.kill(crashed, 'SIGKILL');
  // Playwright gives a page up that crashed, so main looks at it.
  await expect.poll(() => rendererOf(app)).not.toBe(crashed);
  await expect.poll(() => printed(app)).toContain('the last wave');
  touch(folders, 'calm');
  await expect.poll(() => printed(app)).not.toContain('the last wave');
});
