/**
 * One app for the tests of a worker, as `start` answers it, for files whose tests need no start of their own: what one has left is
 * taken away before the next, all but its history. After a test that failed there is another worker, and so another app.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
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
    const { home, project } = this.folders;
    for (const name of readdirSync(home)) rmSync(path.join(home, name), { recursive: true });
    rmSync(project, { recursive: true });
    mkdirSync(project);
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
  await app.evaluate(({ BrowserWindow }, all) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.webContents.setZoomFactor(1);
    window?.setBounds(all);
  }, bounds);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
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
    for (const { name, state } of await done(invoke('connect:list', null))) {
      // What a program has dropped itself can be removed only once it is there again.
      if (state === 'dropped') await done(invoke('connect:add', { name }));
      if (['connected', 'dropped', 'moved', 'outdated'].includes(state))
        await done(invoke('connect:remove', { name }));
    }
    for (const client of Object.keys((await done(invoke('profiles:list', null))).chosen))
      await done(invoke('profiles:choose', { client, profile: null }));
    for (const { id } of await done(invoke('tokens:list', null))) await done(invoke('tokens:revoke', { id }));
    await done(invoke('approvals:pause', { paused: false }));
    await done(invoke('settings:change', initial));
    for (const need of (await done(invoke('needs:read', null))).needs) {
      if (need.kind === 'refused') await done(invoke('needs:dismiss', { id: need.refusal.id }));
      if (need.kind === 'repository')
        await done(invoke('needs:dismissAppeared', { project: need.project, path: need.path }));
      if (need.kind === 'places')
        await done(invoke('needs:dismissAppeared', { project: need.project, path: null }));
    }
    localStorage.clear();
    location.hash = '';
  }, settings);
  await page.reload();
  await isDrawn(page);
}
