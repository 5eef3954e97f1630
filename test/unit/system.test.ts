/** What differs between operating systems, each of them as if it ran this process. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellLine } from '../../electron/connect/transport';
import { systemOf } from '../../electron/host/system';
import { flavour } from '../../electron/sandbox/paths';
import { shortcutLabel } from '../../renderer/shortcuts';
import { ROOT } from './setup-checkout';

/** One row for each system. */
const SYSTEMS = [
  {
    name: 'linux',
    home: '/home/ada',
    env: {},
    data: '/home/ada/.local/share/lisp-harbor',
    moved: [{ XDG_DATA_HOME: '/srv/data' }, '/srv/data/lisp-harbor'],
    socket: '/run/user/1/lisp-harbor/ab12.sock',
    kill: null,
    sandbox: 'bubblewrap',
    has: { isUnix: true, hasProc: true, hasSessionBus: true, hasAppMenu: false },
    separator: '/',
    line: "echo 'a b'",
    shortcut: 'Ctrl+K',
  },
  {
    name: 'darwin',
    home: '/Users/ada',
    env: { XDG_DATA_HOME: '/srv/data' },
    data: '/Users/ada/Library/Application Support/Lisp Harbor',
    moved: [{}, '/Users/ada/Library/Application Support/Lisp Harbor'],
    socket: '/run/user/1/lisp-harbor/ab12.sock',
    kill: null,
    sandbox: 'sandbox-exec',
    has: { isUnix: true, hasProc: false, hasSessionBus: false, hasAppMenu: true },
    separator: '/',
    line: "echo 'a b'",
    shortcut: '⌘K',
  },
  {
    name: 'win32',
    home: 'C:\\Users\\Ada',
    env: {},
    data: 'C:\\Users\\Ada\\AppData\\Local\\Lisp Harbor',
    moved: [{ LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\Lisp Harbor'],
    socket: '\\\\.\\pipe\\lisp-harbor-ab12',
    kill: ['taskkill', '/pid', '7', '/T', '/F'],
    sandbox: null,
    has: { isUnix: false, hasProc: false, hasSessionBus: false, hasAppMenu: false },
    separator: '\\',
    line: 'echo "a b"',
    shortcut: 'Ctrl+K',
  },
  {
    name: 'freebsd',
    home: '/home/ada',
    env: {},
    data: '/home/ada/.local/share/lisp-harbor',
    moved: [{ XDG_DATA_HOME: '/srv/data' }, '/srv/data/lisp-harbor'],
    socket: '/run/user/1/lisp-harbor/ab12.sock',
    kill: null,
    sandbox: null,
    has: { isUnix: true, hasProc: false, hasSessionBus: true, hasAppMenu: false },
    separator: '/',
    line: "echo 'a b'",
    shortcut: 'Ctrl+K',
  },
] as const;

describe.each(SYSTEMS)('$name', ({ name, home, env, data, moved, socket, kill, sandbox, has, ...more }) => {
  const system = systemOf(name);

  it('has its folders and sockets', () => {
    expect(system.dataFolder(env, home)).toBe(data);
    expect(system.dataFolder(moved[0], home)).toBe(moved[1]);
    expect(system.socket('/run/user/1/lisp-harbor', 'ab12')).toBe(socket);
  });

  it('has its processes, sandbox and desktop', () => {
    expect(system).toMatchObject({ sandbox, ...has });
    expect(system.killTree(7)).toEqual(kill);
  });

  it('has icons of the tray that exist, in both resolutions', () => {
    for (const icon of system.trayIcons)
      for (const file of [icon, icon.replace('.png', '@2x.png')])
        expect(
          readFileSync(path.join(ROOT, 'resources/icons', file))
            .subarray(1, 4)
            .toString(),
        ).toBe('PNG');
  });

  it('separates folders, quotes words and names keys in its way', () => {
    expect(flavour(name).sep).toBe(more.separator);
    expect(shellLine(['echo', 'a b'], name)).toBe(more.line);
    expect(shortcutLabel('Mod+K', name === 'darwin')).toBe(more.shortcut);
  });
});

it('is decided by the table: nothing else compares the name of the system', () => {
  const comparing = globSync('electron/**/*.ts', { cwd: ROOT }).filter((file) =>
    /process\.platform\s*[!=]==|\[process\.platform\]/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
  expect(comparing).toEqual([]);
});
