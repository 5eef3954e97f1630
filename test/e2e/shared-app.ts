/**
 * One app for the tests of a worker, as `start` answers it, for files whose tests need no start of their own: what one has left is
 * taken away before the next, all but its history. After a test that failed there is another worker, and so another app.
 */
import { mkdirSync, rmSync } from 'node:fs';
import type { Rectangle } from 'electron';
import type { Reply } from '../../electron/contract/contract';
import type { Settings } from '../../electron/contract/settings';
import {
  test as base,
  type Folders,
  isDrawn,
  launchApp,
  makeFolders,
  openWindow,
  type Running,
} from './fixture';

const NOT_OWN = 'The app that tests share has been started already: a test with options has one of its own.';

/** As the app was when it had started. */
interface Initial {
  bounds: Rectangle;
  settings: Settings;
}

class SharedApp {
  readonly folders: Folders;
  readonly #remove: () => void;
  #opened: { running: Running; initial: Initial; end: () => Promise<void> } | undefined;

  constructor() {
    ({ folders: this.folders, remove: this.#remove } = makeFolders());
  }

  async open(): Promise<Running> {
    this.#opened ??= await this.#start();
    return this.#opened.running;
  }

  /** Takes away what a test has left. */
  async tidy(): Promise<void> {
    if (this.#opened) await tidy(this.#opened.running, this.#opened.initial);
    rmSync(this.folders.project, { recursive: true });
    mkdirSync(this.folders.project);
  }

  async end(): Promise<void> {
    await this.#opened?.end();
    this.#remove();
  }

  async #start() {
    const { app, end } = await launchApp(this.folders);
    const running = await openWindow(app);
    return { running, initial: await look(running), end };
  }
}

export const test = base.extend<{ tidied: undefined }, { shared: SharedApp }>({
  shared: [
    async ({ display: _ }, use) => {
      const shared = new SharedApp();
      await use(shared);
      await shared.end();
    },
    { scope: 'worker' },
  ],
  tidied: [
    async ({ shared }, use, info) => {
      await use(undefined);
      if (info.status === info.expectedStatus) await shared.tidy();
    },
    { auto: true },
  ],
  folders: async ({ packaged, folders, shared }, use) => use(packaged ? folders : shared.folders),
  start: async ({ packaged, start, shared }, use) =>
    use(packaged ? start : (how) => (how ? Promise.reject(new Error(NOT_OWN)) : shared.open())),
});

async function look({ app, page }: Running): Promise<Initial> {
  const bounds = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  const settings = await page.evaluate(() => window.bridge.invoke('settings:read', null));
  if (bounds === undefined || !settings.ok) throw new Error('The app cannot be asked how it is.');
  return { bounds, settings: settings.value };
}

async function tidy({ app, page }: Running, { bounds, settings }: Initial): Promise<void> {
  await app.evaluate(({ BrowserWindow }, all) => BrowserWindow.getAllWindows()[0]?.setBounds(all), bounds);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null });
  await page.evaluate(async (initial) => {
    const { invoke } = window.bridge;
    const done = async <Value>(call: Promise<Reply<Value>>): Promise<Value> => {
      const reply = await call;
      if (!reply.ok) throw new Error(reply.message);
      return reply.value;
    };
    const sessions = await done(invoke('sessions:list', null));
    for (const { id } of sessions) await done(invoke('sessions:close', { session: id }));
    const checkpoints = await done(invoke('checkpoints:list', null));
    for (const { id } of checkpoints) await done(invoke('checkpoints:drop', { id }));
    for (const { id } of await done(invoke('tokens:list', null))) await done(invoke('tokens:revoke', { id }));
    await done(invoke('approvals:pause', { paused: false }));
    await done(invoke('settings:change', initial));
    localStorage.clear();
    location.hash = '';
  }, settings);
  await page.reload();
  await isDrawn(page);
}
