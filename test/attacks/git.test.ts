/**
 * Git runs outside, as the user does, in layouts that file tools and code in an image tried to make. Only
 * the program of the marker records that it ran.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asFailure } from '../../electron/contract/errors';
import { noteTexts } from '../../electron/contract/note';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import { AllowList } from '../../electron/sandbox/allow-list';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import { ProjectWatch } from '../../electron/sandbox/project-watch';
import { outcome } from '../integration/launch-place';
import { sessionsFixture } from '../integration/sessions-fixture';
import { landlockLauncher } from '../landlock-launcher';
import { evaluated } from './confined-session';
import { GIT_LAYOUTS, type GitLayout } from './git-layouts';

function place({ prepare, files, at }: GitLayout) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'git-layouts-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = path.join(root, 'project');
  mkdirSync(project);
  const env = { PATH: '/usr/bin:/bin', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  if (prepare) execFileSync('/bin/sh', ['-ec', prepare], { cwd: project, env, stdio: 'ignore' });
  const mark = path.join(root, 'ran');
  const list = new AllowList({
    ...{ entries: () => [], withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home: root, dataFolder: path.join(root, 'data'), temporaryFolders: [tmpdir()] },
  });
  return {
    project,
    list,
    written: files.map(([file, content]) => [file, content.replaceAll('%MARK%', `touch ${mark}`)] as const),
    /** Whether the user's `git status` runs the program. */
    runs(): boolean {
      spawnSync('git', ['status'], { cwd: path.join(project, at), env, stdio: 'ignore' });
      return existsSync(mark);
    },
  };
}

const LAYOUTS = GIT_LAYOUTS.map((layout) => ({ name: layout.name, layout }));

describe.each(LAYOUTS)('Git in $name', ({ layout }) => {
  it('runs the program where nothing prevents the layout', () => {
    const { project, written, runs } = place(layout);
    for (const [file, content] of written) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), content);
    }
    if (layout.command) execFileSync('/bin/sh', ['-ec', layout.command], { cwd: project });
    expect(runs()).toBe(true);
  });

  it('runs nothing that the file tools wrote', async () => {
    const { project, list, written, runs } = place(layout);
    const guard = new FileGuard({ rules: (of, systems) => list.rules(of, systems), systems: async () => [] });
    const codes: string[] = [];
    for (const [file, content] of written) {
      const current = await guard.read(project, file).catch(() => null);
      await guard
        .write(project, file, Buffer.from(content), current?.hash ?? null)
        .catch((error: unknown) => codes.push(asFailure(error).code));
    }
    // A link is outside of what file tools can make: the folder behind it is refused.
    if (layout.command) spawnSync('/bin/sh', ['-c', layout.command], { cwd: project });
    expect(codes).toContain('path_not_allowed');
    expect(new Set(codes).size).toBe(1);
    expect(runs()).toBe(false);
  });
});

/** What exists before the image starts is closed to it; the rest is found by the sweep. */
const EXISTING = LAYOUTS.filter(({ layout }) => layout.prepare !== undefined);

describe.each([
  { name: 'bubblewrap', launcher: async () => new BubblewrapLauncher(readHostLayout()) },
  { name: 'Landlock', launcher: landlockLauncher },
])('in $name', ({ launcher }) => {
  it.each(EXISTING)('code cannot change $name', async ({ layout }) => {
    const { project, list, written, runs } = place(layout);
    for (const [file] of written)
      if (!existsSync(path.join(project, file))) {
        mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
        writeFileSync(path.join(project, file), '');
      }
    if (layout.command) execFileSync('/bin/sh', ['-ec', layout.command], { cwd: project });
    const writes = written.map(([file, content]) => `printf '%s' '${content}' > ${file}`);
    const swaps = written.map(([file, content]) => `printf '%s' '${content}' > made && mv -f made ${file}`);
    const script = [...writes, ...swaps].join('\n');
    const program = { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } };
    await outcome(
      (await launcher()).launch({ ...program, cwd: project, needs: [] }, list.confinement(project)),
    );
    expect(runs()).toBe(false);
  });
});

/** Code in the image makes them; nothing prevents that, so it is reported. */
describe('what code makes in its project', () => {
  it.each(LAYOUTS)('is reported: $name', async ({ layout }) => {
    const { project, list, written } = place(layout);
    const watch = new ProjectWatch();
    watch.begin(project);
    const commands = written.map(
      ([file, content]) => `mkdir -p '${path.dirname(file)}'; printf '%s' '${content}' > '${file}'`,
    );
    const script = [...commands, layout.command ?? ''].join('\n');
    const program = { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } };
    const bubblewrap = new BubblewrapLauncher(readHostLayout());
    await outcome(bubblewrap.launch({ ...program, cwd: project, needs: [] }, list.confinement(project)));
    const isMade = written.every(([file, content]) => contentOf(path.join(project, file)) === content);
    expect((await watch.notes(project)).length > 0, 'reported').toBe(isMade);
    expect(isMade).toBe(layout.isClosed !== true);
  });

  it('is in the answer of the evaluation, and waits for the person', async () => {
    const projectWatch = new ProjectWatch();
    const { open, project } = sessionsFixture({ instead: { projectWatch } });
    const session = await open();
    mkdirSync(path.join(project, 'own'));
    const code =
      '(sb-ext:run-program "/bin/sh" (list "-c" "mkdir -p new/objects new/refs && echo > new/HEAD"))';
    const { notes } = await evaluated(session, `(progn ${code} nil)`);
    expect(noteTexts(notes)).toContainEqual(expect.stringContaining('new'));
    expect(projectWatch.appeared).toMatchObject([{ path: path.join(realpathSync(project), 'new') }]);
    expect(noteTexts((await evaluated(session, '1')).notes).join()).not.toContain('Git');
  });
});

function contentOf(file: string): string | null {
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : null;
}

describe('a legitimate repository', () => {
  it('is read, and its other files are written', async () => {
    const { project, list } = place({
      name: '',
      files: [],
      at: '.',
      prepare: 'git init -q . && echo x > HEAD',
    });
    const guard = new FileGuard({ rules: (of, systems) => list.rules(of, systems), systems: async () => [] });
    for (const file of ['src/code.lisp', 'objects/thing.lisp', 'docs/refs/list.txt', 'commit'])
      await guard.write(project, file, Buffer.from('x'), null);
    expect((await guard.read(project, '.git/HEAD')).bytes.length).toBeGreaterThan(0);
    expect((await guard.read(project, 'HEAD')).bytes.toString()).toBe('x\n');
  });
});
