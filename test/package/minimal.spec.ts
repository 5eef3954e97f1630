/** The deb in a minimal Debian (`mmdebstrap --variant=minbase`), where only what it depends on is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { makePackage, packageFile, versionOf } from './package-files';

test.describe.configure({ mode: 'serial' });

let root: string;

test.beforeAll(() => {
  if (!process.env.LISP_HARBOR_PACKAGE) makePackage();
  root = mkdtempSync(path.join(tmpdir(), 'minimal-'));
  const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  execFileSync('mmdebstrap', ['--variant=minbase', release ?? 'stable', root], { stdio: 'ignore' });
  copyFileSync('/etc/resolv.conf', path.join(root, 'etc/resolv.conf'));
  copyFileSync(packageFile(), path.join(root, 'app.deb'));
  inside('apt-get', 'update');
  inside('apt-get', 'install', '-y', '--no-install-recommends', '/app.deb');
  inside('useradd', '--create-home', 'somebody');
});

test.afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

const mounts = ['--dev-bind', '/dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'];

/** Runs a program as root in the minimal system. */
function inside(...command: string[]): void {
  execFileSync('bwrap', ['--bind', root, '/', ...mounts, '--', ...command], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Runs a shell command as an ordinary user in the minimal system; `display` is that of the test. */
function asSomebody(
  command: string,
  display = '',
): { status: number | null; stdout: string; stderr: string } {
  const sockets = ['--bind', '/tmp/.X11-unix', '/tmp/.X11-unix'];
  const become = ['setpriv', '--reuid', '1000', '--regid', '1000', '--clear-groups'];
  const words = ['--bind', root, '/', ...mounts, ...(display ? sockets : []), '--', ...become];
  return spawnSync('bwrap', [...words, 'sh', '-c', `cd && ${command}`], {
    env: { PATH: '/usr/bin:/bin', HOME: '/home/somebody', ...(display ? { DISPLAY: display } : {}) },
    encoding: 'utf8',
    timeout: 90_000,
  });
}

test('a command evaluates, without and with a display', () => {
  expect(asSomebody('lisp-harbor --version').stdout).toBe(`lisp-harbor ${versionOf(packageFile())}\n`);
  for (const display of ['', process.env.DISPLAY ?? '']) {
    const { stdout, stderr } = asSomebody('lisp-harbor eval "(+ 1 2)"; lisp-harbor stop', display);
    expect(stdout, stderr).toContain('=> 3');
  }
});

test('the window opens and ends by a signal', () => {
  const opened = asSomebody(
    'lisp-harbor & app=$!; until lisp-harbor eval 1 >/dev/null 2>&1; do sleep 1; done; kill -TERM $app; wait $app; echo "ended with $?"',
    process.env.DISPLAY,
  );
  expect(opened.stdout, opened.stderr).toContain('ended with 0');
  expect(process.env.DISPLAY).toBeTruthy();
  expect(opened.stderr).not.toMatch(/headless|without a window/);
  // Nothing of Chromium, which has no OpenGL here.
  expect(opened.stderr).not.toMatch(/ERR|FATAL/);
});

test('licences are where Debian looks', () => {
  const { stdout } = asSomebody(
    'cat /usr/share/doc/lisp-harbor/copyright "/opt/Lisp Harbor/THIRD-PARTY-NOTICES"',
  );
  expect(stdout).toContain('License: MIT');
  expect(stdout).toContain('SIL OPEN FONT LICENSE');
});

test('nothing of the package is left after its removal', () => {
  inside('apt-get', 'purge', '-y', 'lisp-harbor');
  expect(asSomebody('ls -d /opt/Lisp* /usr/bin/lisp-harbor').stdout).toBe('');
});
