/** The allow-list: its defaults, the entries a user may add, and the projects they apply to. */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AllowEntry } from '../../electron/contract/sandbox';
import { seatbeltRules } from '../../electron/launchers/sandbox-exec';
import { AllowList } from '../../electron/sandbox/allow-list';
import { mountArguments, mounts } from '../../electron/sandbox/bubblewrap-arguments';
import { decideFile } from '../../electron/sandbox/file-policy';

let root: string;
let entries: AllowEntry[];
let off: string[];
let networked: string[];
let list: AllowList;

const at = (...parts: string[]) => path.join(root, ...parts);
const entry = (folder: string, rest: Partial<AllowEntry> = {}) =>
  AllowEntry.parse({ folder, power: 'read', ...rest });
const folders = (project?: string) =>
  list
    .rows(project)
    .map(({ folder }) => folder)
    .filter((folder) => folder.startsWith(root));

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-list-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['home/quicklisp', 'home/.m2/repository', 'home/code/api', 'home/notes', 'data'])
    mkdirSync(at(folder), { recursive: true });
  entries = [];
  off = [];
  networked = [];
  list = new AllowList({
    entries: () => entries,
    withoutDefaults: () => off,
    libraries: () => [],
    fetched: (project) => at('data/libraries', path.basename(project), 'fetched'),
    networkProjects: () => networked,
    home: at('home'),
    dataFolder: at('data'),
    temporaryFolders: [tmpdir()],
  });
});

describe('the allow-list', () => {
  it('contains the project and the existing libraries by default', () => {
    expect(
      list.rows(at('home/code')).map(({ folder, power, isDefault }) => [folder, power, isDefault]),
    ).toEqual(
      expect.arrayContaining([
        [at('home/code'), 'write', true],
        [at('home/quicklisp'), 'library', true],
        [at('home/.m2/repository'), 'library', true],
      ]),
    );
    expect(folders()).not.toContain(at('home/common-lisp'));
  });

  it('contains libraries fetched for a project, for that project only, although they are in the data folder', () => {
    const fetched = at('data/libraries/api/fetched');
    expect(folders(at('home/code/api'))).not.toContain(fetched);
    mkdirSync(fetched, { recursive: true });
    expect(folders(at('home/code/api'))).toContain(fetched);
    expect(folders(at('home/code'))).not.toContain(fetched);
    expect(folders()).not.toContain(fetched);
    off = [fetched];
    expect(folders(at('home/code/api'))).not.toContain(fetched);
  });

  it('leaves out the defaults that the user removed', () => {
    off = [at('home/quicklisp')];
    expect(folders()).toEqual([at('home/.m2/repository')]);
  });

  it("makes Git's files of a project read-only, until the user removes that", () => {
    const git = at('home/code/.git');
    expect(folders(at('home/code'))).not.toContain(git);
    mkdirSync(git);
    expect(list.rows(at('home/code'))).toContainEqual(
      expect.objectContaining({ folder: git, power: 'read', project: at('home/code'), isDefault: true }),
    );
    expect(list.rows(at('home/code')).find(({ folder }) => folder === git)?.reason).toMatch(/hooks/);
    expect(list.confinement(at('home/code')).protectedPaths).toEqual([git]);
    off = [git];
    expect(folders(at('home/code'))).not.toContain(git);
    expect(list.removedDefaults(at('home/code')).map(({ folder }) => folder)).toEqual([git]);
    expect(list.confinement(at('home/code')).protectedPaths).toEqual([]);
  });

  it('does so in other writable folders, also for the .git file of a work tree, but not for a link', () => {
    entries = [entry(at('home/notes'), { power: 'write' })];
    writeFileSync(at('home/notes/.git'), 'gitdir: elsewhere');
    mkdirSync(at('home/secret'));
    symlinkSync(at('home/secret'), at('home/code/.git'));
    expect(folders(at('home/code'))).toContain(at('home/notes/.git'));
    expect(folders(at('home/code'))).not.toContain(at('home/code/.git'));
    expect(list.confinement(at('home/code')).readable).not.toContain(at('home/secret'));
  });

  it("allows Git's files by an entry that names them", () => {
    mkdirSync(at('home/code/.git'));
    entries = [entry(at('home/code/.git'), { power: 'write' })];
    expect(list.refusal(entry(at('home/code/.git'), { power: 'write' }))).toBeNull();
    expect(list.confinement(at('home/code')).writable).toContain(at('home/code/.git'));
    expect(decideFile(at('home/code/.git/index'), 'write', list.rules(at('home/code'))).allowed).toBe(true);
  });

  it('narrows a writable folder by an entry below it', () => {
    entries = [entry(at('home/code/api'))];
    const rules = list.rules(at('home/code'));
    expect(decideFile(at('home/code/main.lisp'), 'write', rules).allowed).toBe(true);
    expect(decideFile(at('home/code/api/a.lisp'), 'write', rules)).toMatchObject({ rule: 'read_only' });
    const { writable, readable } = list.confinement(at('home/code'));
    const profile = seatbeltRules([], { writable, readable, network: false });
    const api = at('home/code/api');
    expect(profile.indexOf(`(deny file-write* (subpath "${api}"))`)).toBeGreaterThan(
      profile.indexOf(`file-write* (subpath "${at('home/code')}")`),
    );
    const mounted = mountArguments(mounts([], { writable, readable, network: false }, [])).join(' ');
    expect(mounted.indexOf(`--ro-bind-try ${api} `)).toBeGreaterThan(
      mounted.indexOf(`--bind ${at('home/code')} `),
    );
  });

  it('applies entries to one project and those below it', () => {
    entries = [entry(at('home/notes'), { project: at('home/code') })];
    expect(folders(at('home/code'))).toContain(at('home/notes'));
    expect(folders(at('home/code/api'))).toContain(at('home/notes'));
    expect(folders(at('home/notes'))).toEqual(expect.not.arrayContaining([expect.stringMatching(/code/)]));
    expect(folders(at('home/code-2'))).not.toContain(at('home/notes'));
  });

  it('never contains folders that would open everything, whoever added them', () => {
    for (const folder of ['/', at('home'), root, at('data'), at('data/sessions'), 'notes'])
      expect(list.refusal(entry(folder)), folder).toMatch(/cannot be on the allow-list|not an absolute path/);
    expect(list.refusal(entry('/usr', { power: 'write' }))).toMatch(/system folder/);
    expect(list.refusal(entry('/usr/share'))).toBeNull();
    entries = [entry('/'), entry(at('home')), entry(at('home/notes'))];
    expect(folders()).toContain(at('home/notes'));
    expect(folders()).not.toContain(at('home'));
  });

  it('contains no entry behind a link, whose target could change', () => {
    entries = [entry(at('home/notes'), { power: 'write' })];
    expect(folders()).toContain(at('home/notes'));
    renameSync(at('home/notes'), at('home/old'));
    symlinkSync(at('home/.m2'), at('home/notes'));
    expect(folders()).not.toContain(at('home/notes'));
    expect(list.refusal(entry(at('home/notes')))).toContain(`Name the folder itself: ${at('home/.m2')}.`);
  });
});

