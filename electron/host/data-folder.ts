/** The data folder of a harbor: its paths, and creating it. */

import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { asFailure, HarborError } from '../contract/errors';
import { system } from './system';

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
  /** Libraries that were fetched for projects. */
  libraries: string;
  /** Index of lemmas in ACL2’s books. */
  lemmas: string;
  connect: string;
  /** Files that were moved out of projects, because code had created them where programs obey them. */
  taken: string;
  log: string;
  /** Compiled code of this app, cached by V8. */
  compiled: string;
  /** Electron’s userData. */
  electron: string;
  /**
   * The socket (a named pipe on Windows) on which a harbor with this environment listens. To reach a running
   * harbor, read its lock, because its environment may differ.
   */
  socket: string;
  /** File in which a running harbor tells other programs of this user how to reach it. */
  registry: string;
}

/**
 * Returns the system’s default data folder: XDG on Linux, Application Support on macOS, LOCALAPPDATA on
 * Windows.
 */
export function defaultRoot(env: NodeJS.ProcessEnv = process.env): string {
  return system.dataFolder(env, homedir());
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
    taken: inside('taken'),
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

/**
 * The path of a unix socket has at most 108 bytes, so it is made from a hash and is outside the data folder.
 */
function socketPath(root: string): string {
  return system.socket(runtimeFolder(), folderHash(root));
}

/** Not needed after the lock was read. Loading node:crypto takes a twentieth of the bridge’s start. */
function folderHash(root: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16);
}

/** Returns this user’s folder for files that last no longer than the processes that use them. */
export function runtimeFolder(): string {
  const runtime = process.env.XDG_RUNTIME_DIR;
  // By number, because not every user is in the user database.
  const user = process.getuid?.() ?? 0;
  return runtime ? path.join(runtime, 'lisp-harbor') : path.join(tmpdir(), `lisp-harbor-${user}`);
}

/**
 * Creates the folder and its missing parents with access for their owner only. Existing folders do not
 * change. Node’s recursive mkdir is not used, because it never returns in file systems such as /proc, which
 * answer ENOENT for a new folder.
 * @throws Error of the file system
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** Access of the group and of others. */
const OF_OTHERS = 0o077;

/**
 * Creates a folder for sockets and locks, or takes the access of others from it.
 * @throws HarborError `data_folder_unusable` if it belongs to another user, who may have created it first
 */
export function makeOwnFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw notOwn(`${folder} could not be created (${asFailure(error).message})`);
  }
  requireOwnFolder(folder, 0);
  if (system.isUnix && (lstatSync(folder).mode & OF_OTHERS) !== 0) chmodSync(folder, 0o700);
}

/**
 * Checks the folder of a socket or lock. In a shared temporary folder another user could create it first, and
 * would receive what is sent to the socket.
 * @param forbidden permission bits that it must not have
 * @throws HarborError `data_folder_unusable`
 */
export function requireOwnFolder(folder: string, forbidden = 0o022): void {
  if (!system.isUnix) return;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found || (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & forbidden) === 0))
    return;
  throw notOwn(`${folder} is not a folder of this user alone`);
}

function notOwn(problem: string): HarborError {
  return new HarborError(
    'data_folder_unusable',
    `${problem}. Remove it, or set XDG_RUNTIME_DIR to a private folder.`,
  );
}

/**
 * Creates the file with access for its owner only, if it does not exist, before a library creates it with more.
 * @throws Error of the file system
 */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/**
 * Takes the access of other users from the data folder, and from what is directly in it or in its folders.
 * Deeper files are closed by the folders around them.
 * @returns the paths that were tightened, and those that other users can still open
 */
export function tightenDataFolder({ root }: Pick<DataFolder, 'root'>): {
  tightened: string[];
  open: string[];
} {
  const found: ReturnType<typeof tightenDataFolder> = { tightened: [], open: [] };
  if (!system.isUnix) return found;
  const each = [root, ...below(root, 2)].filter((at) => hasOtherAccess(at));
  for (const at of each) {
    tighten(at);
    (hasOtherAccess(at) ? found.open : found.tightened).push(at);
  }
  return found;
}

function hasOtherAccess(at: string): boolean {
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return false;
  return (found.mode & OF_OTHERS) !== 0 || (process.getuid?.() !== 0 && found.uid !== process.getuid?.());
}

function tighten(at: string): void {
  try {
    chmodSync(at, statSync(at).mode & 0o700);
  } catch {
    // It belongs to somebody else; the caller reports it.
  }
}

/** Returns the entries to this depth. Projects in the scratch folder belong to the user. */
function below(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    return [at, ...(entry.isDirectory() && entry.name !== 'scratch' ? below(at, depth - 1) : [])];
  });
}

/**
 * Creates the data folder with access for its owner only.
 * @throws HarborError `data_folder_unusable`
 */
export function makeDataFolder(folder: DataFolder): void {
  try {
    for (const each of [folder.root, folder.scratch, folder.log]) makePrivateFolder(each);
  } catch (error) {
    throw unusable(folder, asFailure(error).message);
  }
}

/** Returns `data_folder_unusable` in place of an error of the file system about a file in the folder. */
export function asUnusable(folder: Pick<DataFolder, 'root'>, error: unknown): unknown {
  if (!(error instanceof Error) || !('path' in error)) return error;
  return String(error.path).startsWith(folder.root + path.sep) ? unusable(folder, error.message) : error;
}

function unusable({ root }: Pick<DataFolder, 'root'>, reason: string): HarborError {
  return new HarborError(
    'data_folder_unusable',
    `The data folder ${root} cannot be used (${reason}). Choose another with --data DIR.`,
  );
}
