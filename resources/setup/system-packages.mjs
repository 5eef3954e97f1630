/** Debian's and Ubuntu's packages that we need: which program or library each one brings, and what needs it. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * `packages` are names of the same thing in different releases (Debian 13 and Ubuntu 24.04 renamed some to …t64): the
 * first that the release offers is taken.
 * @typedef {{ brings: string, packages: string[], neededBy: string }} Row
 */

/** @type {Row[]} */
export const programs = [
  { brings: 'sbcl', packages: ['sbcl'], neededBy: 'tests of sessions on SBCL' },
  {
    brings: 'ecl',
    packages: ['ecl'],
    neededBy: 'tests of sessions on ECL, and of those attached to its Swank',
  },
  { brings: 'abcl', packages: ['abcl'], neededBy: 'tests of sessions on ABCL' },
  { brings: 'acl2', packages: ['acl2'], neededBy: 'tests of sessions on ACL2' },
  { brings: 'clojure', packages: ['clojure'], neededBy: 'tests of sessions on Clojure' },
  { brings: 'lein', packages: ['leiningen'], neededBy: 'tests of fetching libraries' },
  { brings: 'bwrap', packages: ['bubblewrap'], neededBy: 'tests of confined sessions' },
  { brings: 'Xvfb', packages: ['xvfb'], neededBy: 'end-to-end tests: a display' },
  { brings: 'xvfb-run', packages: ['xvfb'], neededBy: 'end-to-end tests: a display' },
  { brings: 'xauth', packages: ['xauth'], neededBy: 'xvfb-run' },
  { brings: 'emacs', packages: ['emacs-nox'], neededBy: 'tests of Emacs attached to a session' },
  { brings: 'openssl', packages: ['openssl'], neededBy: 'tests of HTTPS: certificates' },
  { brings: 'curl', packages: ['curl'], neededBy: 'tests of what documents print for it' },
  { brings: 'git', packages: ['git'], neededBy: 'tests of "npm test -- --changed"' },
  { brings: 'python3', packages: ['python3'], neededBy: 'tests of the ACL2 Bridge and of compat/: clients' },
  { brings: 'dbus-run-session', packages: ['dbus-daemon', 'dbus'], neededBy: 'end-to-end tests: the tray' },
  { brings: 'dpkg-deb', packages: ['dpkg'], neededBy: 'making a deb' },
  { brings: 'rpmbuild', packages: ['rpm'], neededBy: 'making an rpm' },
  { brings: '7za', packages: ['p7zip-full', '7zip'], neededBy: 'making a tar.gz or zip' },
  { brings: 'man', packages: ['man-db'], neededBy: 'tests of the installed app: its manual page' },
];

/** Where Debian puts the sources of Lisp libraries, a folder each. */
const lispSources = '/usr/share/common-lisp/source';

/** Lisp libraries by the names of their folders. @type {Row[]} */
export const lispLibraries = [
  { brings: 'alexandria', packages: ['cl-alexandria'], neededBy: 'tests of loading' },
  { brings: 'fiveam', packages: ['cl-fiveam'], neededBy: 'tests of test frameworks' },
  { brings: 'fiasco', packages: ['cl-fiasco'], neededBy: 'tests of test frameworks' },
  { brings: 'rt', packages: ['cl-rt'], neededBy: 'tests of test frameworks' },
  { brings: 'slime', packages: ['cl-swank'], neededBy: 'tests of SLIME and of Swank servers' },
];

/** The rows whose sources are not there. */
export const missingLispLibraries = () =>
  lispLibraries.filter((row) => !existsSync(path.join(lispSources, row.brings)));

/** Where Debian puts what Emacs loads, a folder each, whose name ends with the version. */
const emacsSources = '/usr/share/emacs/site-lisp/elpa-src';

/** Packages of Emacs by how the names of their folders begin. @type {Row[]} */
export const emacsPackages = [
  { brings: 'slime-', packages: ['slime'], neededBy: 'tests of Emacs attached to a session' },
];

/** The rows of which no version is there. */
export const missingEmacsPackages = () => {
  const folders = existsSync(emacsSources) ? readdirSync(emacsSources) : [];
  return emacsPackages.filter((row) => !folders.some((name) => name.startsWith(row.brings)));
};

