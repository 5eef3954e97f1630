import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Projects } from '../../electron/sandbox/projects';
import { type Places, projectRefusal } from '../../electron/sandbox/protection';

/** A home with a work folder, a data folder in it, and another user's folder next to it. */
function newPlaces() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'harbor-projects-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string) => path.join(root, name);
  for (const each of [
    'home/ada/code/geometry/src',
    'home/ada/share/data/scratch/one',
    'home/ada/share/data/sessions',
    'srv/other',
  ]) {
    mkdirSync(at(each), { recursive: true });
  }
  const approved: string[] = [];
  const projects = new Projects({
    approved: () => approved,
    home: at('home/ada'),
    dataFolder: at('home/ada/share/data'),
    temporaryFolders: [tmpdir()],
  });
  return { at, approved, projects };
}

/** No client and no installation. */
const OTHER = { installation: [], clientFiles: [] };

const notApproved = expect.objectContaining({ code: 'project_not_approved' });
const badArguments = expect.objectContaining({ code: 'bad_arguments' });

describe('a folder that the user chooses', () => {
  it('is returned as its real path', () => {
    const { at, projects } = newPlaces();
    symlinkSync(at('home/ada/code'), at('link'));
    expect(projects.approve(at('home/ada/code'))).toBe(at('home/ada/code'));
    expect(projects.approve(at('link/geometry/../geometry'))).toBe(at('home/ada/code/geometry'));
    expect(projects.approve(path.relative(process.cwd(), at('srv')))).toBe(at('srv'));
  });

  it('must be a folder', () => {
    const { at, projects } = newPlaces();
    writeFileSync(at('file'), '');
    expect(() => projects.approve(at('file'))).toThrow(badArguments);
    expect(() => projects.approve(at('missing'))).toThrow(badArguments);
  });

  it('is never the home folder, nor one that contains it', () => {
    const { at, projects } = newPlaces();
    expect(() => projects.approve(at('home/ada'))).toThrow(/your home folder/);
    expect(() => projects.approve(at('home'))).toThrow(notApproved);
    expect(() => projects.approve('/')).toThrow(notApproved);
  });

  it('is never a Git folder, nor below one', () => {
    const { at, approved, projects } = newPlaces();
    mkdirSync(at('home/ada/code/.git/hooks'), { recursive: true });
    approved.push(at('home/ada/code'));
    expect(() => projects.approve(at('home/ada/code/.git'))).toThrow(/Git runs its hooks/);
    for (const each of ['.git', '.git/hooks'])
      expect(() => projects.resolve(at(`home/ada/code/${each}`)), each).toThrow(notApproved);
  });

  it('is never the data folder, a folder in it except scratch, nor one that contains it', () => {
    const { at, projects } = newPlaces();
    for (const each of ['', '/data', '/data/sessions']) {
      expect(() => projects.approve(at(`home/ada/share${each}`))).toThrow(notApproved);
    }
    for (const each of ['scratch', 'scratch/one']) {
      expect(projects.approve(at(`home/ada/share/data/${each}`))).toBe(at(`home/ada/share/data/${each}`));
    }
  });

  it('is never a system folder, also by another name', () => {
    const { at, projects } = newPlaces();
    symlinkSync('/usr', at('home/ada/code/tools'));
    symlinkSync(at('home/ada'), at('home/ada/code/up'));
    for (const each of [
      '/usr/lib',
      '/etc',
      '/proc/self',
      tmpdir(),
      at('home/ada/code/tools/lib'),
      at('home/ada/code/up'),
    ]) {
      expect(() => projects.approve(each)).toThrow(notApproved);
    }
  });
});

describe('a project that a call names', () => {
  it('is an approved folder or one below it', () => {
    const { at, approved, projects } = newPlaces();
    expect(() => projects.resolve(at('home/ada/code'))).toThrow(/not an approved project.*--project DIR/);
    approved.push(at('home/ada/code'));
    expect(projects.resolve(at('home/ada/code'))).toBe(at('home/ada/code'));
    expect(projects.resolve(at('home/ada/code/geometry/src/'))).toBe(at('home/ada/code/geometry/src'));
    for (const each of ['srv/other', 'home/ada', 'home/ada/code/../share', 'home/ada/codeshop']) {
      expect(() => projects.resolve(at(each))).toThrow(notApproved);
    }
  });

  it('does not leave the approved folder by a link, a link to a link, or a link to the parent', () => {
    const { at, approved, projects } = newPlaces();
    approved.push(at('home/ada/code'));
    symlinkSync(at('srv/other'), at('home/ada/code/out'));
    symlinkSync('out', at('home/ada/code/again'));
    symlinkSync('..', at('home/ada/code/above'));
    symlinkSync('loop', at('home/ada/code/loop'));
    for (const each of ['out', 'again', 'above', 'above/share/data', 'geometry/../out']) {
      expect(() => projects.resolve(`${at('home/ada/code')}/${each}`)).toThrow(notApproved);
    }
    expect(() => projects.resolve(at('home/ada/code/loop'))).toThrow(badArguments);
  });

  it('may be reached by a link from outside, and approved by one', () => {
    const { at, approved, projects } = newPlaces();
    symlinkSync(at('home/ada/code'), at('link'));
    approved.push(at('link'));
    expect(projects.resolve(at('home/ada/code/geometry'))).toBe(at('home/ada/code/geometry'));
    expect(projects.resolve(at('link/geometry'))).toBe(at('home/ada/code/geometry'));
  });

  it('follows the current target of a link, not the one at approval', () => {
    const { at, approved, projects } = newPlaces();
    symlinkSync(at('home/ada/code'), at('link'));
    approved.push(projects.approve(at('link')));
    rmSync(at('link'));
    symlinkSync(at('srv'), at('link'));
    expect(() => projects.resolve(at('link/other'))).toThrow(notApproved);
  });

  it('must be a folder', () => {
    const { at, approved, projects } = newPlaces();
    approved.push(at('home/ada/code'));
    writeFileSync(at('home/ada/code/notes.lisp'), '');
    for (const each of ['work', './work', at('home/ada/code/notes.lisp'), at('home/ada/code/missing')]) {
      expect(() => projects.resolve(each)).toThrow(badArguments);
    }
  });

  it('may be relative to the caller’s own project, else to an approved one, and leaves neither', () => {
    const { at, approved, projects } = newPlaces();
    approved.push(at('home/ada/code'));
    const own = at('home/ada/code/geometry');
    expect(projects.resolve('geometry/src')).toBe(at('home/ada/code/geometry/src'));
    expect(projects.resolve('src', own)).toBe(at('home/ada/code/geometry/src'));
    expect(projects.resolve('geometry', own)).toBe(own);
    expect(projects.resolve('.', own)).toBe(own);
    expect(projects.resolve('..', own)).toBe(at('home/ada/code'));
    symlinkSync(at('srv/other'), at('home/ada/code/out'));
    for (const each of ['../..', '../../share', 'out', '../out', '../../../srv/other'])
      expect(() => projects.resolve(each, own)).toThrow(notApproved);
  });

  it('does not reveal what exists outside', () => {
    const { at, approved, projects } = newPlaces();
    approved.push(at('home/ada/code'));
    expect(() => projects.resolve(at('srv/other'))).toThrow(notApproved);
    expect(() => projects.resolve(at('srv/missing'))).toThrow(notApproved);
  });

  it('is not allowed by a settings file that names a forbidden or missing folder', () => {
    const { at, approved, projects } = newPlaces();
    approved.push('/', at('home/ada'), at('home/ada/share/data'), at('gone'));
    for (const each of ['home/ada/code', 'home/ada', 'home/ada/share/data/sessions']) {
      expect(() => projects.resolve(at(each))).toThrow(notApproved);
    }
  });
});

