/** The programs that can be connected, a row each. Pure. */
import { posix, win32 } from 'node:path';
import {
  type ClientProgram,
  type ComputerFacts,
  type Place,
  type Places,
  packagesFolder,
} from './client-program';
import { commandArgsEnv, typedCommandArgsEnv } from './entry-shape';
import { json } from './json-format';
import { shellLine } from './stdio-command';

/** The harbor's name in every program's configuration: clients show its tools as `mcp__lisp__…`. */
export const SERVER_NAME = 'lisp';

export const CLIENT_PROGRAMS: readonly ClientProgram[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    places: claudeDesktopPlaces,
    keyPath: ['mcpServers'],
    format: json,
    shape: commandArgsEnv,
    afterwards:
      'Quit Claude Desktop fully (also from the tray or menu bar: closing its window is not enough) and start it again.',
    whenGone: 'Claude Desktop rewrites its file while it runs; quit it fully and connect again',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    places: claudeCodePlaces,
    keyPath: ['mcpServers'],
    format: json,
    shape: typedCommandArgsEnv,
    afterwards: 'Start Claude Code anew; /mcp in it shows whether lisp is connected.',
    whenGone: 'Claude Code rewrites its file while it runs; end its sessions and connect again',
    shellLine({ command, args, env }, platform) {
      const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
      // The user's scope is the file's: without it the entry would hold for one project only. It stands
      // after --env, which takes any number of values and would swallow the server's name.
      const add = ['claude', 'mcp', 'add', ...settings, '--scope', 'user', SERVER_NAME];
      return shellLine([...add, '--', command, ...args], platform);
    },
  },
  {
    name: 'vscode',
    title: 'VS Code',
    places: vscodePlaces,
    keyPath: ['servers'],
    format: json,
    shape: typedCommandArgsEnv,
    afterwards:
      'In VS Code, “MCP: List Servers” starts lisp and shows whether it runs. For one project only, put the snippet into its .vscode/mcp.json instead.',
    whenGone: 'VS Code or its settings sync has written its file anew; connect again',
    shellLine: (command, platform) =>
      shellLine(
        ['code', '--add-mcp', JSON.stringify({ name: SERVER_NAME, ...typedCommandArgsEnv.write(command) })],
        platform,
      ),
  },
];

/**
 * Claude Desktop's file. On Windows it comes as a package (MSIX) since 2026, and Windows then redirects its
 * AppData: a file at the classic place still exists on many computers and is never read.
 */
function claudeDesktopPlaces(computer: ComputerFacts): Places {
  const { platform, home, env, packages } = computer;
  const file = 'claude_desktop_config.json';
  if (platform !== 'win32') {
    const settings =
      platform === 'darwin'
        ? posix.join(home, 'Library', 'Application Support')
        : env.XDG_CONFIG_HOME || posix.join(home, '.config');
    const folder = posix.join(settings, 'Claude');
    return { special: [], usual: { file: posix.join(folder, file), evidence: [folder] } };
  }
  const classic = win32.join(env.APPDATA || win32.join(home, 'AppData', 'Roaming'), 'Claude');
  const packaged = (name: string): Place => {
    const roaming = win32.join(packagesFolder(computer), name, 'LocalCache', 'Roaming');
    return {
      file: win32.join(roaming, 'Claude', file),
      evidence: [roaming],
      note: `Claude Desktop is installed as a Windows package and reads this file, not the one in ${classic}.`,
    };
  };
  return {
    special: packages.filter((name) => /^Claude_/i.test(name)).map(packaged),
    usual: { file: win32.join(classic, file), evidence: [classic] },
  };
}

/** Claude Code's file of the user. It lies beside the folder `.claude`, or within CLAUDE_CONFIG_DIR when that is set. */
function claudeCodePlaces({ platform, home, env }: ComputerFacts): Places {
  const { join } = platform === 'win32' ? win32 : posix;
  const moved = env.CLAUDE_CONFIG_DIR;
  const file = join(moved || home, '.claude.json');
  return { special: [], usual: { file, evidence: [file, moved || join(home, '.claude')] } };
}

/** VS Code's file of the user, in the folder of its default profile (code.visualstudio.com/docs/copilot/reference/mcp-configuration). */
function vscodePlaces({ platform, home, env }: ComputerFacts): Places {
  const { join } = platform === 'win32' ? win32 : posix;
  const settings = {
    win32: env.APPDATA || join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
    linux: env.XDG_CONFIG_HOME || join(home, '.config'),
  }[platform === 'win32' || platform === 'darwin' ? platform : 'linux'];
  const folder = join(settings, 'Code');
  return { special: [], usual: { file: join(folder, 'User', 'mcp.json'), evidence: [folder] } };
}
