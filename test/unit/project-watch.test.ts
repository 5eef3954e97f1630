/** What appears or changes below the top of a project and programs outside the sandbox obey is noticed. */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PROTECTED_PLACES } from '../../electron/contract/protected-places';
import { RepositoryScan } from '../../electron/sandbox/git-repositories';
import { ProjectWatch } from '../../electron/sandbox/project-watch';

const NAMES = [...new Set(PROTECTED_PLACES.map(({ place }) => place.replaceAll('*', 'x')))];

let project: string;
let watch: ProjectWatch;
const at = (...names: string[]) => path.join(project, ...names);
const places = () => watch.appeared.map(({ path: each }) => path.relative(project, each));
/** The kinds of all notes, the earlier ones too: a look that would take too much time is made later. */
let noted: string[];
const kinds = async () => {
  noted.push(...(await watch.notes(project)).map(({ kind }) => kind));
  return noted;
};
/** One note comes. */
const oneMore = async () => {
  await expect.poll(kinds).toEqual(['protected_place']);
  noted = [];
};

function write(...names: string[]): void {
  mkdirSync(path.dirname(at(...names)), { recursive: true });
  writeFileSync(at(...names), 'x');
}

beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'project-watch-')));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  watch = new ProjectWatch();
  noted = [];
});

describe('a protected place in a subfolder', () => {
  it.each(NAMES.filter((name) => name !== '.git'))(
    '%s is noticed as a file and as a folder',
    async (name) => {
      mkdirSync(at('sub/package'), { recursive: true });
      watch.begin(project);
      write('sub', name);
      write('sub/package', name, 'inside.json');
      await oneMore();
      expect(places()).toContain(path.join('sub/package', name));
      expect(places().some((each) => each.startsWith('sub/') && !each.startsWith('sub/package'))).toBe(true);
      expect(await kinds()).toEqual([]);
    },
  );

  it('is noticed again when a file in it changes', async () => {
    write('sub/.vscode/tasks.json');
    write('sub/.envrc');
    watch.begin(project);
    expect(await kinds()).toEqual([]);
    appendFileSync(at('sub/.vscode/tasks.json'), 'y');
    await oneMore();
    expect(places()).toEqual(['sub/.vscode']);
    watch.dismiss(project, null);
    expect(places()).toEqual([]);
    utimesSync(at('sub/.vscode/tasks.json'), 0, 0);
    write('sub/.envrc');
    await oneMore();
    expect(places().toSorted()).toEqual(['sub/.envrc', 'sub/.vscode']);
  });

  it('is not reported if the user allows it, at the top, or when it is gone', async () => {
    watch = new ProjectWatch({
      tops: () => [project, at('inner')],
      isOpened: (_, each) => each === at('a/.envrc'),
    });
    watch.begin(project);
    for (const name of ['a/.envrc', '.envrc', 'inner/.envrc', 'b/.envrc']) write(name);
    await oneMore();
    expect(places()).toEqual(['b/.envrc']);
    rmSync(at('b'), { recursive: true });
    expect(places()).toEqual([]);
  });

  it('is found in a writable folder outside of the project', async () => {
    const other = realpathSync(mkdtempSync(path.join(tmpdir(), 'project-watch-other-')));
    onTestFinished(() => rmSync(other, { recursive: true, force: true }));
    watch = new ProjectWatch({ tops: () => [project, other], isOpened: () => false });
    watch.begin(project);
    mkdirSync(path.join(other, 'sub'));
    writeFileSync(path.join(other, 'sub/.mcp.json'), '{}');
    await oneMore();
  });

  it('is found in a folder that Git takes for a repository', async () => {
    for (const name of ['bare/HEAD', 'bare/objects/x', 'bare/refs/x']) write(name);
    watch.begin(project);
    write('bare/sub/.envrc');
    await oneMore();
  });

  it('is no reason to report ordinary files', async () => {
    watch.begin(project);
    for (const name of ['sub/Makefile', 'sub/main.lisp', 'sub/.gitignore', 'sub/mise/notes.txt']) write(name);
    expect(await kinds()).toEqual([]);
  });
});

describe('a look', () => {
  it.runIf(process.platform === 'linux')('is made only after a change, at any depth', async () => {
    mkdirSync(at('a/b/c'), { recursive: true });
    watch.begin(project);
    const looks = vi.spyOn(RepositoryScan, 'fresh');
    onTestFinished(() => looks.mockRestore());
    await kinds();
    await kinds();
    expect(looks).toHaveBeenCalledTimes(0);
    write('a/b/c/new/deeper/file');
    await kinds();
    expect(looks).toHaveBeenCalledTimes(1);
    write('a/b/c/new/deeper/.envrc');
    await oneMore();
    await kinds();
    expect(looks).toHaveBeenCalledTimes(2);
  });

  it('is made of a folder that takes the place of the project', async () => {
    watch.begin(project);
    // The end of a folder is not notified as long as somebody uses it.
    const used = openSync(project, 'r');
    onTestFinished(() => closeSync(used));
    rmdirSync(project);
    mkdirSync(project);
    write('sub/.envrc');
    await oneMore();
    write('sub/sub/.envrc');
    await oneMore();
  });

  it('is made of a tree with more folders than are watched', async () => {
    for (let count = 0; count < 2_001; count += 1) mkdirSync(at(`many/${count}`), { recursive: true });
    watch.begin(project);
    write('many/7/.envrc');
    await oneMore();
    write('many/8/.envrc');
    await oneMore();
  });

  it('finds what thousands of writes hide', async () => {
    mkdirSync(at('sub'));
    watch.begin(project);
    for (let count = 0; count < 20_000; count += 1) {
      if (count === 10_000) write('sub/.envrc');
      appendFileSync(at('sub/log'), 'x');
    }
    await oneMore();
  });
});