/** Where Debian puts Java archives. */
const archives = '/usr/share/java';

/** Java archives by the names of their files. @type {Row[]} */
export const javaArchives = [
  { brings: 'nrepl.jar', packages: ['libnrepl-clojure'], neededBy: 'tests of sessions on Clojure' },
];

/** The rows whose archive is not there. */
export const missingJavaArchives = () =>
  javaArchives.filter((row) => !existsSync(path.join(archives, row.brings)));

/** Where Debian puts libraries of this machine's kind. */
const libraryFolder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** Files of the system by their paths: what the smallest Debian does without. @type {Row[]} */
export const systemFiles = [
  {
    brings: `${libraryFolder}/libnotify.so.4`,
    packages: ['libnotify4'],
    neededBy: 'Electron, which looks for it only when it shows a notification',
  },
  {
    brings: '/etc/protocols',
    packages: ['netbase'],
    neededBy: 'Lisps that listen: they look protocols up by their names',
  },
  {
    brings: '/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf',
    packages: ['fonts-ipafont-gothic'],
    neededBy: 'tests of the window in Japanese, whose words have another width without it',
  },
];

/** The rows whose file is not there. */
export const missingSystemFiles = () => systemFiles.filter((row) => !existsSync(row.brings));

/** What Electron's binary is linked with; each package pulls in the rest by itself. @type {Row[]} */
export const libraries = [
  ['libasound.so.2', 'libasound2t64', 'libasound2'],
  ['libatk-1.0.so.0', 'libatk1.0-0t64', 'libatk1.0-0'],
  ['libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'],
  ['libatspi.so.0', 'libatspi2.0-0t64', 'libatspi2.0-0'],
  ['libcairo.so.2', 'libcairo2'],
  ['libcups.so.2', 'libcups2t64', 'libcups2'],
  ['libdbus-1.so.3', 'libdbus-1-3'],
  ['libdrm.so.2', 'libdrm2'],
  ['libexpat.so.1', 'libexpat1'],
  ['libgbm.so.1', 'libgbm1'],
  ['libgcc_s.so.1', 'libgcc-s1'],
  ['libgio-2.0.so.0', 'libglib2.0-0t64', 'libglib2.0-0'],
  ['libglib-2.0.so.0', 'libglib2.0-0t64', 'libglib2.0-0'],
  ['libgobject-2.0.so.0', 'libglib2.0-0t64', 'libglib2.0-0'],
  ['libgtk-3.so.0', 'libgtk-3-0t64', 'libgtk-3-0'],
  ['libnspr4.so', 'libnspr4'],
  ['libnss3.so', 'libnss3'],
  ['libnssutil3.so', 'libnss3'],
  ['libsmime3.so', 'libnss3'],
  ['libpango-1.0.so.0', 'libpango-1.0-0'],
  ['libudev.so.1', 'libudev1'],
  ['libX11.so.6', 'libx11-6'],
  ['libxcb.so.1', 'libxcb1'],
  ['libXcomposite.so.1', 'libxcomposite1'],
  ['libXdamage.so.1', 'libxdamage1'],
  ['libXext.so.6', 'libxext6'],
  ['libXfixes.so.3', 'libxfixes3'],
  ['libxkbcommon.so.0', 'libxkbcommon0'],
  ['libXrandr.so.2', 'libxrandr2'],
].map(([brings = '', ...packages]) => ({ brings, packages, neededBy: 'Electron' }));

/**
 * The rows whose program is not on the path.
 * @param {string[]} wanted names in the column `brings`
 */
export const missingPrograms = (wanted) =>
  programs.filter((row) => wanted.includes(row.brings) && !onPath(row.brings));

/** @param {string} program */
export const onPath = (program) => placeOnPath(program) !== undefined;

/**
 * Where a program is.
 * @param {string} program
 * @returns {string | undefined}
 */
export function placeOnPath(program) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * The rows of libraries that a binary lacks. A library without a row is one that no package of ours brings.
 * @param {string[]} sonames
 */
export const rowsOf = (sonames) => libraries.filter((row) => sonames.includes(row.brings));
