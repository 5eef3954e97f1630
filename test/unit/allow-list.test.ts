/** What is on the allow-list without a word, what a person may add, and for which project it holds. */
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
import { AllowEntry } from '../../electron/contract/allow-list';
import { AllowList } from '../../electron/sandbox/allow-list';

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
    networkProjects: () => networked,
    home: at('home'),
    dataFolder: at('data'),
    temporaryFolders: [tmpdir()],
  });
});

describe('the allow-list', () => {
  it('has by default the project and the libraries that are there', () => {
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

  it('leaves out the defaults that a person took off', () => {
    off = [at('home/quicklisp')];
    expect(folders()).toEqual([at('home/.m2/repository')]);
  });

  it('has entries for one project, and for those below it', () => {
    entries = [entry(at('home/notes'), { project: at('home/code') })];
    expect(folders(at('home/code'))).toContain(at('home/notes'));
    expect(folders(at('home/code/api'))).toContain(at('home/notes'));
    expect(folders(at('home/notes'))).toEqual(expect.not.arrayContaining([expect.stringMatching(/code/)]));
    expect(folders(at('home/code-2'))).not.toContain(at('home/notes'));
  });

  it('never has folders that would open everything, whoever wrote them down', () => {
    for (const folder of ['/', at('home'), root, at('data'), at('data/sessions'), 'notes'])
      expect(list.refusal(entry(folder)), folder).toMatch(/cannot be on the allow-list|no absolute path/);
    expect(list.refusal(entry('/usr', { power: 'write' }))).toMatch(/system folder/);
    expect(list.refusal(entry('/usr/share'))).toBeNull();
    entries = [entry('/'), entry(at('home')), entry(at('home/notes'))];
    expect(folders()).toContain(at('home/notes'));
    expect(folders()).not.toContain(at('home'));
  });

  it('has no entry behind a link, which could lead elsewhere tomorrow', () => {
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

  it('follows from the powers: what may be written, and what may be read', () => {
    entries = [entry(at('home/notes')), entry(at('home/gone'), { power: 'write' })];
    expect(here().writable).toEqual([at('home/code')]);
    expect(here().readable).toEqual(expect.arrayContaining([at('home/notes'), at('home/quicklisp')]));
    entries = [entry(at('home/notes'), { power: 'write' })];
    expect(here().writable).toEqual([at('home/code'), at('home/notes')]);
    expect(here().readable).not.toContain(at('home/notes'));
  });

  it('tells which of the folders a person added', () => {
    writeFileSync(at('home/code/a.lisp'), '');
    entries = [entry(at('home/notes')), entry(at('home/code/a.lisp')), entry(at('home/gone'))];
    expect(here().added).toEqual([at('home/notes')]);
  });

  it('has libraries where they are written and where they are', () => {
    symlinkSync(at('home/notes'), at('home/common-lisp'));
    expect(here().readable).toEqual(expect.arrayContaining([at('home/common-lisp'), at('home/notes')]));
  });

  it('hides the secrets that are there', () => {
    mkdirSync(at('home/.ssh'));
    expect(here().hidden).toContainEqual({ path: at('home/.ssh'), isFolder: true });
    expect(here().hidden?.map(({ path: place }) => place)).not.toContain(at('home/.aws'));
  });

  it('has a network for projects that a person gave one, and for those below', () => {
    expect(here().network).toBe(false);
    networked = [at('home/code')];
    expect(here().network).toBe(true);
    expect(list.confinement(at('home/code/api')).network).toBe(true);
    expect(list.confinement(at('home/notes')).network).toBe(false);
  });
});
