/** The installed app with its window, started by somebody who is nobody. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import type { Nobody } from './nobody';
import { APP } from './package-files';

export interface InstalledWindow {
  page: Page;
  /** Ends the app as at the end of a day: nobody is asked. */
  end: () => Promise<void>;
  /** Waits until it has ended by itself. */
  ended: () => Promise<void>;
}

export interface Places {
  /** Of the app that is started, unless it is the installed one. */
  app?: string;
  data: string;
  /** Also the working directory. */
  project: string;
  env: Readonly<Record<string, string>>;
}

/** Opens the window on the display of the tests. A fused app takes no debugger but the page's own. */
export async function openInstalled(
  somebody: Pick<Nobody, 'folder' | 'command' | 'own'>,
  { app = APP, data, project, env }: Places,
  options: readonly string[] = [],
): Promise<InstalledWindow> {
  const authority = path.join(somebody.folder, 'xauthority');
  copyFileSync(process.env.XAUTHORITY ?? '', authority);
  somebody.own(authority);
  // That of a start before.
  rmSync(toldIn(data), { force: true });
  const [program, ...args] = somebody.command(app, '--remote-debugging-port=0', '--password-store=basic');
  const ours = ['--data', data, '--port', '0', '--project', project];
  const child = spawn(program, [...args, ...ours, ...options], {
    cwd: project,
    env: { ...env, DISPLAY: process.env.DISPLAY, XAUTHORITY: authority },
    stdio: 'inherit',
  });
  const { browser, page } = await attach(data);
  return {
    page,
    ended: () => ended(child),
    end: async () => {
      await browser.close();
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}

/** The window of the app that runs on this data folder. */
export async function attach(data: string): Promise<{ browser: Browser; page: Page }> {
  const { browser, page } = await reached(data);
  // Playwright forces the light scheme unless told that none is wanted; the app's own setting decides.
  await page.emulateMedia({ colorScheme: null });
  await page.getByRole('main').waitFor();
  await page.evaluate(() => window.bridge.invoke('harbor:status', null));
  return { browser, page };
}

async function reached(data: string): Promise<{ browser: Browser; page: Page }> {
  let browser: Browser | undefined;
  // What an app that has ended told stands there until the next one tells.
  await expect(async () => {
    const [port] = readFileSync(toldIn(data), 'utf8').split('\n');
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    expect(browser.contexts()[0]?.pages()).toHaveLength(1);
  }).toPass({ timeout: 120_000 });
  const [page] = browser?.contexts()[0]?.pages() ?? [];
  if (browser === undefined || page === undefined) throw new Error('The window has no page.');
  return { browser, page };
}

/** The file in which the page's debugger says where it listens. */
const toldIn = (data: string) => path.join(data, 'electron/DevToolsActivePort');

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
