/** The Debian package: made as for a release, but of the Electron that is here; installed and taken away as by a person. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPackageWithOptions, extractAll } from '@electron/asar';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RELEASE = path.join(ROOT, 'release');

export const COMMAND = '/usr/bin/lisp-harbor';
export const FOLDER = '/opt/Lisp Harbor';
export const APP = `${FOLDER}/lisp-harbor`;

/** Makes the package. `LISP_HARBOR_PACKAGE` names one that is there already, which is then the one that is tested. */
export function makePackage(): void {
  if (process.env.LISP_HARBOR_PACKAGE) return;
  rmSync(RELEASE, { recursive: true, force: true });
  execFileSync('npm', ['run', '-s', 'dist', '--', '--test-build', 'deb', 'rpm', 'tar.gz'], {
    cwd: ROOT,
    // Nobody listens there: the tests of updates name a server of their own.
    env: { ...process.env, LISP_HARBOR_UPDATES: 'http://127.0.0.1:9/' },
    stdio: 'inherit',
  });
  process.env.LISP_HARBOR_PACKAGE = onlyOne(RELEASE, '.deb');
}

function onlyOne(folder: string, end: string): string {
  const [made, ...others] = readdirSync(folder).filter((name) => name.endsWith(end));
  if (made === undefined || others.length > 0) throw new Error(`There is not one ${end} in ${folder}.`);
  return path.join(folder, made);
}

/** The file that `makePackage` made. */
export function packageFile(): string {
  const file = process.env.LISP_HARBOR_PACKAGE;
  if (!file) throw new Error('No package was made.');
  return file;
}

/** What was made of the same app beside the package. */
export const madeBeside = (end: '.rpm' | '.tar.gz'): string => onlyOne(path.dirname(packageFile()), end);

/** As a person does it who downloaded it: apt brings what it needs. */
export function install(file: string): void {
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', '--allow-downgrades', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Installs the package that was made, unless it is there. */
export function ensureInstalled(): void {
  if (installedVersion() !== versionOf(packageFile())) install(packageFile());
}

/** undefined while none is installed. */
export function installedVersion(): string | undefined {
  const { stdout } = spawnSync('dpkg', ['-s', 'lisp-harbor'], { encoding: 'utf8' });
  return stdout.includes('Status: install ok installed\n') ? /^Version: (.*)$/m.exec(stdout)?.[1] : undefined;
}

/** Also one that a run which was stopped left half installed. */
export function uninstall(): void {
  if (spawnSync('dpkg', ['-s', 'lisp-harbor']).status !== 0) return;
  execFileSync('dpkg', ['--purge', '--force-remove-reinstreq', 'lisp-harbor'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function versionOf(file: string): string {
  return execFileSync('dpkg-deb', ['-f', file, 'Version'], { encoding: 'utf8' }).trim();
}

/** The same package as another version of it; answers its file, and how to be rid of it. */
export async function packageAs(version: string): Promise<{ file: string; remove: () => void }> {
  const work = mkdtempSync(path.join(tmpdir(), 'package-'));
  const root = path.join(work, 'root');
  execFileSync('dpkg-deb', ['-R', packageFile(), root]);
  const control = path.join(root, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`));
  await makeAppSay(version, path.join(root, FOLDER, 'resources'), path.join(work, 'app'));
  const file = path.join(work, `${version}.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, file], { stdio: 'ignore' });
  for (const folder of [root, path.join(work, 'app')]) rmSync(folder, { recursive: true });
  return { file, remove: () => rmSync(work, { recursive: true }) };
}

/** Has the app itself say that it is another version. Every file of its archive lies at another place then, as in a real one. */
async function makeAppSay(version: string, resources: string, work: string): Promise<void> {
  const archive = path.join(resources, 'app.asar');
  extractAll(archive, work);
  const json = path.join(work, 'package.json');
  const { version: before } = JSON.parse(readFileSync(json, 'utf8')) as { version: string };
  const said = new RegExp(`("?version"?: ?)"${before.replaceAll('.', '\\.')}"`);
  const entries = path.join(work, 'out/electron');
  const bundles = readdirSync(entries).filter((name) => name.endsWith('.js'));
  for (const file of [json, ...bundles.map((name) => path.join(entries, name))])
    writeFileSync(file, readFileSync(file, 'utf8').replace(said, `$1"${version}"`));
  writeFileSync(path.join(work, '0-first'), version.repeat(1000));
  // As electron-builder.yml has them.
  const unpackDir = '{resources,node_modules/nbb,node_modules/import-meta-resolve}';
  await createPackageWithOptions(work, archive, { unpack: '*.node', unpackDir });
  writeFileSync(path.join(resources, 'app-version'), `${version}\n`);
}
