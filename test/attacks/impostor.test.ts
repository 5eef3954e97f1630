/**
 * Another user creates the folder of the harbor's socket first, in a shared temporary folder, and listens there:
 * no program of ours sends it the secret of the data folder, or what a client says.
 */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolder } from '../../electron/host/data-folder';
import { connect, NAME, newForEachTest } from '../integration/connect-fixture';
import { ROOT } from '../started-harbor';

const NOBODY = 65_534;
const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} })}\n`;

let shared: string;
let folder: string;
let server: Server;
let heard: string;

beforeEach(() => {
  shared = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-impostor-'));
  folder = path.join(shared, `lisp-harbor-${process.getuid?.()}`);
  heard = '';
  server = createServer((socket) => {
    socket.on('data', (chunk) => {
      heard += chunk;
      socket.end('{"ok":true,"value":null}\n');
    });
    socket.on('error', () => undefined);
  });
});
afterEach(() => {
  server.close();
  rmSync(shared, { recursive: true, force: true });
});

/** How the folder is not this user's alone. The first can only be made by root. */
const FOLDERS: readonly [string, () => void][] = [
  ...(process.getuid?.() === 0
    ? [
        [
          'belongs to another user',
          () => {
            mkdirSync(folder, { mode: 0o777 });
            chownSync(folder, NOBODY, NOBODY);
          },
        ] as [string, () => void],
      ]
    : []),
  [
    'may be written by others',
    () => {
      mkdirSync(folder);
      chmodSync(folder, 0o777);
    },
  ],
  [
    'is a link',
    () => {
      mkdirSync(path.join(shared, 'theirs'));
      symlinkSync(path.join(shared, 'theirs'), folder);
    },
  ],
];

/** Programs of ours that look for a running harbor. */
const PROGRAMS: readonly [string, readonly string[]][] = [
  ['stdio', ['stdio.js', '--client', 'codex']],
  ['a tool at the command line', ['command-line.js', 'eval', '(+ 1 2)']],
];

describe.each(FOLDERS)('a folder that %s', (_, plant) => {
  it.each(PROGRAMS)('gets nothing from %s', async (_name, [entry = '', ...words]) => {
    const data = path.join(shared, 'data');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(dataFolder(data).bridgeSecret, 'sesame', { mode: 0o600 });
    plant();
    const socket = path.join(folder, path.basename(dataFolder(data).socket));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const { XDG_RUNTIME_DIR: _dir, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [path.join(ROOT, 'out/electron', entry), ...words, '--data', data],
      { env: { ...env, TMPDIR: shared, ELECTRON_RUN_AS_NODE: '1' } },
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(INITIALIZE);
    const [said, code] = await Promise.all([
      text(child.stderr),
      new Promise((resolve) => void child.once('exit', resolve)),
    ]);
    expect(said).toContain('XDG_RUNTIME_DIR');
    expect(code).not.toBe(0);
    expect(heard).toBe('');
  });
});

describe('the folder of locks', () => {
  newForEachTest();

  it('of another user is not written to', async () => {
    mkdirSync(path.join(shared, 'theirs'));
    symlinkSync(path.join(shared, 'theirs'), folder);
    await expect(connect({ locks: folder }).add(NAME)).rejects.toMatchObject({
      code: 'data_folder_unusable',
    });
  });
});
