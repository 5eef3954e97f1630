/** The package is taken away: nothing stays but what users made, and that stays as it was. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { Nobody } from './nobody';
import { COMMAND, ensureInstalled, uninstall } from './package-files';

/** Where packages put things; what package managers and other programs note of their own work is no leftover. */
const SYSTEM = ['/etc', '/opt', '/usr', '/var/lib', '/var/cache', '/srv'];
const NOTES =
  /^\/var\/(lib\/(dpkg|apt)|cache\/(apt|man|ldconfig|debconf))(\/|$)|\/icon-theme\.cache$|\/mimeinfo\.cache$/;

test.beforeAll(ensureInstalled);

test('removal leaves nothing but what is the user’s', async () => {
  const nobody = await Nobody.take();
  nobody.say(COMMAND, 'eval', '(+ 1 2)', '--data', nobody.data);
  nobody.say(COMMAND, 'stop', '--data', nobody.data);
  const kept = contents(nobody.folder);
  expect(Object.keys(kept)).toContain(path.join(nobody.data, 'history.db'));

  uninstall();
  const without = new Set(names());
  expect(contents(nobody.folder)).toEqual(kept);
  for (const file of [COMMAND, '/opt/Lisp Harbor', '/etc/apparmor.d/lisp-harbor'])
    expect(existsSync(file)).toBe(false);

  ensureInstalled();
  expect(beside(without)).toContain('/opt/Lisp Harbor');
  uninstall();
  expect(beside(without)).toEqual([]);
  expect([...without].filter((name) => /lisp.?harbor/i.test(name))).toEqual([]);
  nobody.end();
});

/** Every file and folder of the system. */
function names(): string[] {
  const folders = SYSTEM.filter((folder) => existsSync(folder));
  const found = execFileSync('find', folders, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  return found.split('\n').filter((name) => name !== '' && !NOTES.test(name));
}

/** What there is now and was not then. */
const beside = (then: ReadonlySet<string>): string[] => names().filter((name) => !then.has(name));

/** What is in a folder: each file's digest by its path. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );
  const plain = files.filter((file) => lstatSync(file).isFile());
  return Object.fromEntries(
    plain.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}
