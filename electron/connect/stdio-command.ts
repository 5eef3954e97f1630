/** The command that another program runs to speak MCP with this harbor over stdio, and its words for a shell. Pure: it holds no secret and opens no file. */
import { posix, win32 } from 'node:path';

/** A program, its arguments, and what is added to its environment. */
export interface StdioCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Where the harbor runs from: a clone, run by `node` (an absolute path), or the installed app. */
export type Origin = { kind: 'clone'; node: string; folder: string } | { kind: 'app'; executable: string };

const APP_SWITCH = '--mcp-stdio';
const LAUNCHER_SCRIPT = ['resources', 'setup', 'lisp-harbor.mjs'] as const;
const START_SCRIPT = ['resources', 'setup', 'start.mjs'] as const;
const CLONE_SCRIPT = ['resources', 'setup', 'stdio.mjs'] as const;

/**
 * The command for `client`. All paths are absolute, because a desktop program starts with neither our working
 * directory nor a shell's PATH. `dataFolder` is given only when it is not the default one.
 */
export function stdioCommand(origin: Origin, client: string, dataFolder?: string): StdioCommand {
  const options = ['--client', client, ...(dataFolder === undefined ? [] : ['--data', dataFolder])];
  if (origin.kind === 'app') {
    return { command: origin.executable, args: [APP_SWITCH, ...options], env: {} };
  }
  return { command: origin.node, args: [joinIn(origin.folder, CLONE_SCRIPT), ...options], env: {} };
}

/** What runs `lisp-harbor`, before the words of a command. */
export function launcherWords(origin: Origin): string[] {
  return wordsFor(origin, LAUNCHER_SCRIPT);
}

/** What starts the app, before its options. */
export function startWords(origin: Origin): string[] {
  return wordsFor(origin, START_SCRIPT);
}

/** @param script of a clone, for what the installed app does by itself */
function wordsFor(origin: Origin, script: readonly string[]): string[] {
  return origin.kind === 'app' ? [origin.executable] : [origin.node, joinIn(origin.folder, script)];
}

function joinIn(folder: string, path: readonly string[]): string {
  const { join } = win32.isAbsolute(folder) && !posix.isAbsolute(folder) ? win32 : posix;
  return join(folder, ...path);
}

/**
 * Whether these arguments are those of a `stdioCommand` for `client`, of whatever harbor, version or place: our
 * entry point, this client's name, and nothing after it but a data folder.
 */
export function isStdioCommand(args: readonly string[], client: string): boolean {
  const [entryPoint = '', option, name, ...rest] = args;
  const plain = rest.length === 0 || (rest.length === 2 && rest[0] === '--data');
  return isEntryPoint(entryPoint) && option === '--client' && name === client && plain;
}

function isEntryPoint(argument: string): boolean {
  return argument === APP_SWITCH || argument.split(/[\\/]/).slice(-3).join('/') === CLONE_SCRIPT.join('/');
}

const PLAIN_WORD = /^[\w\-+=:.,/@]+$/;
const PLAIN_WINDOWS_WORD = /^[\w\-+=:.,/\\]+$/;

/** Quotes for POSIX shells, or for cmd.exe and PowerShell on Windows, and only where a word needs it. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

function posixWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function windowsWord(word: string): string {
  return PLAIN_WINDOWS_WORD.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
