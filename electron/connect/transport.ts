/**
 * How another program reaches this harbor, by command or by address, in any notation. Pure: no secrets, no
 * files.
 */

import { posix, win32 } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** The URL of `/mcp`, and a token for it. */
export interface HttpAddress {
  url: string;
  token: string;
}

export type Transport = ({ kind: 'stdio' } & StdioCommand) | ({ kind: 'http' } & HttpAddress);

const Strings = z.record(z.string(), z.unknown()).optional();

/** Names that programs use for the parts of an entry. */
const Entry = z.looseObject({
  command: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  cmd: z.string().optional(),
  args: z.array(z.string()).optional(),
  arguments: z.array(z.string()).optional(),
  env: Strings,
  envs: Strings,
  environment: Strings,
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  uri: z.string().optional(),
  headers: Strings,
  http_headers: Strings,
  requestOptions: z.looseObject({ headers: Strings }).optional(),
});

/** Parses an entry in any program’s notation; undefined if it is none. */
export function transportIn(entry: unknown): Transport | undefined {
  const outer = z.looseObject({ transport: z.unknown() }).safeParse(entry).data;
  const { data } = Entry.safeParse(typeof outer?.transport === 'object' ? outer.transport : entry);
  if (!data) return undefined;
  const [command, ...words] = [data.command ?? data.cmd ?? []].flat();
  if (command !== undefined) {
    const env = strings(data.env ?? data.envs ?? data.environment);
    return { kind: 'stdio', command, args: [...words, ...(data.args ?? data.arguments ?? [])], env };
  }
  const url = data.url ?? data.httpUrl ?? data.serverUrl ?? data.uri;
  if (url === undefined) return undefined;
  const headers = strings(data.headers ?? data.http_headers ?? data.requestOptions?.headers);
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers.Authorization ?? '') ?? [];
  return { kind: 'http', url, token };
}

/**
 * Reports whether this has the form of an entry that a harbor writes for the client, with any path, version,
 * data folder and environment. Whoever can write the file can write that as well: it is replaced or removed as
 * a whole, but never started.
 */
export function resemblesOwn(transport: Transport | undefined, client: string): boolean {
  if (transport?.kind === 'stdio') return isStdioCommand(transport.args, client);
  return transport !== undefined &&
    /^https?:\/\/(127\.0\.0\.1|localhost):\d+\/mcp(\/[\w-]+)?$/.test(transport.url)
    ? transport.token.startsWith('lh_')
    : false;
}

/** Reports whether two entries are reached in the same way, with the same environment. */
export function reachesSame(found: Transport, wanted: Transport): boolean {
  return isDeepStrictEqual(found, wanted);
}

/**
 * Returns the members of an entry that differ from the written one. Programs add a type and empty members
 * when they rewrite an entry; these do nothing.
 */
export function additionsTo(written: Readonly<Record<string, unknown>>, present: unknown): string[] {
  const { data = {} } = z.record(z.string(), z.unknown()).safeParse(present);
  const missing = Object.keys(written).filter((key) => !(key in data) && !isEmpty(written[key]));
  const others = Object.entries(data).filter(([key, value]) =>
    key in written
      ? !isDeepStrictEqual(value, written[key])
      : !isEmpty(value) && !(key === 'type' && TYPES.has(value)),
  );
  return [...others.map(([key]) => key), ...missing];
}

const TYPES: ReadonlySet<unknown> = new Set(['stdio', 'local', 'http']);

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function strings(record: Record<string, unknown> | undefined): Record<string, string> {
  const pairs = Object.entries(record ?? {});
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

/** A program, its arguments, and additional environment variables. */
export interface StdioCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The installation: a clone, run by `node` (an absolute path), or the installed app. */
export type Origin = { kind: 'clone'; node: string; folder: string } | { kind: 'app'; executable: string };

const APP_SWITCH = '--mcp-stdio';
const LAUNCHER_SCRIPT = ['resources', 'setup', 'lisp-harbor.mjs'] as const;
const START_SCRIPT = ['resources', 'setup', 'start.mjs'] as const;
const CLONE_SCRIPT = ['resources', 'setup', 'stdio.mjs'] as const;

/**
 * Returns the command for `client`. All paths are absolute, because a desktop program has neither our working
 * directory nor a shell’s PATH. `dataFolder` is given only if it is not the default.
 */
export function stdioCommand(origin: Origin, client: string, dataFolder?: string): StdioCommand {
  const options = ['--client', client, ...(dataFolder === undefined ? [] : ['--data', dataFolder])];
  if (origin.kind === 'app') {
    return { command: origin.executable, args: [APP_SWITCH, ...options], env: {} };
  }
  return { command: origin.node, args: [joinIn(origin.folder, CLONE_SCRIPT), ...options], env: {} };
}

/** Returns the words of `lisp-harbor`, without a command. */
export function launcherWords(origin: Origin): string[] {
  return wordsFor(origin, LAUNCHER_SCRIPT);
}

/** Returns the words that start the app, without options. */
export function startWords(origin: Origin): string[] {
  return wordsFor(origin, START_SCRIPT);
}

/** @param script the script of a clone for what the installed app does itself */
function wordsFor(origin: Origin, script: readonly string[]): string[] {
  return origin.kind === 'app' ? [origin.executable] : [origin.node, joinIn(origin.folder, script)];
}

function joinIn(folder: string, path: readonly string[]): string {
  const { join } = win32.isAbsolute(folder) && !posix.isAbsolute(folder) ? win32 : posix;
  return join(folder, ...path);
}

/**
 * Reports whether these are the arguments of a `stdioCommand` for `client`, of any harbor, version or path:
 * our entry point, the client’s name, and optionally a data folder.
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

/** Quotes words for POSIX shells, or on Windows for cmd.exe and PowerShell, only where necessary. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

function posixWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function windowsWord(word: string): string {
  return PLAIN_WINDOWS_WORD.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