describe('the confinement of images', () => {
  const here = () => list.confinement(at('home/code'));

  it('follows from the powers of the entries', () => {
    entries = [entry(at('home/notes')), entry(at('home/gone'), { power: 'write' })];
    expect(here().writable).toEqual([at('home/code')]);
    expect(here().readable).toEqual(expect.arrayContaining([at('home/notes'), at('home/quicklisp')]));
    entries = [entry(at('home/notes'), { power: 'write' })];
    expect(here().writable).toEqual([at('home/code'), at('home/notes')]);
    expect(here().readable).not.toContain(at('home/notes'));
  });

  it('marks the folders that the user added', () => {
    writeFileSync(at('home/code/a.lisp'), '');
    entries = [entry(at('home/notes')), entry(at('home/code/a.lisp')), entry(at('home/gone'))];
    expect(here().added).toEqual([at('home/notes')]);
  });

  it('contains libraries at their path and their real path', () => {
    symlinkSync(at('home/notes'), at('home/common-lisp'));
    expect(here().readable).toEqual(expect.arrayContaining([at('home/common-lisp'), at('home/notes')]));
  });

  it('contains no library behind a link that code may replace, anywhere on the way', () => {
    symlinkSync(at('home/code/libraries'), at('home/common-lisp'));
    symlinkSync(at('home/notes'), at('home/code/libraries'));
    const { readable } = here();
    for (const none of ['home/common-lisp', 'home/code/libraries', 'home/notes'])
      expect(readable).not.toContain(at(none));
    expect(list.rules(at('home/code')).rows.map(({ folder }) => folder)).not.toContain(at('home/notes'));
  });

  it('contains only the project when a link replaced it', () => {
    renameSync(at('home/code'), at('home/old'));
    symlinkSync(at('home/notes'), at('home/code'));
    expect(here().writable).toEqual([at('home/code')]);
  });

  it('hides the existing secrets', () => {
    mkdirSync(at('home/.ssh'));
    expect(here().hidden).toContainEqual({ path: at('home/.ssh'), isFolder: true });
    expect(here().hidden?.map(({ path: place }) => place)).not.toContain(at('home/.aws'));
    symlinkSync(at('home/notes'), at('home/.aws'));
    expect(here().hidden).toContainEqual({ path: at('home/notes'), isFolder: true });
    expect(here().hidden?.map(({ path: place }) => place)).not.toContain(at('home/.aws'));
  });

  it('has a network for projects to which the user gave one, and those below', () => {
    expect(here().network).toBe(false);
    networked = [at('home/code')];
    expect(here().network).toBe(true);
    expect(list.confinement(at('home/code/api')).network).toBe(true);
    expect(list.confinement(at('home/notes')).network).toBe(false);
  });
});
