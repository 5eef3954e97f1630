/** The app's own version, and where its files lie, seen from the built entries in out/electron. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
/** Whether this is the installed app, whose own files lie in one archive; else it runs from a clone. */
const installed = root.endsWith('.asar');
/** What other programs read as well: they know no archive, so it lies beside it. */
const unpacked = installed ? `${root}.unpacked` : root;
const resources = path.join(unpacked, 'resources');

const launcher = path.join(root, '../../bin/lisp-harbor');

export const places = {
  root,
  installed,
  /** The folder that has the packages of npm which run in processes of their own. */
  unpacked,
  /** What a shell runs as `lisp-harbor`, where the installed app brings it: on Linux. */
  launcher: installed && existsSync(launcher) ? launcher : null,
  lisp: path.join(resources, 'lisp'),
  acl2: path.join(resources, 'lisp/acl2'),
  clojure: path.join(resources, 'clojure'),
  nbb: path.join(resources, 'nbb/image.mjs'),
  swank: path.join(resources, 'swank'),
  landlock: path.join(resources, 'sandbox/landlock.lisp'),
  guides: path.join(resources, 'guides'),
  icons: path.join(resources, 'icons'),
  renderer: path.join(root, 'out/renderer'),
  preload: path.join(root, 'out/preload/preload.cjs'),
  searchWorker: new URL('search-worker.js', import.meta.url),
  lemmaWorker: new URL('lemma-worker.js', import.meta.url),
};

export const VERSION: string = packageJson.version;
