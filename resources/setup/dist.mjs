/**
 * `npm run dist [-- --test-build] [TARGET…]`: makes installers in release/ with electron-builder and
 * electron-builder.yml. Settings that depend on the machine are made here. A release requires the official
 * Electron binary; with --test-build another one is accepted.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { root, writeText } from './checkout.mjs';
import { capture } from './child-process.mjs';
import { endWith, SetupError, say } from './console.mjs';
import { officialBinary, readyElectron } from './electron.mjs';
import { configurationOf, PLATFORMS, publishingAt, QUICKLY, readPublisher, UPDATES } from './installers.mjs';
import { billOfMaterials, bundledPackages, debianCopyright, notices } from './notices.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';
import { pluginFiles, registryEntry } from './registries.mjs';
import { missingPrograms, placeOnPath } from './system-packages.mjs';

/** Program that makes each target on Linux. */
const MAKERS = new Map([
  ['deb', 'dpkg-deb'],
  ['rpm', 'rpmbuild'],
  ['tar.gz', '7za'],
  ['zip', '7za'],
]);

/** Folder of files that the build adds to packages. */
const PACKAGING = path.join(root, 'out/packaging');

/** Manual page and shell completions: the command that prints each, and its path in packages. */
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
    throw new SetupError(`Unknown option ${unknown}. Usage: npm run dist -- [${TEST_BUILD}] [TARGET…]`);
  const forTests = words.includes(TEST_BUILD);
  const publishing = publishingAt(process.env[UPDATES]);
  const named = words.filter((word) => word !== TEST_BUILD);
  const targets = named.length > 0 ? named : platform.targets;
  await ensureDependencies(root, 'all');
  const binary = await electronFor(forTests);
  if (process.platform === 'linux') requireMakers(targets);
  // Files of earlier builds would be packed as well.
  rmSync(path.join(root, 'out'), { recursive: true, force: true });
  await ensureBuild(root);
  const electron = { folder: path.dirname(binary), version: await versionOf(binary) };
  writeLicences(electron.version);
  const publisher = readPublisher(root);
  writeRegistries(publisher);
  const configuration = configurationOf({
    platform: process.platform,
    forTests,
    publishing,
    electron,
    files: process.platform === 'linux' ? await systemFiles(binary, publisher) : [],
    publisher,
  });
  // Otherwise electron-builder would download it.
  process.env.CUSTOM_FPM_PATH = path.join(root, 'resources/packaging/fpm.mjs');
  const sevenZip = placeOnPath('7za');
  if (sevenZip !== undefined) process.env.ELECTRON_BUILDER_7ZIP_PATH = sevenZip;
  if (forTests) process.env.ELECTRON_BUILDER_COMPRESSION_LEVEL = QUICKLY;
  await make(platform.option, targets, { ...configuration, afterPack: finish });
  return undefined;
}

/**
 * On Linux an archive is made first, because packages write their kind into the app's folder, and without an
 * update address, because nothing could install an update there.
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

/** Returns electron-builder's name for the app's folder. */
const unpackedFolder = () => (process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`);

/**
 * Writes `app-version`, from which a running app notices that a package manager has replaced it.
 * @param {import('electron-builder').AfterPackContext} context
 */
async function finish({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  rmSync(path.join(resources, 'default_app.asar'), { force: true });
  writeFileSync(path.join(resources, 'app-version'), `${packager.appInfo.version}\n`);
}

/**
 * @param {boolean} forTests
 * @returns {Promise<string>} the binary to pack
 */
async function electronFor(forTests) {
  const binary = await readyElectron(root);
  if (binary === officialBinary(root)) return binary;
  if (forTests) {
    say(`packing ${binary}, which is not the official Electron binary: for tests only, not for a release.`);
    return binary;
  }
  throw new SetupError(
    'installers require the official Electron binary, which is missing. Let npm reach its release ' +
      'site (behind a proxy set HTTPS_PROXY or ELECTRON_MIRROR) and try again; "npm run dist -- ' +
      `${TEST_BUILD}" packs the present binary, for tests only.`,
  );
}

/** @param {string[]} targets */
function requireMakers(targets) {
  const lacking = missingPrograms(targets.flatMap((target) => MAKERS.get(target) ?? []));
  if (lacking.length === 0) return;
  const packages = lacking.map((row) => row.packages.join(' or ')).join(', ');
  throw new SetupError(
    `${lacking.map((row) => row.brings).join(', ')} is missing (apt install ${packages}).`,
  );
}

/** @param {string} binary */
async function versionOf(binary) {
  const { code, output } = await capture(binary, ['-p', 'process.versions.electron'], { env: asNode() });
  if (code !== 0) throw new SetupError(`${binary} does not report its version: ${output.trim()}`, 1);
  return output.trim();
}

/**
 * Writes the notices that go into the app, and the bill of materials beside the installers.
 * @param {string} electron its version
 */
function writeLicences(electron) {
  const packages = bundledPackages(root);
  writeText(path.join(PACKAGING, 'THIRD-PARTY-NOTICES'), notices(packages));
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const bill = billOfMaterials(packages, { name, version, electron, made: new Date() });
  writeText(path.join(root, 'release', `${name}-${version}.spdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

/**
 * Writes the plugin of Claude Code and the entry of the MCP registry beside the installers.
 * @param {import('./installers.mjs').Publisher} publisher
 */
function writeRegistries(publisher) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const release = path.join(root, 'release');
  for (const [file, text] of pluginFiles(version, publisher))
    writeText(path.join(release, 'claude-code-plugin', file), text);
  writeText(path.join(release, 'server.json'), registryEntry(version, publisher));
}

/**
 * Writes the files of packages outside the app's folder: the manual page and completions, which the built
 * command line prints, the metainfo, and Debian's copyright file.
 * @param {string} binary
 * @param {import('./installers.mjs').Publisher} publisher
 * @returns {Promise<string[]>} entries for packages: the file, and its destination
 */
async function systemFiles(binary, publisher) {
  const commandLine = path.join(root, 'out/electron/command-line.js');
  const metainfo = 'org.lisp-harbor.app.metainfo.xml';
  /** @type {[at: string, text: string][]} */
  const files = [
    [
      `usr/share/metainfo/${metainfo}`,
      readFileSync(path.join(root, 'resources/packaging', metainfo), 'utf8')
        .replaceAll('{homepage}', publisher.homepage)
        .replaceAll('{issues}', publisher.issues)
        .replaceAll('{name}', publisher.name),
    ],
    [
      'usr/share/doc/lisp-harbor/copyright',
      debianCopyright(readFileSync(path.join(root, 'LICENSE'), 'utf8'), publisher),
    ],
  ];
  for (const { words, at } of PRINTED) {
    const { code, output } = await capture(binary, [commandLine, ...words], { env: asNode() });
    if (code !== 0) throw new SetupError(`"lisp-harbor ${words.join(' ')}" failed: ${output.trim()}`, 1);
    files.push([at, output]);
  }
  return files.map(([at, text]) => {
    const file = path.join(PACKAGING, at);
    writeText(file, text);
    return `${file}=/${at}`;
  });
}

const asNode = () => ({ ...process.env, ELECTRON_RUN_AS_NODE: '1' });

await endWith(() => dist(process.argv.slice(2)));
