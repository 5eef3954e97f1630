/**
 * Debian and Ubuntu packages: which program or library each provides, what needs it, and its installation.
 */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { capture } from './child-process.mjs';
import { during, SetupError, say } from './console.mjs';

/**
 * `packages` are alternative names (Debian 13 and Ubuntu 24.04 renamed some to …t64); the first one that the
 * release offers is used.
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
  { brings: 'pasta', packages: ['passt'], neededBy: 'tests of confined sessions with a network' },
  { brings: 'ip', packages: ['iproute2'], neededBy: 'tests of confined sessions with a network' },
  { brings: 'sshd', packages: ['openssh-server'], neededBy: 'tests of sessions on hosts' },
  { brings: 'Xvfb', packages: ['xvfb'], neededBy: 'end-to-end tests: a display' },
  { brings: 'xvfb-run', packages: ['xvfb'], neededBy: 'end-to-end tests: a display' },
  { brings: 'xauth', packages: ['xauth'], neededBy: 'xvfb-run' },
  { brings: 'emacs', packages: ['emacs-nox'], neededBy: 'tests of Emacs attached to a session' },
  { brings: 'openssl', packages: ['openssl'], neededBy: 'tests of HTTPS: certificates' },
  { brings: 'curl', packages: ['curl'], neededBy: 'tests of the curl examples in the documents' },
  { brings: 'git', packages: ['git'], neededBy: 'tests of "npm test -- --changed"' },
  { brings: 'python3', packages: ['python3'], neededBy: 'tests of the ACL2 Bridge and of compat/: clients' },
  { brings: 'dbus-run-session', packages: ['dbus-daemon', 'dbus'], neededBy: 'end-to-end tests: the tray' },
  { brings: 'dpkg-deb', packages: ['dpkg'], neededBy: 'making a deb' },
  { brings: 'rpmbuild', packages: ['rpm'], neededBy: 'making an rpm' },
  { brings: '7za', packages: ['p7zip-full', '7zip'], neededBy: 'making a tar.gz or zip' },
  { brings: 'mmdebstrap', packages: ['mmdebstrap'], neededBy: 'tests of the package in a minimal Debian' },
  { brings: 'man', packages: ['man-db'], neededBy: 'tests of the installed app: its manual page' },
];

/** Folder with a subfolder for each Lisp library. */
const lispSources = '/usr/share/common-lisp/source';

/** Lisp libraries by folder name. @type {Row[]} */
export const lispLibraries = [
  { brings: 'alexandria', packages: ['cl-alexandria'], neededBy: 'tests of loading' },
  { brings: 'fiveam', packages: ['cl-fiveam'], neededBy: 'tests of test frameworks' },
  { brings: 'fiasco', packages: ['cl-fiasco'], neededBy: 'tests of test frameworks' },
  { brings: 'rt', packages: ['cl-rt'], neededBy: 'tests of test frameworks' },
  { brings: 'slime', packages: ['cl-swank'], neededBy: 'tests of SLIME and of Swank servers' },
];

/** Returns the rows whose sources are missing. */
export const missingLispLibraries = () =>
  lispLibraries.filter((row) => !existsSync(path.join(lispSources, row.brings)));

/** Folder with a subfolder for each Emacs package, whose name ends with the version. */
const emacsSources = '/usr/share/emacs/site-lisp/elpa-src';

/** Emacs packages by the start of their folder names. @type {Row[]} */
export const emacsPackages = [
  { brings: 'slime-', packages: ['slime'], neededBy: 'tests of Emacs attached to a session' },
];

/** Returns the rows without any installed version. */
export const missingEmacsPackages = () => {
  const folders = existsSync(emacsSources) ? readdirSync(emacsSources) : [];
  return emacsPackages.filter((row) => !folders.some((name) => name.startsWith(row.brings)));
};

/** Folder of Java archives. */
const archives = '/usr/share/java';

/** Java archives by file name. @type {Row[]} */
export const javaArchives = [
  { brings: 'nrepl.jar', packages: ['libnrepl-clojure'], neededBy: 'tests of sessions on Clojure' },
];

/** Returns the rows whose archive is missing. */
export const missingJavaArchives = () =>
  javaArchives.filter((row) => !existsSync(path.join(archives, row.brings)));

/** Folder of shared libraries for this architecture. */
const libraryFolder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** System files by path that a minimal Debian lacks. @type {Row[]} */
export const systemFiles = [
  {
    brings: `${libraryFolder}/libnotify.so.4`,
    packages: ['libnotify4'],
    neededBy: 'Electron, which opens it only for a notification',
  },
  {
    brings: '/etc/protocols',
    packages: ['netbase'],
    neededBy: 'Lisps with a listening port: they look up protocols by name',
  },
  {
    brings: '/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf',
    packages: ['fonts-ipafont-gothic'],
    neededBy: 'tests of the window in Japanese: without it text has another width',
  },
];

/** Returns the rows whose file is missing. */
export const missingSystemFiles = () => systemFiles.filter((row) => !existsSync(row.brings));

