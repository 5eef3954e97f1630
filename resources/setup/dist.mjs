/**
 * `npm run dist [-- --test-build] [TARGET…]`: installers into release/, by electron-builder and electron-builder.yml. What depends on
 * the machine is decided here. A release is made of Electron's own binary; with --test-build the development copy will do.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ensureBuild } from './build.mjs';
import { capture } from './child.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { officialBinary } from './electron-official.mjs';
import { readyElectron } from './electron-ready.mjs';
import { configurationOf, PLATFORMS, publishingAt, QUICKLY, UPDATES } from './installers.mjs';
import { root } from './places.mjs';
import { say } from './progress.mjs';
import { endWith, SetupError } from './setup-error.mjs';
import { missingPrograms, placeOnPath } from './system-packages.mjs';

/** By target, the program that it is made with on Linux. */
const MAKERS = new Map([
  ['deb', 'dpkg-deb'],
  ['rpm', 'rpmbuild'],
  ['tar.gz', '7za'],
  ['zip', '7za'],
]);

/** What a shell and man(1) read, by the words that print it and the place where packages have it. */
const PRINTED = [
  { words: ['manual'], at: 'usr/share/man/man1/lisp-harbor.1' },
  { words: ['completion', 'bash'], at: 'usr/share/bash-completion/completions/lisp-harbor' },
  { words: ['completion', 'zsh'], at: 'usr/share/zsh/vendor-completions/_lisp-harbor' },
  { words: ['completion', 'fish'], at: 'usr/share/fish/vendor_completions.d/lisp-harbor.fish' },
];

const TEST_BUILD = '--test-build';

/** @param {string[]} words */
async function dist(words) {
  const platform = PLATFORMS.get(process.platform);
  if (platform === undefined) throw new SetupError(`there are no installers for ${process.platform}.`);
  const unknown = words.find((word) => word.startsWith('-') && word !== TEST_BUILD);
  if (unknown !== undefined)
    throw new SetupError(`${unknown} is no option. Usage: npm run dist -- [${TEST_BUILD}] [TARGET…]`);
  const forTests = words.includes(TEST_BUILD);
  const publishing = publishingAt(process.env[UPDATES]);
  const named = words.filter((word) => word !== TEST_BUILD);
  const targets = named.length > 0 ? named : platform.targets;
  await ensureDependencies(root);
  const binary = await electronFor(forTests);
  if (process.platform === 'linux') requireMakers(targets);
  // What earlier builds left behind would be packed as well.
  rmSync(path.join(root, 'out'), { recursive: true, force: true });
  await ensureBuild(root);
  const configuration = configurationOf({
    platform: process.platform,
    forTests,
    publishing,
    electron: { folder: path.dirname(binary), version: await versionOf(binary) },
    files: process.platform === 'linux' ? await shellFiles(binary) : [],
  });
  // What electron-builder would download for them.
  process.env.CUSTOM_FPM_PATH = path.join(root, 'resources/packaging/fpm.mjs');
  const sevenZip = placeOnPath('7za');
  if (sevenZip !== undefined) process.env.ELECTRON_BUILDER_7ZIP_PATH = sevenZip;
  if (forTests) process.env.ELECTRON_BUILDER_COMPRESSION_LEVEL = QUICKLY;
  await make(platform.option, targets, { ...configuration, afterPack: finish });
  return undefined;
}

/**
 * On Linux an archive is made before the packages, which write of which kind they are into the app's folder; and without the
 * address of newer versions, because nothing could put them in its place.
 * @param {'linux' | 'mac' | 'win'} option
 * @param {string[]} targets
 * @param {import('electron-builder').Configuration} config
 */
async function make(option, targets, config) {
  const { build } = await import('electron-builder');
  const common = { projectDir: root, publish: /** @type {const} */ ('never') };
  const archives = option === 'linux' ? targets.filter((target) => isArchive(target)) : [];
  const others = targets.filter((target) => !archives.includes(target));
  if (archives.length > 0) await build({ ...common, linux: archives, config: { ...config, publish: null } });
  if (others.length === 0) return;
  const packed = archives.length > 0 ? { prepackaged: path.join(root, 'release', unpackedFolder()) } : {};
  await build({ ...common, ...packed, [option]: others, config });
}

/** @param {string} target */
const isArchive = (target) => /^(zip|7z|tar\..*)$/.test(target);

/** Electron-builder's name of the app's folder. */
const unpackedFolder = () => (process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`);

/**
 * An app that runs sees by `app-version` that a package manager has put another one in its place: the archive's old contents
 * stay its own.
 * @param {import('electron-builder').AfterPackContext} context
 */
async function finish({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  rmSync(path.join(resources, 'default_app.asar'), { force: true });
  writeFileSync(path.join(resources, 'app-version'), `${packager.appInfo.version}\n`);
}

/**
 * @param {boolean} forTests
 * @returns {Promise<string>} the binary that is packed
 */
async function electronFor(forTests) {
  const binary = await readyElectron(root);
  if (binary === officialBinary(root)) return binary;
  if (forTests) {
    say(`packing ${binary}, which is not Electron's own binary: a test build, never a release.`);
    return binary;
  }
  throw new SetupError(
    "installers are made of Electron's own binary, which is not here. Let npm reach its release site, behind a proxy with HTTPS_PROXY or " +
      `ELECTRON_MIRROR, and run this again; "npm run dist -- ${TEST_BUILD}" packs what is here, for tests only.`,
  );
}

/** @param {string[]} targets */
function requireMakers(targets) {
  const lacking = missingPrograms(targets.flatMap((target) => MAKERS.get(target) ?? []));
  if (lacking.length === 0) return;
  const packages = lacking.map((row) => row.packages.join(' or ')).join(', ');
  throw new SetupError(
    `${lacking.map((row) => row.brings).join(', ')} is not here (apt install ${packages}).`,
  );
}

/** @param {string} binary */
async function versionOf(binary) {
  const { code, output } = await capture(binary, ['-p', 'process.versions.electron'], { env: asNode() });
  if (code !== 0) throw new SetupError(`${binary} does not tell its version: ${output.trim()}`, 1);
  return output.trim();
}

/**
 * Writes the manual page and completions, which the built command line prints.
 * @param {string} binary
 * @returns {Promise<string[]>} each as packages want it: the file, and where it goes
 */
async function shellFiles(binary) {
  const folder = path.join(root, 'out/packaging');
  rmSync(folder, { recursive: true, force: true });
  const commandLine = path.join(root, 'out/electron/command-line.js');
  const metainfo = 'org.lisp-harbor.app.metainfo.xml';
  const pairs = [[path.join(root, 'resources/packaging', metainfo), `usr/share/metainfo/${metainfo}`]];
  for (const { words, at } of PRINTED) {
    const { code, output } = await capture(binary, [commandLine, ...words], { env: asNode() });
    if (code !== 0) throw new SetupError(`"lisp-harbor ${words.join(' ')}" failed: ${output.trim()}`, 1);
    const file = path.join(folder, at);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, output);
    pairs.push([file, at]);
  }
  return pairs.map(([from, to]) => `${from}=/${to}`);
}

const asNode = () => ({ ...process.env, ELECTRON_RUN_AS_NODE: '1' });

await endWith(() => dist(process.argv.slice(2)));
