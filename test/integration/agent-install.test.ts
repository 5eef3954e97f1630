/** Skills and hooks in the folders of other programs: put there, shown before, taken away, and nothing else touched. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_PROGRAMS } from '../../electron/connect/agent/agent-files';
import { AgentInstall } from '../../electron/connect/agent/agent-install';
import { temporaryFolder } from '../started-harbor';

const LAUNCHER = ['/opt/Lisp Harbor/lisp-harbor'];
const COMMAND = "'/opt/Lisp Harbor/lisp-harbor' fix --hook";
const SETTINGS = `{
  "hooks": {
    "PostToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo" }] }
    ]
  }
}
`;

let home = '';
let settings = '';

beforeEach(() => {
  home = temporaryFolder('agent-home');
  settings = path.join(home, '.claude/settings.json');
});

const agents = (project?: string): AgentInstall =>
  new AgentInstall(path.join(home, 'records'), {
    computer: { platform: 'linux', home, env: {} },
    launcher: LAUNCHER,
    project,
  });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('records'))
    .sort();

function withSettings(text: string): void {
  mkdirSync(path.dirname(settings), { recursive: true });
  writeFileSync(settings, text);
}

/** Those with a skill. */
const AGENTS = AGENT_PROGRAMS.map(({ name }) => name).filter((name) => name !== 'jupyter');

describe('jupyter', () => {
  it('gets a kernel for each engine that was found, and loses them again without a trace', async () => {
    const { pieces } = await agents().install('jupyter', ['sbcl', 'nbb']);
    const installed = pieces.filter(({ state }) => state === 'installed').map(({ file }) => file);
    expect(installed.map((file) => path.relative(home, file))).toEqual([
      '.local/share/jupyter/kernels/lisp-harbor-sbcl/kernel.json',
      '.local/share/jupyter/kernels/lisp-harbor-nbb/kernel.json',
    ]);
    expect(JSON.parse(readFileSync(installed[0] ?? '', 'utf8'))).toMatchObject({
      argv: [...LAUNCHER, 'kernel', '--engine', 'sbcl', '{connection_file}'],
      interrupt_mode: 'message',
    });
    await agents().remove('jupyter');
    expect(filesIn(home)).toEqual([]);
  });
});

describe.each(AGENTS)('%s', (name) => {
  it('gets all its pieces, and loses them again without a trace', async () => {
    const diff = await agents().diff(name);
    expect(diff).toContain('+name: lisp-harbor');
    const { pieces } = await agents().install(name);
    expect(pieces.map(({ state }) => state)).toEqual(['installed', 'installed']);
    expect(filesIn(home)).toEqual(pieces.map(({ file }) => path.relative(home, file)).sort());
    expect(await agents().diff(name)).toBe('');
    await agents().remove(name);
    expect(filesIn(home)).toEqual([]);
    expect(existsSync(path.join(home, '.config'))).toBe(false);
  });

  it('has its skill in at most sixty lines', async () => {
    const { pieces } = await agents().install(name);
    const skill = readFileSync(pieces[0]?.file ?? '', 'utf8');
    expect(skill.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    expect(skill).toMatch(/^---\nname: lisp-harbor\ndescription: .{20,1000}\n---\n/);
  });
});

describe('the hook', () => {
  it('stands among others, and leaves every byte of theirs', async () => {
    withSettings(SETTINGS);
    await agents().install('claude-code');
    const after = readFileSync(settings, 'utf8');
    expect(after).toContain('{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo" }] },\n');
    expect(JSON.parse(after).hooks.PostToolUse[1]).toEqual({
      matcher: 'Edit|Write|MultiEdit',
      hooks: [{ type: 'command', command: COMMAND, timeout: 10 }],
    });
    await agents().remove('claude-code');
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
  });

  it('is renewed where the app has moved, and cut out where others have written since', async () => {
    withSettings(SETTINGS);
    await agents().install('claude-code');
    const moved = readFileSync(settings, 'utf8').replace('/opt/Lisp', '/old/Lisp').replace('"echo"', '"ls"');
    writeFileSync(settings, moved);
    expect((await agents().list())[0]?.pieces[1]?.state).toBe('outdated');
    await agents().install('claude-code');
    expect(JSON.parse(readFileSync(settings, 'utf8')).hooks.PostToolUse[1].hooks[0].command).toBe(COMMAND);
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}\n`);
    await agents().remove('claude-code');
    expect(readFileSync(settings, 'utf8')).toBe(`${SETTINGS.replace('"echo"', '"ls"')}\n`);
  });

  it.each(['{', '{"hooks": []}', '{"hooks": {"PostToolUse": {}}}'])('is not put into %j', async (text) => {
    withSettings(text);
    await expect(agents().install('claude-code')).rejects.toMatchObject({ code: 'config_unreadable' });
    expect(filesIn(home)).toEqual(['.claude/settings.json']);
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });
});

it('a skill of somebody else under our name stays', async () => {
  const skill = path.join(home, '.claude/skills/lisp-harbor/SKILL.md');
  mkdirSync(path.dirname(skill), { recursive: true });
  writeFileSync(skill, 'mine');
  await expect(agents().install('claude-code')).rejects.toMatchObject({ code: 'config_foreign' });
  await expect(agents().remove('claude-code')).rejects.toMatchObject({ code: 'config_foreign' });
  expect([readFileSync(skill, 'utf8'), filesIn(home)]).toEqual([
    'mine',
    ['.claude/skills/lisp-harbor/SKILL.md'],
  ]);
});

it('a project has its own, with the app’s path in settings that are not shared', async () => {
  const project = path.join(home, 'project');
  mkdirSync(project);
  await agents(project).install('claude-code');
  expect(filesIn(home)).toEqual([
    'project/.claude/settings.local.json',
    'project/.claude/skills/lisp-harbor/SKILL.md',
  ]);
});

it('a program that is not known is told by name', async () => {
  await expect(agents().install('what')).rejects.toMatchObject({ code: 'client_unknown' });
});
