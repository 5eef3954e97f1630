/** Projects and workers, as later versions of lisp-mcp-server have them: begun, chosen, told and ended. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFiles } from '../../electron/compat/tools/project-tools';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { temporaryFolder } from '../unit/history-folder';
import { lispMcpClient } from './lisp-mcp-client';

let harbor: StartedHarbor;
let client: Client;

const inProject = (...parts: string[]) => path.join(harbor.project, ...parts);

const { told, refused, evaluated } = lispMcpClient(() => client);

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('HTTP', 'lisp-mcp-server');
});
afterAll(() => harbor.stop());

describe('projects', () => {
  it('S2-71 begins a project whose tests run at once', async () => {
    const described = { description: 'Says "hello" \\ more', author: 'A. U. Thor', license: 'ISC' };
    expect(await told('project-scaffold', { name: 'demo-lib', ...described })).toMatch(
      /^Scaffolded demo-lib at scaffolds\/demo-lib\/ \(5 files\)\n/,
    );
    expect(await told('load-system', { system: 'demo-lib' })).toMatch(
      /^System demo-lib loaded successfully in \d+ms$/,
    );
    expect(await told('run-tests', { system: 'demo-lib/tests' })).toMatch(
      /^✓ PASS\nPassed: 1, Failed: 0\nDuration: \d+ms$/,
    );
    expect(await evaluated('(asdf:system-description (asdf:find-system "demo-lib"))')).toBe(
      '"Says \\"hello\\" \\\\ more"',
    );
    const listed = await told('fs-list-directory', { path: 'scaffolds/demo-lib', show_hidden: true });
    expect(listed).toMatch(/^\[file\] \.gitignore$/m);
    // Files that agents obey are protected.
    expect(listed).not.toMatch(/(AGENTS|CLAUDE)\.md/);
    const tests = 'scaffolds/demo-lib/tests/main-test.lisp';
    await told('lisp-edit-form', {
      ...{ file_path: tests, form_type: 'test', form_name: 'main-package', operation: 'replace' },
      content: '(test main-package (is (= 4 (+ 1 1))))',
    });
    const { first, isError } = await call(client, 'run-tests', { system: 'demo-lib/tests' });
    expect([isError, first]).toEqual([false, expect.stringMatching(/^✗ FAIL\nPassed: 0, Failed: 1\n/)]);
    expect(first).toContain('expected: 4');
    await told('lisp-edit-form', {
      ...{ file_path: tests, form_type: 'test', form_name: 'main-package', operation: 'insert_after' },
      content: '(test sums (is (= 2 (+ 1 1))))\n\n(test products (is (= 6 (* 2 3))))',
    });
    const some = { system: 'demo-lib/tests', tests: ['sums', 'demo-lib/tests/main-test::products'] };
    expect(await told('run-tests', some)).toMatch(/^✓ PASS\nPassed: 2, Failed: 0\n/);
    expect(await refused('run-tests', { ...some, tests: ['sums', 'fourth'] })).toMatch(
      /^✗ UNRESOLVED\n[\s\S]*no test fourth\./i,
    );
  });

  it('S2-71 begins one also where no test framework is', async () => {
    const facts = { description: 'd', author: 'a', license: 'l', framework: null };
    for (const [file, content] of projectFiles({ name: 'bare', ...facts }))
      await told('fs-write-file', { path: `bare/${file}`, content });
    expect(await told('run-tests', { system: 'bare' })).toMatch(/^No counts: /);
    const main = { file_path: 'bare/tests/main-test.lisp', form_type: 'defun', form_name: 'run' };
    await told('lisp-patch-form', { ...main, old_text: ':bare/src/main', new_text: ':nowhere' });
    expect(await refused('run-tests', { system: 'bare' })).toContain('FIND-PACKAGE :NOWHERE');
  });

  it('S2-72 overwrites nothing, and leaves nothing half made', async () => {
    mkdirSync(inProject('taken', 'mine'), { recursive: true });
    const mine = { name: 'mine', destination: 'taken' };
    expect(await refused('project-scaffold', mine)).toMatch(/^file_exists: .*is not overwritten/);
    symlinkSync('/etc', inProject('to-etc'));
    writeFileSync(inProject('a-file'), '');
    const refusals: [Record<string, unknown>, RegExp][] = [
      [{ name: '../up' }, /name/],
      [{ name: 'Upper' }, /name/],
      [{ name: 'x', destination: '../..' }, /destination/],
      [{ name: 'x', destination: 'a/../../b' }, /destination/],
      [{ name: 'x', destination: '/tmp' }, /destination/],
      [{ name: 'x', destination: 'to-etc' }, /^path_not_allowed/],
      [{ name: 'x', destination: 'a-file' }, /^not_a_file/],
      [{ name: 'x', author: 'one\ntwo' }, /author/],
    ];
    for (const [args, because] of refusals) expect(await refused('project-scaffold', args)).toMatch(because);
    expect(readdirSync(inProject('taken'))).toEqual(['mine']);
    expect(readdirSync(inProject('taken', 'mine'))).toEqual([]);
    expect(readdirSync(harbor.project).filter((name) => name.includes('draft'))).toEqual([]);
  });

  it('S2-73 works in another folder that a person approved, and in no other', async () => {
    expect(await told('fs-get-project-info')).toMatch(
      new RegExp(`^Project root: ${harbor.project}/\nCWD: .*\nSource: explicit\nWorkers: 1 active$`),
    );
    for (const folder of ['/', '/etc', temporaryFolder(), '..'])
      expect(await refused('fs-set-project-root', { path: folder })).toMatch(/^project_not_approved/);
    symlinkSync('/etc', inProject('etc'));
    expect(await refused('fs-set-project-root', { path: 'etc' })).toMatch(/^project_not_approved/);
    await evaluated('(defvar *here* 1)');
    const demo = inProject('scaffolds', 'demo-lib');
    expect(await told('fs-set-project-root', { path: 'scaffolds/demo-lib' })).toBe(
      `Project root set to ${demo}/`,
    );
    expect(await told('fs-read-file', { path: 'README.md' })).toMatch(/^# demo-lib\n[\s\S]*asdf:test-system/);
    expect(await evaluated("(list *default-pathname-defaults* (boundp '*here*))")).toContain(
      `(#P"${demo}/" NIL)`,
    );
    expect(await told('fs-set-project-root', { path: harbor.project })).toBe(
      `Project root set to ${harbor.project}/`,
    );
    expect(await evaluated('*here*')).toBe('1');
  });

  it('S2-73 moves nobody else along', async () => {
    const shared = await harbor.client('modern', { profile: 'lisp-mcp-server' });
    const moving = await call(shared, 'fs-set-project-root', { path: 'scaffolds' });
    expect([moving.isError, moving.text]).toEqual([true, expect.stringMatching(/^not_supported: .*shared/)]);
    expect((await call(shared, 'fs-set-project-root', { path: harbor.project })).isError).toBe(false);
  });
});

describe('workers', () => {
  const pids = (text: string) => [...text.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid));

  it('S2-74 tells the workers of the caller, and ends its own only, whatever runs there', async () => {
    const url = { token: await harbor.token('another'), profile: 'lisp-mcp-server' };
    const another = await harbor.client('legacy', url);
    expect((await call(another, 'repl-eval', { code: '(defvar *kept* 1)' })).isError).toBe(false);
    const status = await told('pool-status');
    const { first: theirs } = await call(another, 'pool-status');
    expect(theirs).toMatch(
      /^Pool: 1 workers \(1 bound, 0 standby\)\n[\s\S]* {2}#1 \[bound\] pid=\d+ session=/,
    );
    expect(pids(status)).not.toContain(pids(theirs)[0]);

    await evaluated('(defun only-here () 1)');
    // What has run for more than a second is not awaited by whoever only queues behind it.
    await call(client, 'repl-eval', { code: '(loop)', timeout_seconds: 1.2 });
    const killed = await call(client, 'pool-kill-worker', { reset: true });
    expect(killed.first).toMatch(/^Worker killed and replaced with a fresh one\. Run load-system/);
    expect(killed.text).toContain('ONLY-HERE');
    expect(await evaluated("(fboundp 'only-here)")).toBe('NIL');
    expect(pids(await told('pool-status'))).not.toEqual(pids(status));
    expect((await call(another, 'repl-eval', { code: '*kept*' })).first).toBe('1');
    expect((await call(another, 'pool-status')).first).toBe(theirs.replace('running', 'idle'));
  });

  it('S2-74 S2-83 knows no object of a worker that is gone', async () => {
    const before = /object-id: (\S+)\]/.exec(await evaluated('(list 1)'))?.[1];
    await told('pool-kill-worker');
    await evaluated('(list 2)');
    expect(await refused('inspect-object', { id: before })).toMatch(/^unknown_handle/);
  });
});
