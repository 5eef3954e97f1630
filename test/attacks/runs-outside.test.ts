/**
 * Code in a session creates files that outside programs execute, and waits for the user to run those. Git in
 * these tests runs a script that only records that it ran.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { AllowList } from '../../electron/sandbox/allow-list';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import { ProjectWatch } from '../../electron/sandbox/project-watch';
import { heard, outcome } from '../integration/launch-place';
import { landlockLauncher } from '../landlock-launcher';
import { PROTECTED_NAMES } from './programs/repository';

/** A project inside a Git work tree or not, with the confinement of its code. */
function place(): { root: string; project: string; list: AllowList; ran: () => boolean; makeGit: string } {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'runs-outside-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = path.join(root, 'above/project');
  mkdirSync(path.join(project, 'src'), { recursive: true });
  const list = new AllowList({
    ...{ entries: () => [], withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home: path.join(root, 'home'), dataFolder: path.join(root, 'data'), temporaryFolders: [tmpdir()] },
  });
  const mark = path.join(root, 'ran');
  const config = `[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = touch ${mark}; false\\n`;
  const makeGit = [
    'mkdir -p .git/objects .git/refs && echo ref: refs/heads/main > .git/HEAD',
    `printf '${config}' > .git/config`,
  ].join(' && ');
  return { root, project, list, ran: () => existsSync(mark), makeGit };
}

function run(launcher: Launcher, script: string, project: string, list: AllowList) {
  const program = { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } };
  return launcher.launch({ ...program, cwd: project, needs: [] }, list.confinement(project));
}

/** Runs outside, like the user. */
function useGit(folder: string): void {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  try {
    execFileSync('git', ['status'], { cwd: folder, env, stdio: 'ignore' });
  } catch {
    // A missing or broken repository is fine: only what ran counts.
  }
}

describe('a .git where there is none', () => {
  let bubblewrap: Launcher;

  beforeAll(async () => {
    bubblewrap = new BubblewrapLauncher(readHostLayout());
  });

  it('is not made by the sandbox itself, so the folder is no repository for editors', async () => {
    const { project, list } = place();
    const launched = run(bubblewrap, 'echo up >&3; read -r line <&3', project, list);
    await heard(launched);
    expect(readdirSync(project)).toEqual(['src']);
    launched.wire.write('go\n');
    await outcome(launched);
    expect(readdirSync(project)).toEqual(['src']);
  });

  it('is reported when code makes it', async () => {
    const { project, list, makeGit } = place();
    const watch = new ProjectWatch();
    watch.begin(project);
    await outcome(run(bubblewrap, makeGit, project, list));
    expect(noteTexts(await watch.notes(project))).toEqual([expect.stringContaining('.git')]);
    expect(await watch.notes(project)).toEqual([]);
    const found = { kind: 'repository', path: path.join(project, '.git'), project };
    expect(watch.appeared).toEqual([{ ...found, at: expect.any(Number) }]);
    rmSync(path.join(project, '.git'), { recursive: true });
    await watch.notes(project);
    expect(watch.appeared).toEqual([]);
  });

  it('can be made where nothing confines', async () => {
    const { project, list, ran, makeGit } = place();
    await outcome(run(new LocalLauncher('for the proof'), makeGit, project, list));
    useGit(project);
    expect(ran()).toBe(true);
  });

  it('is closed to the next image when the person has made it', async () => {
    const { project, list } = place();
    execFileSync('git', ['init', '-q', project]);
    const { stderr } = await outcome(run(bubblewrap, 'echo x > .git/config', project, list));
    expect(stderr).toContain('Read-only');
  });

  it('is told as a gap where it can be made', async () => {
    for (const { sandbox } of [bubblewrap, await landlockLauncher()])
      expect(sandbox.gaps).toContainEqual(expect.stringContaining('Git repositories are reported'));
  });
});

describe('the file tools', () => {
  it.each(PROTECTED_NAMES)('write no %s, there or not, at any depth', async (name) => {
    const { project, list } = place();
    const guard = new FileGuard({
      rules: (of, systems) => list.rules(of, systems),
      systems: async () => [],
    });
    for (const file of [
      name,
      `${name}/file`,
      `src/${name}`,
      `src/new/${name}/file`,
      `src/${name.toUpperCase()}`,
    ])
      await expect(guard.write(project, file, Buffer.from('x'), null), file).rejects.toMatchObject({
        code: 'path_not_allowed',
        message: expect.stringContaining('does not allow writing'),
      });
    writeFileSync(path.join(project, 'src/.gitignore'), '');
    await guard.write(project, `src/a-${name.replaceAll(/[./]/g, '-')}.lisp`, Buffer.from('x'), null);
    expect(readdirSync(path.join(project, 'src'))).toHaveLength(2);
  });
});
