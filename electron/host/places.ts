/** The app's own version, and where its files lie, seen from the built entries in out/electron. */
import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');

export const places = {
  root,
  lisp: path.join(root, 'resources/lisp'),
  acl2: path.join(root, 'resources/lisp/acl2'),
  clojure: path.join(root, 'resources/clojure'),
  nbb: path.join(root, 'resources/nbb/image.mjs'),
  swank: path.join(root, 'resources/swank'),
  landlock: path.join(root, 'resources/sandbox/landlock.lisp'),
  guides: path.join(root, 'resources/guides'),
  icons: path.join(root, 'resources/icons'),
  renderer: path.join(root, 'out/renderer'),
  preload: path.join(root, 'out/preload/preload.cjs'),
  searchWorker: new URL('search-worker.js', import.meta.url),
  lemmaWorker: new URL('lemma-worker.js', import.meta.url),
};

export const VERSION: string = packageJson.version;
