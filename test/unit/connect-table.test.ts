/** Where each program keeps its file, what is written there, and which command it is. */
import { describe, expect, it } from 'vitest';
import type { ComputerFacts } from '../../electron/connect/client-program';
import { isStdioCommand, sameCommand, stdioCommand } from '../../electron/connect/stdio-command';
import { CLIENT_PROGRAMS, SERVER_NAME } from '../../electron/connect/table';

const MAC: ComputerFacts = { platform: 'darwin', home: '/Users/ada', env: {}, packages: [] };
const LINUX: ComputerFacts = { platform: 'linux', home: '/home/ada', env: {}, packages: [] };
const WINDOWS: ComputerFacts = { platform: 'win32', home: 'C:\\Users\\Ada', env: {}, packages: [] };

function program(name: string) {
  const found = CLIENT_PROGRAMS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no row ${name}`);
  return found;
}

function usualFile(name: string, computer: ComputerFacts): string {
  return program(name).places(computer).usual.file;
}

describe('the file of Claude Desktop', () => {
  it('follows the platform', () => {
    expect(usualFile('claude-desktop', MAC)).toBe(
      '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    );
    expect(usualFile('claude-desktop', LINUX)).toBe('/home/ada/.config/Claude/claude_desktop_config.json');
    expect(usualFile('claude-desktop', WINDOWS)).toBe(
      'C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  it('follows the environment', () => {
    expect(usualFile('claude-desktop', { ...LINUX, env: { XDG_CONFIG_HOME: '/cfg' } })).toBe(
      '/cfg/Claude/claude_desktop_config.json',
    );
    expect(usualFile('claude-desktop', { ...WINDOWS, env: { APPDATA: 'D:\\Roaming' } })).toBe(
      'D:\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  it('is within the package where Windows has one, the one last changed first, and says so', () => {
    const packages = ['Microsoft.Notes_1', 'Claude_new', 'NotClaude_1', 'Claude_old'];
    const { special } = program('claude-desktop').places({ ...WINDOWS, packages });
    const roaming = (name: string) =>
      `C:\\Users\\Ada\\AppData\\Local\\Packages\\${name}\\LocalCache\\Roaming`;
    expect(special.map((place) => place.file)).toEqual(
      ['Claude_new', 'Claude_old'].map((name) => `${roaming(name)}\\Claude\\claude_desktop_config.json`),
    );
    expect(special.map((place) => place.evidence)).toEqual([
      [roaming('Claude_new')],
      [roaming('Claude_old')],
    ]);
    expect(special[0]?.note).toContain('C:\\Users\\Ada\\AppData\\Roaming\\Claude');
    const moved = { ...WINDOWS, packages, env: { LOCALAPPDATA: 'D:\\Local' } };
    expect(program('claude-desktop').places(moved).special[0]?.file).toMatch(
      /^D:\\Local\\Packages\\Claude_new\\/,
    );
  });
});

describe('the file of Claude Code', () => {
  it('is the file of the user, on every platform', () => {
    expect(usualFile('claude-code', MAC)).toBe('/Users/ada/.claude.json');
    expect(usualFile('claude-code', LINUX)).toBe('/home/ada/.claude.json');
    expect(usualFile('claude-code', WINDOWS)).toBe('C:\\Users\\Ada\\.claude.json');
  });

  it('is within CLAUDE_CONFIG_DIR where that is set, and not where it is empty', () => {
    const env = { CLAUDE_CONFIG_DIR: '/cfg/claude' };
    expect(usualFile('claude-code', { ...LINUX, env })).toBe('/cfg/claude/.claude.json');
    expect(usualFile('claude-code', { ...LINUX, env: { CLAUDE_CONFIG_DIR: '' } })).toBe(
      '/home/ada/.claude.json',
    );
  });
});

describe('the command', () => {
  const clone = { kind: 'clone', node: '/usr/bin/node', folder: '/src/lisp-harbor' } as const;
  const app = { kind: 'app', executable: '/opt/Lisp Harbor/lisp-harbor' } as const;

  it('runs the clone by the node given, or the installed app', () => {
    expect(stdioCommand(clone, 'claude-code')).toEqual({
      command: '/usr/bin/node',
      args: ['/src/lisp-harbor/resources/setup/stdio.mjs', '--client', 'claude-code'],
      env: {},
    });
    expect(stdioCommand(app, 'claude-desktop')).toEqual({
      command: '/opt/Lisp Harbor/lisp-harbor',
      args: ['--mcp-stdio', '--client', 'claude-desktop'],
      env: {},
    });
  });

  it('names the data folder when there is one to name', () => {
    expect(stdioCommand(app, 'x', '/data').args).toEqual(['--mcp-stdio', '--client', 'x', '--data', '/data']);
  });

  it('has the separators of its platform', () => {
    const { args } = stdioCommand({ kind: 'clone', node: 'C:\\node.exe', folder: 'C:\\src\\harbor' }, 'x');
    expect(args[0]).toBe('C:\\src\\harbor\\resources\\setup\\stdio.mjs');
  });

  it('is known again from wherever and whenever it was made', () => {
    for (const origin of [clone, app, { ...clone, folder: 'C:\\old\\place' }]) {
      expect(isStdioCommand(stdioCommand(origin, 'claude-code').args, 'claude-code')).toBe(true);
      expect(isStdioCommand(stdioCommand(origin, 'claude-code', '/d').args, 'claude-code')).toBe(true);
      expect(isStdioCommand(stdioCommand(origin, 'claude-code').args, 'claude-desktop')).toBe(false);
    }
  });

  it.each([
    [[]],
    [['--mcp-stdio']],
    [['--client', 'claude-code']],
    [['server.mjs', '--client', 'claude-code']],
    [['/x/stdio.mjs', '--client', 'claude-code']],
    [['--mcp-stdio', '--client', 'claude-code', '--project', '/mine']],
    [['-y', '--mcp-stdio', '--client', 'claude-code']],
  ])('is not seen in %j', (args) => {
    expect(isStdioCommand(args, 'claude-code')).toBe(false);
  });
});

describe.each(CLIENT_PROGRAMS)('an entry of $name', ({ shape }) => {
  it.each([{}, { LISP_HOME: '/l' }])(
    'reads back as the command that was written, with the environment %j',
    (env) => {
      const command = { command: '/bin/x', args: ['--client', 'a b'], env };
      const back = shape.read(JSON.parse(JSON.stringify(shape.write(command))));
      expect(back && sameCommand(back, command)).toBe(true);
    },
  );

  it.each([
    [null],
    ['x'],
    [[]],
    [{}],
    [{ command: 1 }],
    [{ command: 'x', args: 'y' }],
    [{ url: 'http://x' }],
  ])('is not seen in %j', (entry) => expect(shape.read(entry)).toBeUndefined());
});

describe('the line for a shell', () => {
  const line = program('claude-code').shellLine;

  it('adds the same entry for the user, whatever the words', () => {
    const command = {
      command: "/opt/Ada's Lisp/node",
      args: ['/x/$HOME.mjs', '--client', 'claude-code'],
      env: {},
    };
    expect(line?.(command, 'linux')).toBe(
      `claude mcp add --scope user ${SERVER_NAME} -- '/opt/Ada'\\''s Lisp/node' '/x/$HOME.mjs' --client claude-code`,
    );
  });

  it('has Windows quotes on Windows and the environment before the name', () => {
    const command = { command: 'C:\\Program Files\\h.exe', args: ['--mcp-stdio'], env: { A: 'b' } };
    expect(line?.(command, 'win32')).toBe(
      `claude mcp add --env A=b --scope user ${SERVER_NAME} -- "C:\\Program Files\\h.exe" --mcp-stdio`,
    );
  });
});
