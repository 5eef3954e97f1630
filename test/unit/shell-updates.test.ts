/** When another version of the app takes over: what lies in the place of this one, and what a server has. */
import { EventEmitter } from 'node:events';
import type { AppUpdater } from 'electron-updater';
import { describe, expect, it, vi } from 'vitest';
import type { UpdateView } from '../../electron/contract/harbor-status';
import type { Log } from '../../electron/host/log';
import { restartArguments, Updates } from '../../electron/shell/updates';

/** A server's side that finds version 2 and fetches it when it is let. */
class Server extends EventEmitter {
  readonly fetched = Promise.withResolvers<void>();
  checkForUpdates = () => Promise.resolve({ isUpdateAvailable: true, updateInfo: { version: '2.0.0' } });
  downloadUpdate = () => this.fetched.promise;
  quitAndInstall = vi.fn();
}

function setUp(server: Server | null = null) {
  const at = { running: 0, quits: 0, left: false };
  let tell: (other: string | null) => void = () => undefined;
  const updates = new Updates({
    source: server && (async () => server as unknown as AppUpdater),
    onDisk: (listener) => {
      tell = listener;
      return () => {
        at.left = true;
      };
    },
    channel: () => 'stable',
    running: () => at.running,
    quit: () => {
      at.quits += 1;
    },
    log: {} as Log,
  });
  const reaches = (state: UpdateView['state']) => vi.waitFor(() => expect(updates.view.state).toBe(state));
  return { updates, at, replace: (other: string | null) => tell(other), reaches };
}

const REPLACED = { state: 'ready', version: '3.0.0', installed: true, wanted: false, running: 0 };

describe('a copy that was replaced', () => {
  it('is told though nobody looks for newer versions, and starts again only when asked', () => {
    const { updates, at, replace } = setUp();
    const views: UpdateView[] = [];
    updates.on('changed', (view) => views.push(view));
    replace('3.0.0');
    expect(views).toEqual([REPLACED]);
    updates.follow();
    expect(at.quits).toBe(0);
    expect(updates.installNow()).toBe(false);
    updates.install(true);
    expect(at.quits).toBe(1);
    expect(updates.installNow()).toBe(true);
  });

  it('waits for every evaluation, also for one that began after it was asked', () => {
    const { updates, at, replace } = setUp();
    at.running = 2;
    replace('3.0.0');
    updates.install(true);
    expect(updates.view).toEqual({ ...REPLACED, wanted: true, running: 2 });
    at.running = 1;
    updates.follow();
    expect(at.quits).toBe(0);
    at.running = 0;
    updates.follow();
    expect(at.quits).toBe(1);
  });

  it('does not start again once that is taken back', () => {
    const { updates, at, replace } = setUp();
    at.running = 1;
    replace('3.0.0');
    updates.install(true);
    updates.install(false);
    at.running = 0;
    updates.follow();
    expect(at.quits).toBe(0);
  });

  it('keeps what was asked when it is replaced once more', () => {
    const { updates, at, replace } = setUp();
    at.running = 1;
    replace('3.0.0');
    updates.install(true);
    replace('3.0.1');
    expect(updates.view).toMatchObject({ version: '3.0.1', wanted: true });
  });

  it('is as before when its own version lies there again', () => {
    const { updates, replace } = setUp();
    replace('3.0.0');
    replace(null);
    expect(updates.view).toEqual({ state: 'absent' });
    expect(() => updates.install(true)).toThrow('No version is ready');
  });

  it('is left alone once the app ends', () => {
    const { updates, at } = setUp();
    updates.stop();
    expect(at.left).toBe(true);
  });
});

describe('what lies on the disk and what a server has', () => {
  it('what is installed goes before what was found, and nothing comes between', async () => {
    const server = new Server();
    const { updates, replace, reaches } = setUp(server);
    await reaches('found');
    updates.get();
    await reaches('getting');
    replace('3.0.0');
    server.emit('download-progress', { percent: 50 });
    server.fetched.resolve();
    await server.fetched.promise;
    await updates.look();
    expect(updates.view).toEqual(REPLACED);
    updates.install(true);
    expect(updates.installNow()).toBe(true);
    expect(server.quitAndInstall).not.toHaveBeenCalled();
  });

  it('looks again at the server when its own version lies there again', async () => {
    const { replace, reaches } = setUp(new Server());
    await reaches('found');
    replace('3.0.0');
    await reaches('ready');
    replace(null);
    await reaches('found');
  });

  it('what was fetched is still to be installed', async () => {
    const server = new Server();
    const { updates, reaches } = setUp(server);
    await reaches('found');
    updates.get();
    server.fetched.resolve();
    await reaches('ready');
    expect(updates.view).toMatchObject({ version: '2.0.0', installed: false });
    updates.install(true);
    expect(updates.installNow()).toBe(false);
    expect(server.quitAndInstall).toHaveBeenCalledOnce();
  });
});

it('an app that was started hidden comes back in sight, and else as it was started', () => {
  const words = ['--no-sandbox', '--hidden', '--data', '/tmp/data'];
  expect(restartArguments(['/opt/Lisp Harbor/lisp-harbor', ...words])).toEqual([
    '--no-sandbox',
    '--data',
    '/tmp/data',
  ]);
});
