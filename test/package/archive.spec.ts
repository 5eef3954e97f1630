/** What is in the package: no more than is needed, each file as it was packed, and Electron closed to what it need not do. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { extractFile, getRawHeader, listPackage, statFile } from '@electron/asar';
import { FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { APP, ensureInstalled, FOLDER, packageFile } from './package-files';

const ARCHIVE = path.join(FOLDER, 'resources/app.asar');
const MEGABYTE = 1_000_000;

test.beforeAll(ensureInstalled);

test('it is less than 100 MB to download', () => {
  expect(statSync(packageFile()).size).toBeLessThan(100 * MEGABYTE);
});

test('it brings the languages and the native modules of this system, and no others', () => {
  expect(readdirSync(`${FOLDER}/locales`).sort()).toEqual(['en-US.pak', 'ja.pak']);
  const unpacked = readdirSync(`${ARCHIVE}.unpacked`, { recursive: true, encoding: 'utf8' });
  const native = unpacked.filter((file) => file.endsWith('.node'));
  expect(native).toEqual([`node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`]);
  const inside = listPackage(ARCHIVE, { isPack: false });
  expect(inside.filter((file) => /\.(map|tsx?)$/.test(file))).toEqual([]);
  expect(inside.filter((file) => /^\/(test|renderer|docs|resources\/setup)\//.test(file))).toEqual([]);
});

test('Electron does no more than the app needs', async () => {
  const { version, ...wire } = await getCurrentFuseWire(APP);
  expect(version).toBe(FuseVersion.V1);
  const state = (fuse: FuseV1Options) => String.fromCharCode(wire[fuse] ?? 0);
  const on = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ];
  const off = [
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ];
  expect(on.map(state)).toEqual(on.map(() => '1'));
  expect(off.map(state)).toEqual(off.map(() => '0'));
});

test('every file of the archive is what its header says', () => {
  const { header } = getRawHeader(ARCHIVE);
  expect(Object.keys(header.files)).toEqual(expect.arrayContaining(['out', 'package.json']));
  const files = listPackage(ARCHIVE, { isPack: false }).map((file) => file.slice(1));
  let checked = 0;
  for (const file of files) {
    const entry = statFile(ARCHIVE, file);
    if (!('integrity' in entry) || entry.unpacked) continue;
    const { algorithm, hash } = entry.integrity;
    expect(algorithm).toBe('SHA256');
    expect(createHash('sha256').update(extractFile(ARCHIVE, file)).digest('hex'), file).toBe(hash);
    checked += 1;
  }
  expect(checked).toBeGreaterThan(50);
});

test('every package that a first start offers is one that apt knows', async () => {
  const { installable } = await import('../../electron/images/installable');
  const offered = await installable([], async (program) => (program === 'apt' ? '/usr/bin/apt' : undefined));
  const names = offered?.missing.flatMap(({ packages }) => packages) ?? [];
  expect(names).toContain('sbcl');
  const known = execFileSync('apt-cache', ['show', '--no-all-versions', ...names], { encoding: 'utf8' });
  expect(names.filter((name) => !known.includes(`Package: ${name}\n`))).toEqual([]);
});

test('desktops and software centres read what it says of itself', () => {
  const entry = readFileSync('/usr/share/applications/lisp-harbor.desktop', 'utf8');
  expect(entry).toContain('MimeType=x-scheme-handler/lisp-harbor;');
  expect(entry).toMatch(/^Exec="?\/opt\/Lisp Harbor\/lisp-harbor"? %U$/m);
  const metainfo = readFileSync('/usr/share/metainfo/org.lisp-harbor.app.metainfo.xml', 'utf8');
  expect(metainfo).toContain('<launchable type="desktop-id">lisp-harbor.desktop</launchable>');
  const icons = execFileSync('dpkg', ['-L', 'lisp-harbor'], { encoding: 'utf8' }).match(
    /\/usr\/share\/icons\/hicolor\/\d+x\d+\/apps\/lisp-harbor\.png/g,
  );
  expect(icons?.length).toBeGreaterThan(0);
});
