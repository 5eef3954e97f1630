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
import { root } from './places.mjs';
import { say } from './progress.mjs';
import { endWith, SetupError } from './setup-error.mjs';
import { onPath, placeOnPath } from './system-packages.mjs';

/** By platform: electron-builder's switch for it, and what is made unless targets are named. */
const PLATFORMS = new Map([
  ['linux', { option: 'linux', targets: ['deb', 'rpm', 'tar.gz'] }],
  ['darwin', { option: 'mac', targets: ['dmg', 'zip'] }],
  ['win32', { option: 'win', targets: ['nsis', 'zip'] }],
]);

/** Linux programs that a target is made with, and the package of each. */
const MAKERS = new Map([
  ['deb', { program: 'dpkg-deb', from: 'dpkg' }],
  ['rpm', { program: 'rpmbuild', from: 'rpm' }],
  ['tar.gz', { program: '7za', from: 'p7zip-full' }],
  ['zip', { program: '7za', from: 'p7zip-full' }],
]);

/** What a shell and man(1) read, by the words that print it and the place where packages have it. */
const PRINTED = [
  { words: ['manual'], at: 'usr/share/man/man1/lisp-harbor.1' },
  { words: ['completion', 'bash'], at: 'usr/share/bash-completion/completions/lisp-harbor' },
  { words: ['completion', 'zsh'], at: 'usr/share/zsh/vendor-completions/_lisp-harbor' },
  { words: ['completion', 'fish'], at: 'usr/share/fish/vendor_completions.d/lisp-harbor.fish' },
];

const TEST_BUILD = '--test-build';

/** The environment variable that names where the app looks for newer versions of itself; without it, it never does. */
const UPDATES = 'LISP_HARBOR_UPDATES';

/** @param {string[]} words */
async function dist(words) {
  const platform = PLATFORMS.get(process.platform);
  if (platform === undefined) throw new SetupError(`there are no installers for ${process.platform}.`);
  const unknown = words.find((word) => word.startsWith('-') && word !== TEST_BUILD);
  if (unknown !== undefined)
    throw new SetupError(`${unknown} is no option. Usage: npm run dist -- [${TEST_BUILD}] [TARGET…]`);
  const forTests = words.includes(TEST_BUILD);
  const updates = updatesFrom(process.env[UPDATES]);
  const named = words.filter((word) => word !== TEST_BUILD);
  const targets = named.length > 0 ? named : platform.targets;
  await ensureDependencies(root);
  const binary = await electronFor(forTests);
  if (process.platform === 'linux') requireMakers(targets);
  // What earlier builds left behind would be packed as well.
  rmSync(path.join(root, 'out'), { recursive: true, force: true });
  await ensureBuild(root);
  const files = process.platform === 'linux' ? await shellFiles(binary) : [];
  // What electron-builder would download for them.
  process.env.CUSTOM_FPM_PATH = path.join(root, 'resources/packaging/fpm.mjs');
  const sevenZip = placeOnPath('7za');
  if (sevenZip !== undefined) process.env.ELECTRON_BUILDER_7ZIP_PATH = sevenZip;
  const { build } = await import('electron-builder');
  await build({
    projectDir: root,
    [platform.option]: targets,
    publish: 'never',
    // Beside electron-builder.yml, which is read by itself.
    config: {
      electronDist: path.dirname(binary),
      electronVersion: await versionOf(binary),
      // Elsewhere a signature vouches for the app, which this fuse would get around.
      ...updates,
      electronFuses: { runAsNode: process.platform === 'linux' },
      deb: { fpm: files },
      rpm: { fpm: files },
      afterPack: ({ appOutDir }) =>
        rmSync(path.join(appOutDir, 'resources/default_app.asar'), { force: true }),
    },
  });
  return undefined;
}

/**
 * A folder on a server, with what `release/` has beside the packages. Only TLS tells who it is: what comes over anything else
 * could be anybody's, so that is for tests on this computer.
 * @param {string | undefined} address
 * @returns {import('electron-builder').Configuration}
 */
function updatesFrom(address) {
  if (!address) return { publish: null };
  if (!URL.canParse(address) || !/^(https:|http:\/\/127\.0\.0\.1[:/])/.test(address))
    throw new SetupError(`${UPDATES} is to be an address that begins with https://, and not ${address}.`);
  return { publish: { provider: 'generic', url: address }, generateUpdatesFilesForAllChannels: true };
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
  const lacking = targets.flatMap((target) => {
    const maker = MAKERS.get(target);
    return maker === undefined || onPath(maker.program)
      ? []
      : [`${target} needs ${maker.program} (apt install ${maker.from})`];
  });
  if (lacking.length > 0) throw new SetupError(`${lacking.join('; ')}.`);
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
