import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DataFolder, dataFolder, makeDataFolder } from '../../electron/host/data-folder';
import { acquireDataFolderLock } from '../../electron/host/lock';
import { lockOwner } from '../../electron/host/lock-owner';

let folder: DataFolder;

beforeEach(() => {
  folder = dataFolder(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-lock-')));
  makeDataFolder(folder);
});

describe('the lock of a data folder', () => {
  it('is held by one at a time and names its holder', () => {
    const lock = acquireDataFolderLock(folder, 'headless');
    expect(() => acquireDataFolderLock(folder, 'app')).toThrow(
      new RegExp(`headless.*process ${process.pid}.*--data`),
    );
    expect(lockOwner(folder.lock)).toMatchObject({
      pid: process.pid,
      kind: 'headless',
      socket: folder.socket,
    });
    lock.release();
    expect(lockOwner(folder.lock)).toBeNull();
    acquireDataFolderLock(folder, 'app').release();
  });

  it('is taken over from a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', ''], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
    await once(child, 'exit');
    leave({ pid: child.pid, startTime: '1' });
    expect(lockOwner(folder.lock)).toBeNull();
    acquireDataFolderLock(folder, 'app').release();
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when its pid belongs to a younger process by now',
    () => {
      leave({ pid: process.pid, startTime: '1' });
      expect(lockOwner(folder.lock)).toBeNull();
      acquireDataFolderLock(folder, 'app').release();
    },
  );

  it('is taken over when it cannot be read', () => {
    writeFileSync(folder.lock, 'not json');
    acquireDataFolderLock(folder, 'app').release();
  });

  it('that cannot be written names the data folder, and what to do', () => {
    rmSync(folder.root, { recursive: true });
    expect(() => acquireDataFolderLock(folder, 'headless')).toThrow(
      expect.objectContaining({
        code: 'data_folder_unusable',
        message: expect.stringMatching(new RegExp(`${folder.root} .*ENOENT.*--data`)),
      }),
    );
  });

  it('is not removed by a holder that lost it', () => {
    const first = acquireDataFolderLock(folder, 'app');
    first.release();
    const second = acquireDataFolderLock(folder, 'headless');
    first.release();
    expect(lockOwner(folder.lock)).toMatchObject({ kind: 'headless' });
    second.release();
  });
});

function leave(holder: { pid: number | undefined; startTime: string }): void {
  writeFileSync(folder.lock, JSON.stringify({ ...holder, socket: folder.socket, kind: 'headless' }));
}
