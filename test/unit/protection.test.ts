/** What is protected: the table, the one judge that reads it, and those that must agree with it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AGENT_PROGRAMS } from '../../electron/connect/agent/agent-files';
import { CLIENT_PROGRAMS, clientFiles } from '../../electron/connect/programs/table';
import { PROTECTED_PLACES } from '../../electron/contract/protected-places';
import { AllowEntry } from '../../electron/contract/sandbox';
import { AllowList } from '../../electron/sandbox/allow-list';
import { decideFile } from '../../electron/sandbox/file-policy';
import { isWithin } from '../../electron/sandbox/paths';
import { Projects } from '../../electron/sandbox/projects';
import { projectRefusal, protectedIn, protectionOf } from '../../electron/sandbox/protection';
import { secretPaths } from '../../electron/sandbox/secret-paths';

const FACTS = { platform: 'linux', installation: ['/opt/harbor'] } as const;
const isProtected = (file: string) => protectionOf(file, FACTS) !== null;

const NAMES = PROTECTED_PLACES.map(({ place }) => place.replaceAll('*', 'x'));

/** Files that people run on purpose, and files like protected ones. */
const ORDINARY = [
  ...['Makefile', 'package.json', 'deps.edn', 'project.clj', 'system.asd', 'build.sh', '.gitignore', '.env'],
  ...['src/main.lisp', 'github/workflows', '.gitx/config', 'x.git', 'bin', 'node_modules/a.js', 'README.md'],
  ...['book.lisp', 'cert.acl2', 'mise/notes.txt', 'config/mise.toml.bak', '.nrepl-port', 'claude/rules.md'],
];

