import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DataFolder, dataFolder } from '../../electron/host/data-folder';
import { holdDataFolder } from '../../electron/host/lock';
import { lockHolder } from '../../electron/host/lock-holder';
import { makeDataFolder } from '../../electron/host/make-data-folder';

let folder: DataFolder;

beforeEach(() => {
  folder = dataFolder(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-lock-')));
  makeDataFolder(folder);
});

describe('the lock of a data folder', () => {
  it('is held by one at a time and names its holder', () => {
    const lock = holdDataFolder(folder, 'headless');
    expect(() => holdDataFolder(folder, 'app')).toThrow(
      new RegExp(`headless.*process ${process.pid}.*--data`),
    );
    expect(lockHolder(folder.lock)).toMatchObject({
      pid: process.pid,
      kind: 'headless',
      socket: folder.socket,
    });
    lock.release();
    expect(lockHolder(folder.lock)).toBeNull();
    holdDataFolder(folder, 'app').release();
  });

  it('is taken over from a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', ''], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
    await once(child, 'exit');
    leave({ pid: child.pid, startTime: '1' });
    expect(lockHolder(folder.lock)).toBeNull();
    holdDataFolder(folder, 'app').release();
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when its pid belongs to a younger process by now',
    () => {
      leave({ pid: process.pid, startTime: '1' });
      expect(lockHolder(folder.lock)).toBeNull();
      holdDataFolder(folder, 'app').release();
    },
  );

  it('is taken over when it cannot be read', () => {
    writeFileSync(folder.lock, 'not json');
    holdDataFolder(folder, 'app').release();
  });

  it('is not removed by a holder that lost it', () => {
    const first = holdDataFolder(folder, 'app');
    first.release();
    const second = holdDataFolder(folder, 'headless');
    first.release();
    expect(lockHolder(folder.lock)).toMatchObject({ kind: 'headless' });
    second.release();
  });
});

function leave(holder: { pid: number | undefined; startTime: string }): void {
  writeFileSync(folder.lock, JSON.stringify({ ...holder, socket: folder.socket, kind: 'headless' }));
}
