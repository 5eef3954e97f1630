/** The app’s version and the paths of its files, relative to the built entries in out/electron. */

import { existsSync, type FSWatcher, readFileSync, realpathSync, watch } from 'node:fs';
import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
/** Whether this is the installed app, whose files are in one archive. Otherwise it runs from a clone. */
const installed = root.endsWith('.asar');
/** Files for other programs, which cannot read the archive, are next to it. */
const unpacked = installed ? `${root}.unpacked` : root;
const resources = path.join(unpacked, 'resources');

const launcher = path.join(root, '../../bin/lisp-harbor');

/** The folder of the installed app, and the file of an AppImage; or the clone. */
const installation = installed
  ? [path.resolve(root, '../..'), ...(process.env.APPIMAGE ? [process.env.APPIMAGE] : [])]
  : [root];

export const paths = {
  root,
  /** The app’s own code, which nobody else may change. */
  installation: installation.map((at) => (existsSync(at) ? realpathSync(at) : at)),
  installed,
  /** Folder of the npm packages that run in separate processes. */
  unpacked,
  /** The `lisp-harbor` command of the installed app, on Linux. */
  launcher: installed && existsSync(launcher) ? launcher : null,
  lisp: path.join(resources, 'lisp'),
  acl2: path.join(resources, 'lisp/acl2'),
  clojure: path.join(resources, 'clojure'),
  nbb: path.join(resources, 'nbb/image.mjs'),
  swank: path.join(resources, 'swank'),
  landlock: path.join(resources, 'sandbox/landlock.lisp'),
  portRelay: path.join(resources, 'sandbox/port-relay.mjs'),
  guides: path.join(resources, 'guides'),
  icons: path.join(resources, 'icons'),
  renderer: path.join(root, 'out/renderer'),
  preload: path.join(root, 'out/preload/preload.cjs'),
  searchWorker: new URL('search-worker.js', import.meta.url),
  lemmaWorker: new URL('lemma-worker.js', import.meta.url),
};

export const VERSION: string = packageJson.version;

/**
 * The file with the version, next to the archive. It is written by the build. A running app keeps reading the
 * old archive after it was replaced.
 */
const FILE = 'app-version';

/** Follows the version that is installed where this app was started from. Does nothing for a clone. */
export function followInstalled(report: (other: string | null) => void): () => void {
  return paths.installed ? followVersion(path.dirname(paths.root), VERSION, report) : () => undefined;
}

/**
 * Follows the version file in `folder`. `report` is called now and after each change with another version
 * than `running`, or with null when `running` is installed again. It is not called while the file is missing,
 * as between removal and installation.
 * @returns a function that stops it
 */
export function followVersion(
  folder: string,
  running: string,
  report: (other: string | null) => void,
): () => void {
  let reported: string | null = null;
  const check = () => {
    const there = readVersion(path.join(folder, FILE));
    const other = there === running ? null : there;
    if (there === undefined || other === reported) return;
    reported = other ?? null;
    report(reported);
  };
  const watcher = watching(folder, check);
  check();
  return () => watcher?.close();
}

/** A folder that cannot be watched is not replaced by a package manager. */
function watching(folder: string, check: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, check).on('error', check);
  } catch {
    return undefined;
  }
}

/** Returns undefined if there is no complete version file. */
function readVersion(file: string): string | undefined {
  try {
    return /^(\S+)\n$/.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
