/** Files that clients read and write: real folders, real links, and names that are replaced meanwhile. */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AllowEntry } from '../../electron/contract/sandbox';
import { OpenedFolder } from '../../electron/host/opened-folder';
import { AllowList } from '../../electron/sandbox/allow-list';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import type { FileBytes } from '../../electron/source/files';

let root: string;
let project: string;
let entries: AllowEntry[];
let systems: string[];
let guard: FileGuard;
let rulesComputed = 0;
let guardOf: (mostListed?: number) => FileGuard;

const at = (...parts: string[]) => path.join(root, ...parts);
const refusal = (code: string) => expect.objectContaining({ code });
const bytes = (content: string) => Buffer.from(content);
const text = (content: Uint8Array) => Buffer.from(content).toString();
const allow = (folder: string, power: AllowEntry['power']) =>
  entries.push({
    folder: at(folder),
    power,
    reason: 'for the test',
    addedBy: 'ada',
    addedAt: 1,
    project: null,
  });

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-guard-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['home/.ssh', 'home/quicklisp/fives', 'home/quicklisp/other', 'data/scratch'])
    mkdirSync(at(folder), { recursive: true });
  for (const folder of ['home/.config/gh', 'home/code/src', 'home/code/.git', 'home/notes', 'home/code-2'])
    mkdirSync(at(folder), { recursive: true });
  for (const [file, content] of [
    ['home/code/src/a.lisp', '(a)'],
    ['home/.ssh/id_decoy', 'decoy'],
    ['home/.config/gh/decoy', 'decoy'],
    ['home/.config/editor', 'editor'],
    ['home/quicklisp/fives/f.lisp', '(f)'],
    ['home/quicklisp/other/o.lisp', '(o)'],
    ['home/notes/n.txt', 'notes'],
    ['data/settings.json', '{}'],
    ['outside.txt', 'outside'],
  ] as const)
    writeFileSync(at(file), content);
  project = at('home/code');
  entries = [];
  systems = [];
  const list = new AllowList({
    entries: () => entries,
    withoutDefaults: () => [],
    libraries: () => [],
    networkProjects: () => [],
    home: at('home'),
    dataFolder: at('data'),
    temporaryFolders: [tmpdir()],
  });
  guardOf = (mostListed) =>
    new FileGuard({
      rules: (of, claimed) => {
        rulesComputed += 1;
        return list.rules(of, claimed);
      },
      systems: async () => systems.map((folder) => ({ name: 'fives', folder, session: 'sbcl-1' })),
      ...(mostListed === undefined ? {} : { mostListed }),
    });
  guard = guardOf();
});

describe('listing', () => {
  it('reports that a listing was cut off', async () => {
    for (const name of ['b.lisp', 'c.lisp']) writeFileSync(at('home/code/src', name), '');
    expect(await guardOf(3).list(project, 'src')).toMatchObject({ complete: true });
    const cut = await guardOf(2).list(project, 'src');
    expect({ complete: cut.complete, names: cut.entries.length }).toEqual({ complete: false, names: 2 });
  });
});

