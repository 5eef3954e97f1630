/** The rpm: the same app as in the deb, for systems that apt does not serve. It is read here and not installed. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { ensureInstalled, madeBeside, packageFile, versionOf } from './package-files';

test.beforeAll(ensureInstalled);

/** What rpm tells of the file. */
const asked = (...query: string[]): string =>
  execFileSync('rpm', ['-qp', '--nosignature', ...query, madeBeside('.rpm')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Each file with its mode and its SHA-256, as rpm keeps them. */
function packed(): Map<string, string> {
  const rows = lines(asked('--qf', '[%{FILENAMES}\\t%{FILEMODES:perms} %{FILEUSERNAME} %{FILEDIGESTS}\\n]'));
  return new Map(rows.map((row) => row.split('\t') as [string, string]));
}

/** The same of the installed files that dpkg lists. */
function installed(): Map<string, string> {
  const files = lines(execFileSync('dpkg', ['-L', 'lisp-harbor'], { encoding: 'utf8' })).filter((file) =>
    statSync(file).isFile(),
  );
  const sums = execFileSync('sha256sum', ['--zero', ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const rows = sums.split('\0').filter((row) => row !== '');
  return new Map(rows.map((row) => [row.slice(66), row.slice(0, 64)]));
}

test('it names itself, and is as small as the deb', () => {
  const told = asked('--qf', '%{NAME} %{VERSION} %{ARCH} %{LICENSE} %{SUMMARY}');
  const architecture = process.arch === 'x64' ? 'x86_64' : 'aarch64';
  expect(told).toBe(
    `lisp-harbor ${versionOf(packageFile())} ${architecture} MIT Lisp images for people and their AI agents`,
  );
  expect(statSync(madeBeside('.rpm')).size).toBeLessThan(100_000_000);
});

test('every file is that of the deb, but for what tells them apart', () => {
  const files = packed();
  const differing = [...installed()].filter(
    ([file, digest]) => !files.get(file)?.endsWith(` root ${digest}`),
  );
  expect(differing.map(([file]) => file).sort()).toEqual([
    '/opt/Lisp Harbor/resources/package-type',
    '/usr/share/zsh/vendor-completions/_lisp-harbor',
  ]);
  expect([...files.keys()]).toContain('/usr/share/zsh/site-functions/_lisp-harbor');
  const writable = [...files].filter(([, told]) => /^.{5}w|^.{8}w/.test(told));
  expect(writable).toEqual([]);
  expect(files.get('/opt/Lisp Harbor/bin/lisp-harbor')).toMatch(/^-rwxr-xr-x /);
});

test('it asks for what Electron needs, by names that no library of the machine that packed it brought in', () => {
  const needed = lines(asked('--requires')).filter((name) => !name.startsWith('rpmlib('));
  expect(needed).toEqual(expect.arrayContaining(['gtk3', 'nss', 'libnotify', 'xdg-utils']));
  expect(needed.filter((name) => /\.so/.test(name))).toEqual([]);
});

test('its scripts put the command on the PATH, and an upgrade takes nothing of it away', () => {
  const scripts = asked('--scripts');
  expect(scripts).toMatch(/^postinstall scriptlet \(using \/bin\/sh\):$/m);
  expect(scripts).toContain('ln -sf "$app/bin/lisp-harbor" \'/usr/bin/lisp-harbor\'');
  expect(scripts).toMatch(/^postuninstall scriptlet \(using \/bin\/sh\):$/m);
  expect(scripts).toContain('| 1) exit 0 ;;');
  // Nothing of the template is left to be filled in.
  expect(scripts).not.toMatch(/\$\{(executable|sanitizedProductName)\}/);
});