describe('the table', () => {
  it('names its source in each row, and no place twice', () => {
    for (const { place, source, program } of PROTECTED_PLACES) {
      expect(source.length, place).toBeGreaterThan(5);
      expect(program, place).not.toBe('');
      expect(place).toBe(place.toLowerCase());
    }
    expect(new Set(PROTECTED_PLACES.map(({ place }) => place)).size).toBe(PROTECTED_PLACES.length);
  });

  it('is the table of the documentation', async () => {
    const rows = Map.groupBy(PROTECTED_PLACES, ({ program, source }) => `${program} | ${source}`);
    const lines = [...rows].map(([key, places]) => {
      const [program, source] = key.split(' | ');
      return `| ${places.map(({ place }) => `\`${place}\``).join(' ')} | ${program}: ${places[0]?.reason} | ${source} |`;
    });
    await expect(`${PAGE}${lines.join('\n')}\n`).toMatchFileSnapshot('../../docs/protected-files.md');
  });

  it('has every file of a project in which a client or its agent keeps servers, hooks and skills', () => {
    const files = CLIENT_PROGRAMS.flatMap(({ project }) => project?.file ?? []);
    const installation = { computer: { platform: 'linux', home: '/h', env: {} }, launcher: ['x'] } as const;
    const pieces = AGENT_PROGRAMS.flatMap((each) => each.pieces({ ...installation, project: '/h/code' }));
    expect(files.length + pieces.length).toBeGreaterThan(12);
    for (const file of [...files.map((each) => `/h/code/${each}`), ...pieces.map(({ file }) => file)])
      expect(isProtected(file), file).toBe(true);
  });

  it.each(['linux', 'darwin', 'win32'] as const)('closes the own files of every client on %s', (platform) => {
    const home = platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada';
    const env = { CODEX_HOME: platform === 'win32' ? 'D:\\codex' : '/srv/codex' };
    const files = clientFiles({ platform, home, env, packages: ['Claude_1'] });
    const facts = { platform, home, dataFolder: platform === 'win32' ? 'D:\\data' : '/data' };
    const secrets = secretPaths({ ...facts, clientFiles: files });
    const places = { ...facts, installation: [], clientFiles: files, temporaryFolders: [] };
    const { dirname } = platform === 'win32' ? path.win32 : path.posix;
    expect(files.length).toBeGreaterThanOrEqual(CLIENT_PROGRAMS.filter(({ paths }) => paths).length);
    for (const file of files) {
      expect(
        secrets.some(({ path: at }) => isWithin(file, at, platform)),
        file,
      ).toBe(true);
      expect(projectRefusal(dirname(file), places), file).not.toBeNull();
    }
  });
});

describe('the judge', () => {
  it.each(NAMES)('protects %s at any depth, in any case, and what lies in it', (name) => {
    for (const file of [`/w/${name}`, `/w/a/b/${name}/c/d`, `/w/${name.toUpperCase()}`, `/w/a/${name}/..x`])
      expect(isProtected(file), file).toBe(true);
  });

  it('leaves ordinary files alone', () => {
    for (const file of ORDINARY) expect(isProtected(`/w/${file}`), file).toBe(false);
  });

  it('protects the installation', () => {
    expect(isProtected('/opt/harbor/resources/setup/places.mjs')).toBe(true);
    expect(isProtected('/opt/Harbor')).toBe(true);
    expect(isProtected('/opt/harbor-2/a')).toBe(false);
  });
});

/** A person's home with a project in a repository. */
function newPlaces() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'protection-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string) => path.join(root, name);
  const project = at('home/code');
  for (const folder of ['home/code/src', 'home/code/tools', 'home/harbor/out', 'home/clients', 'data'])
    mkdirSync(at(folder), { recursive: true });
  const approved = [project];
  const entries: AllowEntry[] = [];
  const places = {
    ...{ home: at('home'), dataFolder: at('data'), temporaryFolders: [tmpdir()] },
    ...{ installation: [at('home/harbor')], clientFiles: [at('home/clients/mcp.json')] },
  };
  const none = { withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] };
  const list = new AllowList({ entries: () => entries, ...none, projects: () => approved, ...places });
  const projects = new Projects({ approved: () => approved, ...places });
  const writes = (file: string, of = project) => decideFile(file, 'write', list.rules(of)).allowed;
  return { at, project, approved, entries, list, projects, writes };
}

const refused = expect.objectContaining({ code: 'project_not_approved' });

describe('a project', () => {
  it.each([...new Set(NAMES)])('is never %s, nor in it, from wherever it is named', (name) => {
    const { project, projects, at } = newPlaces();
    mkdirSync(path.join(project, name, 'inside'), { recursive: true });
    symlinkSync(path.join(project, name), path.join(project, 'way'));
    for (const folder of [
      name,
      `${name}/inside`,
      `src/../${name}`,
      'way',
      'way/inside',
      at(`home/code/${name}`),
    ])
      expect(() => projects.resolve(folder, project), folder).toThrow(refused);
    expect(() => projects.approve(path.join(project, name))).toThrow(refused);
    expect(() => projects.check(path.join(project, name, 'inside'))).toThrow(refused);
  });

  it('is never the installation or the folder of a client, lies in none and contains none', () => {
    const { at, approved, projects } = newPlaces();
    approved.push(at('home/harbor'), at('home/clients'));
    for (const folder of ['home/harbor', 'home/harbor/out', 'home/clients', 'home', 'data', '.']) {
      expect(() => projects.approve(at(folder)), folder).toThrow(refused);
      expect(() => projects.resolve(at(folder)), folder).toThrow(refused);
    }
    expect(projects.approved()).toEqual([at('home/code')]);
  });

  it('is an ordinary subfolder, a repository, or a work tree in the folder of an agent', () => {
    const { project, projects } = newPlaces();
    for (const name of ['.git', 'src/.git', '.claude/worktrees/fix/src'])
      mkdirSync(path.join(project, name), { recursive: true });
    for (const folder of ['.', 'src', '.claude/worktrees/fix', '.claude/worktrees/fix/src'])
      expect(projects.resolve(folder, project)).toBe(path.join(project, folder).replace(/\/\.$/, ''));
    for (const folder of ['.claude/worktrees', '.claude'])
      expect(() => projects.resolve(folder, project), folder).toThrow(refused);
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'is never a protected place that is mounted at another path',
    () => {
      const { at, approved, project, projects } = newPlaces();
      for (const [name, target] of [
        ['a', path.join(project, '.vscode')],
        ['b', at('home/harbor')],
      ] as const) {
        mkdirSync(path.join(target, 'inside'), { recursive: true });
        mkdirSync(at(name));
        execFileSync('mount', ['--bind', target, at(name)]);
        try {
          approved.push(at(name));
          expect(() => projects.approve(at(name))).toThrow(refused);
          expect(() => projects.resolve(at(`${name}/inside`))).toThrow(refused);
        } finally {
          execFileSync('umount', [at(name)]);
        }
      }
    },
  );
});

describe('the allow-list', () => {
  it('opens a protected place by an entry that names it, never by one around it', () => {
    const { at, project, entries, writes, list } = newPlaces();
    mkdirSync(path.join(project, '.vscode'));
    const entry = (folder: string) => AllowEntry.parse({ folder: at(folder), power: 'write' });
    entries.push(entry('home/code/tools'));
    for (const file of ['tools/.envrc', 'tools/x/.vscode/tasks.json', '.vscode/tasks.json'])
      expect(writes(path.join(project, file)), file).toBe(false);
    expect(writes(path.join(project, 'tools/a.lisp'))).toBe(true);
    entries.push(entry('home/code/.vscode'));
    expect(writes(path.join(project, '.vscode/tasks.json'))).toBe(true);
    expect(writes(path.join(project, '.vscode/x/.git/config'))).toBe(false);
    for (const folder of ['home/harbor', 'home/harbor/out', 'home/clients'])
      expect(list.refusal(entry(folder)), folder).not.toBeNull();
  });

  it('closes the protected places of a project to sessions of the folder around it', () => {
    const { at, approved, list } = newPlaces();
    mkdirSync(at('home/code/api/.vscode'), { recursive: true });
    const closed = () => list.confinement(at('home/code')).readable;
    expect(closed()).not.toContain(at('home/code/api/.vscode'));
    approved.push(at('home/code/api'));
    expect(closed()).toContain(at('home/code/api/.vscode'));
  });

  it('closes what a link at a protected place leads to, and the link', async () => {
    const { project, list } = newPlaces();
    writeFileSync(path.join(project, 'tools/envrc'), '');
    symlinkSync('tools/envrc', path.join(project, '.envrc'));
    expect(list.confinement(project).readable).toContain(path.join(project, 'tools/envrc'));
    const real = path.join(project, 'tools/new');
    const rules = list.rules(project);
    expect(decideFile(real, 'write', rules, path.join(project, '.vscode/new')).allowed).toBe(false);
    expect(decideFile(real, 'write', rules, path.join(project, 'src/new')).allowed).toBe(true);
  });
});

describe('a folder on disk', () => {
  it('shows its protected places under the names that it has, with those that begin above it', () => {
    const { at, project } = newPlaces();
    for (const name of ['node_modules/.bin', '.VSCode', '.config/mise', '.config/nvim', 'src/.idea'])
      mkdirSync(path.join(project, name), { recursive: true });
    writeFileSync(path.join(project, 'My.Code-Workspace'), '');
    const names = (folder: string) =>
      protectedIn(folder).map(({ path: place }) => path.relative(at(''), place));
    expect(names(project).sort()).toEqual([
      ...['home/code/.VSCode', 'home/code/.config/mise', 'home/code/My.Code-Workspace'],
      'home/code/node_modules/.bin',
    ]);
    expect(names(path.join(project, 'node_modules'))).toEqual(['home/code/node_modules/.bin']);
    expect(names(path.join(project, 'missing'))).toEqual([]);
  });
});

const PAGE = `# Protected files

Programs outside the sandbox execute or obey these files by themselves. In every folder, the file tools do not write them. A project is never one of them or in one of them. At the top of a project, a sandbox shows them read-only, and those that code creates there are moved away. The table is \`electron/contract/protected-places.ts\`; \`*\` stands for any characters, and case does not matter. To open one, put it on the allow-list by its name.

| place | obeyed by | source |
|---|---|---|
`;
