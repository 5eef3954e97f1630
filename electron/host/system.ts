/**
 * Differences between operating systems, in one table. Only this file compares names of systems to decide
 * what this process does; functions on paths and configurations of other programs take the name as an
 * argument.
 */
import path from 'node:path';

/** The facts about an operating system that decide what the app does. */
export interface System {
  /** Returns the default data folder. */
  dataFolder(env: NodeJS.ProcessEnv, home: string): string;
  /** Returns the address of a local socket: a file, or the name of a pipe. */
  socket(runtimeFolder: string, name: string): string;
  /**
   * Files have owners and modes, unix sockets are files, child processes inherit descriptors and form groups
   * that receive signals.
   */
  isUnix: boolean;
  /** Processes and descriptors are listed in /proc. */
  hasProc: boolean;
  /** A change in a folder is notified before the system call that makes it returns: inotify(7). */
  notifiesAtOnce: boolean;
  sandbox: 'bubblewrap' | 'sandbox-exec' | null;
  /** Tray and notifications are services of the session bus, and login items are desktop entries. */
  hasSessionBus: boolean;
  /** The app has a menu with its name. */
  hasAppMenu: boolean;
  /** Icons of the tray, plain and marked. Electron finds the file of double resolution by its name. */
  trayIcons: readonly [plain: string, marked: string];
  /** Name of the Node program. */
  node: string;
  /** How to install an engine. */
  install: Readonly<Record<'sbcl' | 'acl2', string>>;
  /** Returns a command that kills a process with its descendants; null if signals do it. */
  killTree(pid: number): readonly [string, ...string[]] | null;
}

const ACL2_SOURCE =
  'https://www.cs.utexas.edu/~moore/acl2/ and put saved_acl2 on the PATH, or name it in the environment variable ACL2';

const LINUX: System = {
  dataFolder: (env, home) =>
    path.posix.join(env.XDG_DATA_HOME || path.posix.join(home, '.local/share'), 'lisp-harbor'),
  socket: (folder, name) => path.posix.join(folder, `${name}.sock`),
  isUnix: true,
  hasProc: true,
  notifiesAtOnce: true,
  sandbox: 'bubblewrap',
  hasSessionBus: true,
  hasAppMenu: false,
  trayIcons: ['tray-22.png', 'tray-22-mark.png'],
  node: 'node',
  install: {
    sbcl: 'Install it with: apt install sbcl (or your distribution’s package manager)',
    acl2: `Install it with: apt install acl2 (or build it from ${ACL2_SOURCE})`,
  },
  killTree: () => null,
};

const MACOS: System = {
  ...LINUX,
  dataFolder: (_env, home) => path.posix.join(home, 'Library/Application Support/Lisp Harbor'),
  hasProc: false,
  notifiesAtOnce: false,
  sandbox: 'sandbox-exec',
  hasSessionBus: false,
  hasAppMenu: true,
  trayIcons: ['trayTemplate.png', 'trayMarkTemplate.png'],
  install: { sbcl: 'Install it with: brew install sbcl', acl2: `Build it from ${ACL2_SOURCE}.` },
};

const WINDOWS: System = {
  dataFolder: (env, home) =>
    path.win32.join(env.LOCALAPPDATA || path.win32.join(home, 'AppData\\Local'), 'Lisp Harbor'),
  socket: (_folder, name) => `\\\\.\\pipe\\lisp-harbor-${name}`,
  isUnix: false,
  hasProc: false,
  notifiesAtOnce: false,
  sandbox: null,
  hasSessionBus: false,
  hasAppMenu: false,
  trayIcons: ['tray-16.png', 'tray-16-mark.png'],
  node: 'node.exe',
  install: {
    sbcl: 'Install it from https://www.sbcl.org/platform-table.html',
    acl2: `Build it from ${ACL2_SOURCE}.`,
  },
  killTree: (pid) => ['taskkill', '/pid', String(pid), '/T', '/F'],
};

/** BSD and others: as Linux, without /proc and a sandbox. */
const OTHER_UNIX: System = { ...LINUX, hasProc: false, sandbox: null };

/** Returns the facts about a system by Node's name of it. */
export function systemOf(platform: NodeJS.Platform): System {
  const known: Partial<Record<NodeJS.Platform, System>> = { linux: LINUX, darwin: MACOS, win32: WINDOWS };
  return known[platform] ?? OTHER_UNIX;
}

/** The system that runs this process. */
export const system = systemOf(process.platform);
