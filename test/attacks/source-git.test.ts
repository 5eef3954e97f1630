/** A repository that an agent made: the source view reads its last commit, and nothing that it names runs. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lastCommit } from '../../electron/harbor/project-sources';

const TEXT = '(defun high () 1)\n';

let folder: string;
let file: string;
/** Written by any program of the repository that runs. */
let decoy: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    encoding: 'utf8',
  });

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'harbor-git-'));
  file = path.join(folder, 'tide.lisp');
  decoy = path.join(folder, 'decoy');
  git('init', '-q');
  writeFileSync(file, TEXT);
  git('add', '.');
  git('commit', '-qm', 'Tides');
});

afterEach(() => rmSync(folder, { recursive: true }));

it('the last commit is read without hooks, monitors, filters and pagers', async () => {
  const script = path.join(folder, 'run.sh');
  writeFileSync(script, `#!/bin/sh\ntouch ${decoy}\ncat\n`);
  chmodSync(script, 0o755);
  writeFileSync(path.join(folder, '.gitattributes'), '*.lisp filter=own diff=own\n');
  const hooks = path.join(folder, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
    writeFileSync(path.join(hooks, hook), `#!/bin/sh\ntouch ${decoy}\n`, { mode: 0o755 });
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.sshCommand',
    'core.askPass',
    'filter.own.smudge',
    'filter.own.clean',
    'diff.own.textconv',
    'diff.external',
    'pager.cat-file',
    'pager.rev-parse',
    'alias.cat-file',
    'alias.rev-parse',
  ])
    git('config', key, script);
  rmSync(decoy, { force: true });
  expect(await lastCommit(file)).toEqual({ text: TEXT });
  expect(existsSync(decoy)).toBe(false);
});

it('a missing object is fetched from nowhere', async () => {
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'remote.origin.promisor', 'true');
  git('config', 'remote.origin.url', `ext::sh -c "touch% ${decoy}"`);
  git('config', 'protocol.ext.allow', 'always');
  const blob = git('rev-parse', 'HEAD:tide.lisp').trim();
  rmSync(path.join(folder, '.git/objects', blob.slice(0, 2)), { recursive: true });
  expect(await lastCommit(file)).toEqual({ text: null });
  expect(existsSync(decoy)).toBe(false);
});

it('a folder that only looks like a repository is none', async () => {
  const bare = path.join(folder, 'bare');
  execFileSync('git', ['clone', '-q', '--bare', folder, bare]);
  writeFileSync(path.join(bare, 'tide.lisp'), TEXT);
  expect(readdirSync(bare)).toContain('HEAD');
  expect(await lastCommit(path.join(bare, 'tide.lisp'))).toBeNull();
});
