/**
 * Starts the built app as a person would, on folders of its own: data, project and home. What a test starts is
 * ended after it, also when it fails.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test';
import { type InstalledWindow, openInstalled } from '../package/installed-window';
import { Nobody } from '../package/nobody';
import { ensureInstalled } from '../package/package-files';
import { shareCores, shareCoresWith } from '../shared-cores';
import { shown } from './desktop';
import { Display } from './display';
import { END_LIMIT_MS, endApp } from './end-app';
import { NotificationHost } from './notification-host';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Folders {
  data: string;
  project: string;
  home: string;
}

export interface Start {
  /** More options for the app, such as `--unconfined`. */
  options?: readonly string[];
  /** More of the environment. */
  env?: Readonly<Record<string, string>>;
}

export interface Running {
  app: ElectronApplication;
  page: Page;
  /** Ends it as when the computer is shut down: nobody is asked. */
  end: () => Promise<void>;
}

/** Whoever starts the app. */
export interface User {
  /** A program and its arguments, run by this user. */
  command(...words: string[]): [string, ...string[]];
  /** Gives this user a file, or a folder with all that is in it. */
  own(file: string): void;
}

interface Fixtures {
  /** Whether what is installed is started, by somebody who is nobody, instead of what is built here. Its `app` is out of reach. */
  packaged: boolean;
  user: User;
  folders: Folders;
  launch: (how?: Start) => Promise<ElectronApplication>;
  /** Starts the app; a second call after `app.close()` is a restart on the same folders. */
  start: (how?: Start) => Promise<Running>;
  /** Starts it without a window; answers once its harbor can be reached. */
  startHidden: () => Promise<ElectronApplication>;
  /** What shows the app's notifications. */
  notifications: NotificationHost;
}

export const test = base.extend<Fixtures, { display: Display | undefined }>({
  packaged: [false, { option: true }],
  display: [
    // Playwright reads the names of a fixture's needs from its first parameter and accepts nothing but a pattern.
    async ({ browserName: _ }, use, { parallelIndex }) => {
      const display = await Display.take(parallelIndex);
      await use(display);
      await display?.leave();
    },
    { scope: 'worker', auto: true },
  ],
  user: async ({ packaged }, use) => {
    const nobody = packaged ? await Nobody.take() : undefined;
    await use(nobody ?? OURSELVES);
    nobody?.end();
  },
  folders: async ({ browserName: _ }, use) => {
    const { folders, remove } = makeFolders();
    await use(folders);
    remove();
  },
  launch: [
    async ({ folders }, use) => {
      const ends: (() => Promise<void>)[] = [];
      await use(async (how) => {
        const { app, end } = await launchApp(folders, how);
        ends.push(end);
        return app;
      });
      await Promise.all(ends.map((end) => end()));
    },
    // Of its own, so that a test that took all its time still leaves some to end what it started.
    { timeout: 3 * END_LIMIT_MS },
  ],
  start: async ({ launch, user, folders }, use) => {
    if (user instanceof Nobody) return startInstalled(user, folders, use);
    await use(async (how) => openWindow(await launch(how)));
  },
  startHidden: async ({ launch, folders }, use) => {
    await use(async () => {
      const app = await launch({ options: ['--hidden'] });
      await expect.poll(() => isReached(folders)).toBe(true);
      return app;
    });
  },
  notifications: async ({ browserName: _ }, use) => {
    const notifications = await NotificationHost.start();
    await use(notifications);
    notifications.stop();
  },
});

/** Folders for an app that nobody has used. */
export function makeFolders(): { folders: Folders; remove: () => void } {
  const root = mkdtempSync(path.join(tmpdir(), 'harbor-'));
  const folders = { data: `${root}/data`, project: `${root}/lighthouse`, home: `${root}/home` };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  shareCores(folders.data);
  return { folders, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 10 }) };
}

/** Starts the built app; `end` ends it, whatever state it is in. */
export async function launchApp(
  folders: Folders,
  { options = [], env = {} }: Start = {},
): Promise<{ app: ElectronApplication; end: () => Promise<void> }> {
  const app = await _electron.launch({
    executablePath: await electronBinary(),
    args: appArguments(folders, options),
    env: { ...appEnvironment(folders), ...env },
    cwd: folders.project,
    // Playwright forces the light scheme unless told that none is wanted; the app's own setting decides.
    colorScheme: null,
  });
  // Taken now: an app that has ended does not tell its process any more.
  const child = app.process();
  return { app, end: () => endApp(app, child) };
}

/** Answers when both the window and the harbor are there. */
export async function openWindow(app: ElectronApplication): Promise<Running> {
  const page = await app.firstWindow();
  await isDrawn(page);
  // A page is drawn before its window is shown.
  await expect.poll(() => shown(app)).toEqual([true]);
  return { app, page, end: () => endBySignal(app) };
}

/** The window is there before the harbor; tests begin with both. */
export async function isDrawn(page: Page): Promise<void> {
  await page.getByRole('main').waitFor();
  await page.evaluate(() => window.bridge.invoke('harbor:status', null));
}

const OURSELVES: User = {
  command: (program = '', ...args) => [program, ...args],
  own: () => undefined,
};

async function endBySignal(app: ElectronApplication): Promise<void> {
  const child = app.process();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The fixture `start` of the installed app. */
async function startInstalled(
  nobody: Nobody,
  folders: Folders,
  use: (start: Fixtures['start']) => Promise<void>,
): Promise<void> {
  ensureInstalled();
  const opened: InstalledWindow[] = [];
  shareCoresWith(nobody, folders.data);
  await use(async ({ options = [], env = {} } = {}) => {
    nobody.own(path.dirname(folders.data));
    const places = { ...folders, env: { ...appEnvironment(folders), ...env } };
    const running = await openInstalled(nobody, places, options);
    opened.push(running);
    return {
      ...running,
      get app(): never {
        throw new Error('The installed app takes no debugger but its page’s.');
      },
    };
  });
  await Promise.all(opened.map(({ end }) => end()));
}

/** Whether the socket is there that the lock names. */
function isReached({ data }: Folders): boolean {
  const lock = `${data}/harbor.lock`;
  if (!existsSync(lock)) return false;
  const { socket } = JSON.parse(readFileSync(lock, 'utf8')) as { socket: string };
  return existsSync(socket);
}

/** The command line of a start on these folders; also for starting a second app beside the first. */
export function appArguments({ data, project }: Folders, options: readonly string[]): string[] {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // The displays of tests have no GPU; imitating one costs a quarter of a start.
  const withoutGpu = process.platform === 'linux' ? ['--disable-gpu'] : [];
  const ours = ['--data', data, '--port', '0', '--project', project];
  return [ROOT, ...asRoot, ...withoutGpu, '--password-store=basic', ...ours, ...options];
}

/** The environment of a start: nothing of the home folder of whoever runs the tests is read or written. */
export function appEnvironment({ home, data }: Folders): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env;
  const folders = {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_RUNTIME_DIR: data,
  };
  return { ...(inherited as Record<string, string>), ...folders };
}

export async function electronBinary(): Promise<string> {
  const setup = (await import(pathToFileURL(`${ROOT}/resources/setup/electron.mjs`).href)) as {
    electronBinary: (root: string) => string | undefined;
  };
  const binary = setup.electronBinary(ROOT);
  if (binary === undefined) throw new Error('There is no Electron here yet: npm start fetches it.');
  return binary;
}
