/** Where each program keeps its file, what is written there, and which command it is. */
import { describe, expect, it } from 'vitest';
import { type ComputerFacts, SERVER_NAME } from '../../electron/connect/programs/client-program';
import { programNamed as program } from '../../electron/connect/programs/table';
import { isStdioCommand, stdioCommand } from '../../electron/connect/transport';

const MAC: ComputerFacts = { platform: 'darwin', home: '/Users/ada', env: {}, packages: [] };
const LINUX: ComputerFacts = { platform: 'linux', home: '/home/ada', env: {}, packages: [] };
const WINDOWS: ComputerFacts = { platform: 'win32', home: 'C:\\Users\\Ada', env: {}, packages: [] };

function placesOf(name: string, computer: ComputerFacts) {
  const places = program(name).paths?.(computer);
  if (!places) throw new Error(`${name} has no file`);
  return places;
}

function usualFile(name: string, computer: ComputerFacts): string {
  return program(name).paths?.(computer).usual.file ?? '';
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
    const { special } = placesOf('claude-desktop', { ...WINDOWS, packages });
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
    expect(placesOf('claude-desktop', moved).special[0]?.file).toMatch(/^D:\\Local\\Packages\\Claude_new\\/);
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

/** On Linux, macOS and Windows. */
const FILES: Readonly<Record<string, readonly [linux: string, mac: string, windows: string]>> = {
  vscode: [
    '/home/ada/.config/Code/User/mcp.json',
    '/Users/ada/Library/Application Support/Code/User/mcp.json',
    'C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json',
  ],
  cursor: same('.cursor/mcp.json'),
  codex: same('.codex/config.toml'),
  'gemini-cli': same('.gemini/settings.json'),
  'copilot-cli': same('.copilot/mcp-config.json'),
  opencode: same('.config/opencode/opencode.json'),
  windsurf: same('.codeium/windsurf/mcp_config.json'),
  zed: [
    '/home/ada/.config/zed/settings.json',
    '/Users/ada/.config/zed/settings.json',
    'C:\\Users\\Ada\\AppData\\Roaming\\Zed\\settings.json',
  ],
  continue: same('.continue/config.yaml'),
  cline: same('.cline/data/settings/cline_mcp_settings.json'),
  amp: same('.config/amp/settings.json'),
  goose: [
    '/home/ada/.config/goose/config.yaml',
    '/Users/ada/.config/goose/config.yaml',
    'C:\\Users\\Ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
  ],
  kiro: same('.kiro/settings/mcp.json'),
  'lm-studio': same('.lmstudio/mcp.json'),
  'qwen-code': same('.qwen/settings.json'),
  crush: [
    '/home/ada/.config/crush/crush.json',
    '/Users/ada/.config/crush/crush.json',
    'C:\\Users\\Ada\\AppData\\Local\\crush\\crush.json',
  ],
  junie: same('.junie/mcp/mcp.json'),
};

function same(path: string): [string, string, string] {
  return [`/home/ada/${path}`, `/Users/ada/${path}`, `C:\\Users\\Ada\\${path.replaceAll('/', '\\')}`];
}

describe.each(Object.entries(FILES))('the file of %s', (name, files) => {
  it('is where the program looks on each system', () => {
    expect([LINUX, MAC, WINDOWS].map((computer) => usualFile(name, computer))).toEqual(files);
  });
});

it.each([
  ['codex', { CODEX_HOME: '/x' }, '/x/config.toml'],
  ['gemini-cli', { GEMINI_CLI_HOME: '/x' }, '/x/.gemini/settings.json'],
  ['qwen-code', { QWEN_HOME: '/x' }, '/x/settings.json'],
  ['continue', { CONTINUE_GLOBAL_DIR: '/x' }, '/x/config.yaml'],
  ['cline', { CLINE_DATA_DIR: '/x' }, '/x/settings/cline_mcp_settings.json'],
  ['amp', { AMP_SETTINGS_FILE: '/x/y.json' }, '/x/y.json'],
  ['copilot-cli', { COPILOT_HOME: '/x' }, '/x/mcp-config.json'],
  ['zed', { XDG_CONFIG_HOME: '/x' }, '/x/zed/settings.json'],
])('the file of %s follows %j', (name, env, file) => {
  expect(usualFile(name, { ...LINUX, env })).toBe(file);
});

it('Cline’s file is that of the first editor that has the extension', () => {
  const { special } = placesOf('cline-vscode', LINUX);
  expect(special.map(({ file }) => file)).toContain(
    '/home/ada/.config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  );
  for (const { file, evidence } of special) expect(file.startsWith(`${evidence[0]}/`)).toBe(true);
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
