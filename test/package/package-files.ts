/** The Debian package: made as for a release, but of the Electron that is here; installed and taken away as by a person. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RELEASE = path.join(ROOT, 'release');

export const COMMAND = '/usr/bin/lisp-harbor';
export const FOLDER = '/opt/Lisp Harbor';
export const APP = `${FOLDER}/lisp-harbor`;

/** Makes the package. `LISP_HARBOR_PACKAGE` names one that is there already, which is then the one that is tested. */
export function makePackage(): void {
  if (process.env.LISP_HARBOR_PACKAGE) return;
  rmSync(RELEASE, { recursive: true, force: true });
  execFileSync('npm', ['run', '-s', 'dist', '--', '--test-build', 'deb'], {
    cwd: ROOT,
    // Nobody listens there: the tests of updates name a server of their own.
    env: { ...process.env, LISP_HARBOR_UPDATES: 'http://127.0.0.1:9/' },
    stdio: 'inherit',
  });
  process.env.LISP_HARBOR_PACKAGE = path.join(RELEASE, madePackage());
}

function madePackage(): string {
  const [made, ...others] = readdirSync(RELEASE).filter((name) => name.endsWith('.deb'));
  if (made === undefined || others.length > 0) throw new Error(`There is not one package in ${RELEASE}.`);
  return made;
}

/** The file that `makePackage` made. */
export function packageFile(): string {
  const file = process.env.LISP_HARBOR_PACKAGE;
  if (!file) throw new Error('No package was made.');
  return file;
}

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

export function uninstall(): void {
  execFileSync('dpkg', ['--purge', 'lisp-harbor'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

export function versionOf(file: string): string {
  return execFileSync('dpkg-deb', ['-f', file, 'Version'], { encoding: 'utf8' }).trim();
}

/** The same package as another version of it; answers its file, and how to be rid of it. */
export function packageAs(version: string): { file: string; remove: () => void } {
  const work = mkdtempSync(path.join(tmpdir(), 'package-'));
  const root = path.join(work, 'root');
  execFileSync('dpkg-deb', ['-R', packageFile(), root]);
  const control = path.join(root, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`));
  const file = path.join(work, `${version}.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, file], { stdio: 'ignore' });
  rmSync(root, { recursive: true });
  return { file, remove: () => rmSync(work, { recursive: true }) };
}