describe('projectRefusal', () => {
  const linux: Places = {
    ...OTHER,
    platform: 'linux',
    home: '/home/ada',
    dataFolder: '/home/ada/.local/share/lisp-harbor',
    temporaryFolders: ['/var/folders/x'],
  };
  /** A home in a system folder, as root and users of services have. */
  const service: Places = {
    ...linux,
    home: '/var/lib/chief',
    dataFolder: '/var/lib/chief/.local/share/lisp-harbor',
  };
  const mac: Places = {
    ...OTHER,
    platform: 'darwin',
    home: '/Users/ada',
    dataFolder: '/Users/ada/Library/Application Support/Lisp Harbor',
    temporaryFolders: ['/private/var/folders/ab/T'],
  };
  const windows: Places = {
    ...OTHER,
    platform: 'win32',
    home: 'C:\\Users\\Ada',
    dataFolder: 'C:\\Users\\Ada\\AppData\\Local\\Lisp Harbor',
    temporaryFolders: ['C:\\Users\\Ada\\AppData\\Local\\Temp'],
  };

  const never: [Places, string[]][] = [
    [
      linux,
      [
        '/',
        '/home',
        '/home/ada',
        '/usr',
        '/usr/local/src/x',
        '/etc/x',
        '/var',
        '/var/lib/x',
        '/lib64',
        '/root',
        '/opt/x',
        '/tmp',
        '/var/tmp',
        '/home/ada/.local',
      ],
    ],
    [service, ['/var/lib/chief', '/var/lib/chief/.local/share/lisp-harbor/cores', '/var/lib/x', '/etc']],
    [
      mac,
      [
        '/',
        '/Users',
        '/System/x',
        '/Library/x',
        '/Applications/X.app',
        '/private',
        '/private/etc',
        '/private/tmp',
        '/private/var/folders/ab/T',
        '/Users/ada/Library',
      ],
    ],
    [
      windows,
      [
        'C:\\',
        'D:\\',
        'C:\\Users',
        'c:\\users\\ada',
        'C:\\Windows\\System32',
        'D:\\WINDOWS',
        'C:\\Program Files\\X',
        'C:\\ProgramData',
        'C:\\Users\\Ada\\AppData\\Local\\lisp harbor\\cores',
      ],
    ],
  ];
  it.each(never.flatMap(([places, folders]) => folders.map((folder) => ({ places, folder }))))(
    'refuses $folder ($places.platform, home $places.home)',
    ({ places, folder }) => expect(projectRefusal(folder, places)).not.toBeNull(),
  );

  const fine: [Places, string[]][] = [
    [
      linux,
      [
        '/home/ada/x',
        '/home/eve/shared',
        '/srv/x',
        '/work',
        '/tmp/x',
        '/var/tmp/x',
        '/var/folders/x/y',
        '/usrlocal',
        '/home/ada/..x',
        '/home/ada/.local/share/lisp-harbor/scratch/1',
      ],
    ],
    [service, ['/var/lib/chief/work', '/home/ada/x']],
    [
      mac,
      [
        '/Users/ada/x',
        '/Volumes/disk/x',
        '/private/tmp/x',
        '/private/var/folders/ab/T/x',
        '/Users/ada/Library/x',
      ],
    ],
    [
      windows,
      ['C:\\Users\\Ada\\work', 'D:\\work', 'C:\\Users\\Ada\\AppData\\Local\\Temp\\x', 'C:\\Windows2'],
    ],
  ];
  it.each(fine.flatMap(([places, folders]) => folders.map((folder) => ({ places, folder }))))(
    'accepts $folder ($places.platform, home $places.home)',
    ({ places, folder }) => expect(projectRefusal(folder, places)).toBeNull(),
  );
});