describe('reading', () => {
  it('returns the bytes, the real path and the hash', async () => {
    symlinkSync('src', at('home/code/short'));
    const read = await guard.read(project, 'short/a.lisp');
    expect([read.path, text(read.bytes)]).toEqual([at('home/code/src/a.lisp'), '(a)']);
    expect(read.hash).toMatch(/^[0-9a-f]{12}$/);
  });

  it('stays in the project, whatever leads out', async () => {
    symlinkSync(at('outside.txt'), at('home/code/link.txt'));
    symlinkSync(root, at('home/code/everything'));
    for (const file of [
      '../notes/n.txt',
      at('outside.txt'),
      'link.txt',
      'everything/outside.txt',
      '../work-2/x',
    ])
      await expect(guard.read(project, file), file).rejects.toThrow(refusal('path_not_allowed'));
  });

  it('suggests what the user could allow, and then follows it', async () => {
    await expect(guard.read(project, at('home/notes/n.txt'))).rejects.toThrow(/"power":"read"/);
    await expect(guard.write(project, at('home/notes/m.txt'), bytes('x'), null)).rejects.toThrow(
      JSON.stringify({ folder: at('home/notes'), power: 'write', reason: '…' }),
    );
    allow('home/notes', 'read');
    expect(text((await guard.read(project, at('home/notes/n.txt'))).bytes)).toBe('notes');
    await expect(guard.write(project, at('home/notes/m.txt'), bytes('x'), null)).rejects.toThrow(
      /is read-only/,
    );
  });

  it('opens library files of loaded systems, and nothing else that an image claims', async () => {
    const file = at('home/quicklisp/fives/f.lisp');
    await expect(guard.read(project, file)).rejects.toThrow(/Load the system first/);
    systems = [at('home/quicklisp/fives')];
    expect(text((await guard.read(project, file)).bytes)).toBe('(f)');
    systems = ['/', at('home'), at('home/notes')];
    for (const each of [file, at('home/quicklisp/other/o.lisp'), at('home/notes/n.txt'), '/etc/passwd'])
      await expect(guard.read(project, each), each).rejects.toThrow(refusal('path_not_allowed'));
  });

  it('reads many files of a folder by one set of rules, without those that it refuses', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `f${index}.lisp`);
    for (const name of many) writeFileSync(at('home/code/src', name), name);
    symlinkSync(at('outside.txt'), at('home/code/src/link.lisp'));
    symlinkSync(at('home/.ssh/id_decoy'), at('home/code/src/secret.lisp'));
    linkSync(at('home/.ssh/id_decoy'), at('home/code/src/hard.lisp'));
    symlinkSync('../top.lisp', at('home/code/src/inside.lisp'));
    writeFileSync(at('home/code/top.lisp'), 'top');
    const names = [...many, 'link.lisp', 'secret.lisp', 'hard.lisp', 'inside.lisp', '../..', 'none.lisp'];
    const before = rulesComputed;
    const read: FileBytes[] = [];
    for await (const file of guard.readEach(project, 'src', names)) read.push(file);
    expect(read.map((file) => text(file.bytes))).toEqual([...many, 'top']);
    expect(read.at(-1)?.path).toBe(at('home/code/top.lisp'));
    expect(rulesComputed - before).toBeLessThan(20);
    for await (const file of guard.readEach(project, 'gone', names)) expect.unreachable(file.path);
  });

  it('refuses folders, pipes and devices without blocking', async () => {
    execFileSync('mkfifo', [at('home/code/pipe')]);
    for (const file of ['src', 'pipe', 'src/a.lisp/x'])
      await expect(guard.read(project, file), file).rejects.toThrow(refusal('not_a_file'));
    await expect(guard.read(project, 'none.lisp')).rejects.toThrow(refusal('file_missing'));
  });
});

describe('a secret', () => {
  it('is refused inside an allowed folder, by link and by hard link', async () => {
    allow('home/.config', 'read');
    symlinkSync(at('home/.config/gh'), at('home/code/keys'));
    linkSync(at('home/.config/gh/decoy'), at('home/code/same'));
    for (const file of [at('home/.config/gh/decoy'), at('home/.config/GH/decoy'), 'keys/decoy', 'same'])
      await expect(guard.read(project, file), file).rejects.toThrow(refusal('secret_path'));
    await expect(guard.write(project, 'keys/new', bytes('x'), null)).rejects.toThrow(refusal('secret_path'));
    expect(text((await guard.read(project, at('home/.config/editor'))).bytes)).toBe('editor');
  });

  it('is refused at its real path if it is a link itself', async () => {
    renameSync(at('home/.ssh'), at('home/code/ssh-settings'));
    symlinkSync(at('home/code/ssh-settings'), at('home/.ssh'));
    await expect(guard.read(project, 'ssh-settings/id_decoy')).rejects.toThrow(refusal('secret_path'));
  });

  it('is opened only by an entry that names it', async () => {
    allow('home/.ssh/id_decoy', 'read');
    expect(text((await guard.read(project, at('home/.ssh/id_decoy'))).bytes)).toBe('decoy');
    await expect(guard.read(project, at('home/.ssh/other'))).rejects.toThrow(refusal('secret_path'));
  });

  it('stays a secret if it is the data folder, except for projects in it', async () => {
    allow('data', 'write');
    await expect(guard.read(project, at('data/settings.json'))).rejects.toThrow(/never open/);
    const written = await guard.write(at('data/scratch'), 'a.lisp', bytes('1'), null);
    expect(written.path).toBe(at('data/scratch/a.lisp'));
  });
});

