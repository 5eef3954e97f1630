/** Anthropic's programs. Pure. */
import { posix, win32 } from 'node:path';
import { json } from '../formats/json-format';
import { shellLine } from '../stdio-command';
import {
  type ClientProgram,
  type ComputerFacts,
  joinOf,
  type Place,
  type Places,
  packagesFolder,
  SERVER_NAME,
  settingsFolder,
} from './client-program';
import { commandArgsEnv, typed } from './notation';

export const claudeDesktop: ClientProgram = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  calls: 'claude-ai',
  places: claudeDesktopPlaces,
  keyPath: ['mcpServers'],
  format: json,
  // An entry with an address is skipped with a warning, or has cost the others.
  notation: { stdio: commandArgsEnv },
  verified: { by: 'documentation', at: 'modelcontextprotocol.io/docs/develop/connect-local-servers' },
  afterwards:
    'Quit Claude Desktop fully (also from the tray or menu bar: closing its window is not enough) and start it again.',
  whenGone: 'Claude Desktop rewrites its file while it runs; quit it fully and connect again',
};

export const claudeCode: ClientProgram = {
  name: 'claude-code',
  title: 'Claude Code',
  calls: 'claude-code',
  places: claudeCodePlaces,
  project: { file: '.mcp.json', keyPath: ['mcpServers'], format: json, notation: typed },
  keyPath: ['mcpServers'],
  format: json,
  notation: typed,
  verified: { by: 'run', version: '2.1.331' },
  afterwards: 'Start Claude Code anew; /mcp in it shows whether lisp is connected.',
  whenGone: 'Claude Code rewrites its file while it runs; end its sessions and connect again',
  shellLine({ command, args, env }, platform) {
    const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    // The user's scope is the file's: without it the entry would hold for one project only. It stands
    // after --env, which takes any number of values and would swallow the server's name.
    const add = ['claude', 'mcp', 'add', ...settings, '--scope', 'user', SERVER_NAME];
    return shellLine([...add, '--', command, ...args], platform);
  },
};

/**
 * Claude Desktop's file. On Windows it comes as a package (MSIX) since 2026, and Windows then redirects its
 * AppData: a file at the classic place still exists on many computers and is never read.
 */
function claudeDesktopPlaces(computer: ComputerFacts): Places {
  const { platform, packages } = computer;
  const file = 'claude_desktop_config.json';
  const classic = joinOf(computer)(settingsFolder(computer), 'Claude');
  const usual = { file: joinOf(computer)(classic, file), evidence: [classic] };
  if (platform !== 'win32') return { special: [], usual };
  const packaged = (name: string): Place => {
    const roaming = win32.join(packagesFolder(computer), name, 'LocalCache', 'Roaming');
    return {
      file: win32.join(roaming, 'Claude', file),
      evidence: [roaming],
      note: `Claude Desktop is installed as a Windows package and reads this file, not the one in ${classic}.`,
    };
  };
  return { special: packages.filter((name) => /^Claude_/i.test(name)).map(packaged), usual };
}

/** Claude Code's file of the user. It lies beside the folder `.claude`, or within CLAUDE_CONFIG_DIR when that is set. */
function claudeCodePlaces({ platform, home, env }: ComputerFacts): Places {
  const { join } = platform === 'win32' ? win32 : posix;
  const moved = env.CLAUDE_CONFIG_DIR;
  const file = join(moved || home, '.claude.json');
  return { special: [], usual: { file, evidence: [file, moved || join(home, '.claude')] } };
}
