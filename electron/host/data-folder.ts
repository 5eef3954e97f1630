/** Where everything of one harbor lives. Every entry (app, serve, stdio, clients) finds it by this one function. */
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

export interface DataFolder {
  root: string;
  settings: string;
  history: string;
  lock: string;
  bridgeSecret: string;
  cores: string;
  checkpoints: string;
  sessions: string;
  scratch: string;
  /** What was fetched for projects. */
  libraries: string;
  /** What is found in ACL2's books. */
  lemmas: string;
  connect: string;
  log: string;
  /** Our own code as V8 has compiled it. */
  compiled: string;
  /** Electron's own userData. */
  electron: string;
  /**
   * Where a harbor started with this environment listens: a socket, or a named pipe on Windows. To reach the one that
   * runs, ask the lock: its environment may have been another.
   */
  socket: string;
  /** Where a harbor that runs tells other programs of this user how it is reached. */
  registry: string;
}

/** The default folder of this system: XDG on Linux, Application Support on macOS, LOCALAPPDATA on Windows. */
export function defaultRoot(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  if (platform === 'darwin') return path.join(home, 'Library/Application Support/Lisp Harbor');
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA ?? path.join(home, 'AppData/Local'), 'Lisp Harbor');
  return path.join(env.XDG_DATA_HOME || path.join(home, '.local/share'), 'lisp-harbor');
}

export function dataFolder(root: string): DataFolder {
  const inside = (name: string) => path.join(root, name);
  return {
    root,
    settings: inside('settings.json'),
    history: inside('history.db'),
    lock: inside('harbor.lock'),
    bridgeSecret: inside('bridge.secret'),
    cores: inside('cores'),
    checkpoints: inside('checkpoints'),
    sessions: inside('sessions'),
    scratch: inside('scratch'),
    libraries: inside('libraries'),
    lemmas: inside('lemmas'),
    connect: inside('connect'),
    log: inside('log'),
    compiled: inside('compiled'),
    electron: inside('electron'),
    get socket() {
      return socketPath(root);
    },
    get registry() {
      return path.join(runtimeFolder(), `${folderHash(root)}.json`);
    },
  };
}

/** A unix socket path holds 108 bytes, so it is made of a hash and lies outside the data folder. */
function socketPath(root: string): string {
  const hash = folderHash(root);
  if (process.platform === 'win32') return `\\\\.\\pipe\\lisp-harbor-${hash}`;
  return path.join(runtimeFolder(), `${hash}.sock`);
}

/** Who has read the lock needs none of this: node:crypto takes a twentieth of a bridge's start to load. */
function folderHash(root: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16);
}

/** This user's folder for what ends with the processes that use it. */
export function runtimeFolder(): string {
  const runtime = process.env.XDG_RUNTIME_DIR;
  // By the number, since not every user is in the list of users.
  const user = process.getuid?.() ?? 0;
  return runtime ? path.join(runtime, 'lisp-harbor') : path.join(tmpdir(), `lisp-harbor-${user}`);
}