describe('writing', () => {
  it('creates a file and its parent folders, byte for byte', async () => {
    const { path: file, hash } = await guard.write(project, 'b/c/d.lisp', bytes('λ\r\n'), null);
    expect(readFileSync(file, 'utf8')).toBe('λ\r\n');
    expect((await guard.read(project, 'b/c/d.lisp')).hash).toBe(hash);
    expect(readdirSync(path.dirname(file))).toEqual(['d.lisp']);
  });

  it('replaces a file if the hash matches, and keeps its permissions', async () => {
    execFileSync('chmod', ['750', at('home/code/src/a.lisp')]);
    const write = (expected: string | null) => guard.write(project, 'src/a.lisp', bytes('(b)'), expected);
    await expect(write(null)).rejects.toThrow(refusal('file_exists'));
    await expect(write('0'.repeat(64))).rejects.toThrow(refusal('hash_mismatch'));
    await write((await guard.read(project, 'src/a.lisp')).hash);
    expect(readFileSync(at('home/code/src/a.lisp'), 'utf8')).toBe('(b)');
    expect(statSync(at('home/code/src/a.lisp')).mode & 0o777).toBe(0o750);
    expect(readdirSync(at('home/code/src'))).toEqual(['a.lisp']);
  });

  it('creates no folders for a file that should exist', async () => {
    await expect(guard.write(project, 'x/y.lisp', bytes(''), '0'.repeat(64))).rejects.toThrow(
      refusal('file_missing'),
    );
    expect(readdirSync(project)).not.toContain('x');
  });

  it('never follows a link, not for a new file either', async () => {
    symlinkSync(at('home/notes'), at('home/code/out'));
    symlinkSync(at('home/new.txt'), at('home/code/dangling'));
    for (const file of ['out/new.txt', 'out/deep/new.txt', 'dangling', '../new.txt', at('home/new.txt')])
      await expect(guard.write(project, file, bytes('x'), null), file).rejects.toThrow(
        refusal('path_not_allowed'),
      );
    expect(readdirSync(at('home'))).not.toContain('new.txt');
    expect(readdirSync(at('home/notes'))).toEqual(['n.txt']);
  });

  it('leaves hard links of the file unchanged', async () => {
    linkSync(at('home/notes/n.txt'), at('home/code/n.txt'));
    await guard.write(project, 'n.txt', bytes('mine'), (await guard.read(project, 'n.txt')).hash);
    expect(readFileSync(at('home/notes/n.txt'), 'utf8')).toBe('notes');
  });
});

describe('an opened folder', () => {
  it('stays the checked folder when a link replaces it', async () => {
    const folder = await OpenedFolder.open(at('home/code/src'));
    onTestFinished(() => folder.close());
    renameSync(at('home/code/src'), at('home/code/old'));
    symlinkSync(at('home/.ssh'), at('home/code/src'));
    await expect(folder.file('id_decoy')).rejects.toThrow(/ENOENT/);
    await expect(folder.file('a.lisp')).rejects.toThrow(/was replaced after/);
    await expect(OpenedFolder.open(at('home/code/src'))).rejects.toThrow(/ELOOP|ENOTDIR|was replaced/);
    await expect(OpenedFolder.open(at('home/code/src/deeper'))).rejects.toThrow(/ENOENT|was replaced/);
  });
});

describe('listing', () => {
  it('tells files and folders, and no link that leads out', async () => {
    symlinkSync(at('home/.ssh'), at('home/code/keys'));
    symlinkSync('src', at('home/code/short'));
    const { entries: found } = await guard.list(project, '.');
    expect(found.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: '.git', type: 'directory' },
      { name: 'short', type: 'directory' },
      { name: 'src', type: 'directory' },
    ]);
    await expect(guard.list(project, 'src/a.lisp')).rejects.toThrow(refusal('not_a_file'));
    await expect(guard.list(project, 'none')).rejects.toThrow(refusal('file_missing'));
    await expect(guard.list(project, '..')).rejects.toThrow(refusal('path_not_allowed'));
  });
});
