/** Somebody who has just installed the package: what the command says of itself, and a first start where no Lisp is. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from '@playwright/test';
import { test } from '../e2e/fixture';
import { call } from '../evaluation';
import { openInstalled } from './installed-window';
import { Nobody } from './nobody';
import { COMMAND, ensureInstalled, FOLDER, packageFile, versionOf } from './package-files';

let nobody: Nobody;

test.beforeAll(async () => {
  ensureInstalled();
  nobody = await Nobody.take();
});

test.afterAll(() => nobody.end());

test('the command lists every command, and its version', () => {
  for (const words of [['--help'], ['help'], ['-h'], ['--data', nobody.data, '--help']]) {
    const said = nobody.say(COMMAND, ...words);
    for (const command of ['eval FORM', 'clients list', 'repl [', 'serve [options]', 'manual'])
      expect(said, words.join(' ')).toContain(`  lisp-harbor ${command}`);
  }
  expect(nobody.say(COMMAND, '--version')).toBe(`lisp-harbor ${versionOf(packageFile())}\n`);
});

test('man(1) shows its page and has nothing to complain of', () => {
  const [program, ...args] = nobody.command('man', '--warnings', '--pager=cat', 'lisp-harbor');
  const env = { ...nobody.env, MANWIDTH: '80' };
  const { stdout, stderr, status } = spawnSync(program, args, { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^NAME\n +lisp-harbor - Lisp images for people/m);
  expect(stdout).toMatch(/^COMMANDS\n/m);
});

test('every shell has its completion where it looks for it', () => {
  const listed = execFileSync('dpkg', ['-L', 'lisp-harbor'], { encoding: 'utf8' }).split('\n');
  expect(listed).toEqual(
    expect.arrayContaining([
      '/usr/share/bash-completion/completions/lisp-harbor',
      '/usr/share/zsh/vendor-completions/_lisp-harbor',
      '/usr/share/fish/vendor_completions.d/lisp-harbor.fish',
    ]),
  );
});

test('where no Lisp is, the window says what to type, and a program is connected and evaluates all the same', async () => {
  const cursor = path.join(nobody.folder, '.cursor/mcp.json');
  mkdirSync(path.dirname(cursor));
  writeFileSync(cursor, '{}\n');
  nobody.own(path.dirname(cursor));
  const somewhere = { folder: nobody.folder, command: withoutLisps, own: (file: string) => nobody.own(file) };
  const { page, end } = await openInstalled(somewhere, nobody);
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps).toContainText('Found: nbb');
  await expect(steps).toContainText('SBCL is not installed');
  await expect(steps.getByText(/^sudo apt install .*sbcl/)).toBeVisible();

  await steps.getByRole('button', { name: 'Connect Cursor' }).click();
  await page.getByRole('dialog', { name: 'Connect Cursor' }).getByRole('button', { name: 'Connect' }).click();
  await expect(steps.getByRole('button', { name: 'Connect Cursor' })).toHaveCount(0);
  const { lisp } = (JSON.parse(readFileSync(cursor, 'utf8')) as { mcpServers: { lisp: Entry } }).mcpServers;
  expect(lisp.command).toBe(`${FOLDER}/bin/lisp-harbor`);
  const [command, ...args] = withoutLisps(lisp.command, ...lisp.args);
  const env = { ...nobody.env, ...lisp.env };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd: nobody.project }));
  expect((await call(client, 'eval', { code: '(reduce + (range 10))' })).text).toContain('=> 45');
  await client.close();
  await end();
});

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** A program and its arguments, run by nobody on a system where each Lisp and Java is a file that cannot be executed. */
function withoutLisps(...words: string[]): [string, ...string[]] {
  const hide =
    'for name in sbcl ecl abcl acl2 clojure clj java; do file=$(readlink -e "/usr/bin/$name") && mount --bind /dev/null "$file"; done; exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', hide, 'sh', ...nobody.command(...words)];
}
