/** The client programs that can be connected. Pure. */

import { posix, win32 } from 'node:path';
import { HarborError, listSimilarNames } from '../../contract/errors';
import { json } from '../formats/json-format';
import { shellLine } from '../transport';
import {
  type ClientProgram,
  type ComputerFacts,
  type ConfigPath,
  type ConfigPaths,
  commandArgsEnv,
  joinOf,
  packagesFolder,
  SERVER_NAME,
  settingsFolder,
  typed,
} from './client-program';
import { clineExtension, cursor, jetbrainsAi, junie, kiro, vscode, windsurf, zed } from './editors';
import {
  amp,
  autolith,
  clineCli,
  codex,
  continueCli,
  copilotCli,
  crush,
  eca,
  geminiCli,
  goose,
  lmStudio,
  opencode,
  qwenCode,
} from './terminals';

export const claudeDesktop: ClientProgram = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  calls: 'claude-ai',
  paths: claudeDesktopPaths,
  keyPath: ['mcpServers'],
  format: json,
  // An entry with an address is skipped with a warning, and in some versions the other entries with it.
  notation: { stdio: commandArgsEnv },
  verified: { by: 'documentation', at: 'modelcontextprotocol.io/docs/develop/connect-local-servers' },
  afterwards:
    'Quit Claude Desktop from its tray or menu bar icon (closing the window is not enough) and start it again.',
  whenRemoved: 'Claude Desktop rewrites its file while it runs; quit it completely and connect again',
};

const claudeCode: ClientProgram = {
  name: 'claude-code',
  title: 'Claude Code',
  calls: 'claude-code',
  paths: claudeCodePaths,
  project: { file: '.mcp.json', keyPath: ['mcpServers'], format: json, notation: typed },
  keyPath: ['mcpServers'],
  format: json,
  notation: typed,
  verified: { by: 'run', version: '2.1.331' },
  afterwards: 'Restart Claude Code; /mcp shows whether lisp is connected.',
  whenRemoved: 'Claude Code rewrites its file while it runs; end its sessions and connect again',
  shellLine({ command, args, env }, platform) {
    const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    // Without the user scope, the entry would apply to one project only. The scope follows --env, which takes
    // any number of values and would consume the server’s name.
    const add = ['claude', 'mcp', 'add', ...settings, '--scope', 'user', SERVER_NAME];
    return shellLine([...add, '--', command, ...args], platform);
  },
};

/**
 * Returns the paths of Claude Desktop’s file. On Windows it is a package (MSIX) since 2026, whose AppData
 * Windows redirects. A file at the classic path still exists on many computers but is never read.
 */
function claudeDesktopPaths(computer: ComputerFacts): ConfigPaths {
  const { platform, packages } = computer;
  const file = 'claude_desktop_config.json';
  const classic = joinOf(computer)(settingsFolder(computer), 'Claude');
  const usual = { file: joinOf(computer)(classic, file), evidence: [classic] };
  if (platform !== 'win32') return { special: [], usual };
  const packaged = (name: string): ConfigPath => {
    const roaming = win32.join(packagesFolder(computer), name, 'LocalCache', 'Roaming');
    return {
      file: win32.join(roaming, 'Claude', file),
      evidence: [roaming],
      note: `Claude Desktop is installed as a Windows package and reads this file, not the one in ${classic}.`,
    };
  };
  return { special: packages.filter((name) => /^Claude_/i.test(name)).map(packaged), usual };
}

/**
 * Returns the paths of Claude Code’s user file. It is next to the folder `.claude`, or in CLAUDE_CONFIG_DIR
 * if that is set.
 */
function claudeCodePaths({ platform, home, env }: ComputerFacts): ConfigPaths {
  const { join } = platform === 'win32' ? win32 : posix;
  const moved = env.CLAUDE_CONFIG_DIR;
  const file = join(moved || home, '.claude.json');
  return { special: [], usual: { file, evidence: [file, moved || join(home, '.claude')] } };
}

export const CLIENT_PROGRAMS: readonly ClientProgram[] = [
  ...[claudeDesktop, claudeCode, vscode, cursor, codex, geminiCli, copilotCli, opencode, windsurf, zed],
  ...[continueCli, clineCli, clineExtension, amp, goose, kiro, lmStudio, qwenCode, crush, eca, autolith],
  ...[junie, jetbrainsAi],
];

/** Returns all files in which the programs keep their servers on this computer, whether they exist or not. */
export function clientFiles(computer: ComputerFacts): string[] {
  const paths = CLIENT_PROGRAMS.flatMap((program) => program.paths?.(computer) ?? []);
  const files = paths.flatMap(({ usual, special }) => [usual, ...special].map(({ file }) => file));
  return [...new Set(files.filter((file) => file !== ''))];
}

/** @throws HarborError `client_unknown` */
export function programNamed(name: string): ClientProgram {
  const program = CLIENT_PROGRAMS.find((candidate) => candidate.name === name);
  if (program) return program;
  const names = CLIENT_PROGRAMS.map((candidate) => candidate.name);
  throw new HarborError('client_unknown', `There is no program "${name}". ${listSimilarNames(name, names)}`);
}