/**
 * Libraries that Electron cannot open a window without; each package depends on the others it needs. The
 * binary is linked with all but libX11-xcb, which its display connection opens. @type {Row[]}
 */
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
  ['libX11-xcb.so.1', 'libx11-xcb1'],
  ['libxcb.so.1', 'libxcb1'],
  ['libXcomposite.so.1', 'libxcomposite1'],
  ['libXdamage.so.1', 'libxdamage1'],
  ['libXext.so.6', 'libxext6'],
  ['libXfixes.so.3', 'libxfixes3'],
  ['libxkbcommon.so.0', 'libxkbcommon0'],
  ['libXrandr.so.2', 'libxrandr2'],
].map(([brings = '', ...packages]) => ({ brings, packages, neededBy: 'Electron' }));

/**
 * Returns the rows whose program is not in the path.
 * @param {string[]} wanted names in the column `brings`
 */
export const missingPrograms = (wanted) =>
  programs.filter((row) => wanted.includes(row.brings) && !onPath(row.brings));

/** @param {string} program */
export const onPath = (program) => placeOnPath(program) !== undefined;

/**
 * Returns the path of a program.
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
 * Returns the rows of libraries that the loader of this system does not know. A system whose loader lists no
 * C library has another one (musl, Nix): it gets no rows.
 * @returns {Promise<Row[]>}
 */
export async function missingLibraries() {
  return librariesNotIn(await loaderCache());
}

/** @param {string} cache as of `loaderCache` */
export const librariesNotIn = (cache) => libraries.filter((row) => lacks(cache, row.brings));

/** Reports that this system has no OpenGL. */
export const hasNoOpenGl = async () => lacks(await loaderCache(), 'libGL.so.1');

/** Returns the output of `ldconfig -p`; empty if there is none. */
async function loaderCache() {
  if (process.platform !== 'linux') return '';
  const program = ['/sbin/ldconfig', '/usr/sbin/ldconfig'].find((file) => existsSync(file)) ?? 'ldconfig';
  const { code, output } = await capture(program, ['-p']);
  return code === 0 ? output : '';
}

/**
 * @param {string} cache
 * @param {string} soname
 */
function lacks(cache, soname) {
  const known = new Set([...cache.matchAll(/^\s+(\S+) \(/gm)].map(([, found]) => found));
  return known.has('libc.so.6') && !known.has(soname);
}

const lists = '/var/lib/apt/lists';

/**
 * Installs the packages of the rows. Throws a SetupError with the command to type unless this is root on
 * Debian or Ubuntu.
 * @param {Row[]} rows
 */
export async function installPackages(rows) {
  if (rows.length === 0) return;
  if (!onPath('apt-get')) throw new SetupError(`Missing on this system: ${listed(rows)}.`);
  const root = process.getuid?.() === 0;
  if (root && !hasLists()) await during('apt-get update', () => apt(['update']));
  const names = await chooseNames(rows);
  if (!root)
    throw new SetupError(`Missing on this system: ${listed(rows)}. To install:\n${commandLine(names)}`);
  say(`installing Debian packages: ${names.join(' ')}`);
  await during('apt-get install', () => install(names));
}

/** @param {string[]} names */
async function install(names) {
  const args = ['install', '--yes', '--no-install-recommends', ...names];
  const { code } = await capture('apt-get', args, { env: quiet() });
  // The package lists may be outdated and name files that the mirror no longer has.
  if (code === 0) return;
  await apt(['update']);
  await apt(args);
}

/** @param {string[]} args */
async function apt(args) {
  const { code, output } = await capture('apt-get', args, { env: quiet() });
  if (code === 0) return;
  throw new SetupError(`"apt-get ${args.join(' ')}" failed (exit ${code}).\n${output.trim()}`, 1);
}

/**
 * Returns one package for each row: the first name that this release offers, else the last one, so that apt
 * reports the error.
 * @param {Row[]} rows
 */
async function chooseNames(rows) {
  const { output } = await capture('apt-cache', ['policy', ...rows.flatMap((row) => row.packages)], {
    env: quiet(),
  });
  const names = rows.map(
    (row) => row.packages.find((name) => offered(output, name)) ?? row.packages.at(-1) ?? '',
  );
  return [...new Set(names)];
}

/**
 * Virtual packages appear too, with the candidate "(none)".
 * @param {string} policy output of `apt-cache policy`
 * @param {string} name
 */
export function offered(policy, name) {
  const lines = policy.split('\n');
  const at = lines.indexOf(`${name}:`);
  if (at < 0) return false;
  const candidate = lines.slice(at + 1, at + 3).find((line) => line.includes('Candidate:'));
  return candidate !== undefined && !candidate.includes('(none)');
}

/** @param {string[]} names */
const commandLine = (names) => `  sudo apt-get install --no-install-recommends ${names.join(' ')}`;

/** @param {Row[]} rows */
const listed = (rows) => rows.map((row) => `${row.brings} (${row.neededBy})`).join(', ');

/** A new container has no package lists. */
const hasLists = () => existsSync(lists) && readdirSync(lists).some((name) => name.includes('_Packages'));

/** Asks no questions, and prints English messages. */
const quiet = () => ({ ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' });
