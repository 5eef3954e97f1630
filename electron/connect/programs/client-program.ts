/** Client programs: the paths and the format of their configuration files. Pure. */

import { posix, win32 } from 'node:path';
import type { ProtectedFile } from '../../contract/protected-places';
import type { ConfigFormat, Entry } from '../formats/config-format';
import type { HttpAddress, StdioCommand } from '../transport';

/** The harbor’s key in every configuration. Clients show its tools as `mcp__lisp__…`. */
export const SERVER_NAME = 'lisp';

/** Facts about this machine that determine the path of a configuration file. */
export interface ComputerFacts {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Folder names in `packagesFolder`, most recently changed first; empty except on Windows. */
  packages: readonly string[];
}

/** A file that a program may read. It does so if one of the paths in `evidence` exists. */
export interface ConfigPath {
  file: string;
  evidence: readonly string[];
  /** The project folder of a project's file. No link below it is followed. */
  project?: string;
  /** A sentence for the user about this path. */
  note?: string;
}

/** `special` paths, best first, need evidence. `usual` applies if none has any. */
export interface ConfigPaths {
  special: readonly ConfigPath[];
  usual: ConfigPath;
}

/** How it was verified that the program reads what we write. */
export type Verified =
  /** This version was run with the command and the address (`test/clients`). */
  | { by: 'run'; version: string }
  /** Its documentation says so. */
  | { by: 'documentation'; at: string };

/** The format of a configuration file and the location of the servers in it. */
export interface ConfigKind {
  /** Key path of the servers. */
  keyPath: readonly string[];
  format: ConfigFormat;
  notation: Notation;
}

/**
 * A file in a project’s folder. It is shared with everyone who has the project, so it never gets a token. It
 * must be in the table of protected places, so that nobody but the user adds servers to it.
 */
interface ProjectFile extends ConfigKind {
  file: ProtectedFile;
}

export interface ClientProgram extends ConfigKind {
  /** Also the client’s key in the harbor, used in history and approvals. */
  name: string;
  title: string;
  /** Absent if other programs cannot write its file; then the user pastes the entry. */
  paths?(computer: ComputerFacts): ConfigPaths;
  project?: ProjectFile;
  /** Its `clientInfo.name`. */
  calls: string;
  verified: Verified;
  /** The next step for the user after the file was written. */
  afterwards: string;
  /** Why an entry may have disappeared and what to do. Follows a colon. */
  whenRemoved: string;
  /** A sentence about what may prevent it from working although the entry is correct. */
  trap?: string;
  /** A shell command with which the program adds the same entry itself, if it has one. */
  shellLine?(command: StdioCommand, platform: NodeJS.Platform): string;
  /** A link with which the program asks its user to add the entry. */
  link?(entry: Entry): string;
}

/** Returns the folder to which Windows redirects the AppData of packaged (MSIX) programs. */
export function packagesFolder({ home, env }: Pick<ComputerFacts, 'home' | 'env'>): string {
  return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Packages');
}

/** Returns the path join function of that machine’s system. */
export function joinOf({ platform }: Pick<ComputerFacts, 'platform'>): (...parts: string[]) => string {
  return platform === 'win32' ? win32.join : posix.join;
}

/** Returns the settings folder of desktop programs: AppData, Application Support or XDG. */
export function settingsFolder(computer: ComputerFacts): string {
  const { platform, home, env } = computer;
  const join = joinOf(computer);
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : dotConfig(computer);
}

/** Returns the settings folder of terminal programs, also on macOS. */
export function dotConfig(computer: ComputerFacts): string {
  return computer.env.XDG_CONFIG_HOME || joinOf(computer)(computer.home, '.config');
}

/** Returns the single possible file, with its folder as evidence. */
export function fileIn(computer: ComputerFacts, folder: string, ...path: string[]): ConfigPaths {
  return { special: [], usual: { file: joinOf(computer)(folder, ...path), evidence: [folder] } };
}

/** As `fileIn`, in a folder of the home folder. */
export function fileAtHome(folder: string, ...path: string[]): (computer: ComputerFacts) => ConfigPaths {
  return (computer) => fileIn(computer, joinOf(computer)(computer.home, folder), ...path);
}

/** Notations in which programs store how an MCP server is reached. */
export interface Notation {
  stdio(command: StdioCommand): Entry;
  /** Absent if the program starts its servers and accepts no address. */
  http?(address: HttpAddress): Entry;
}

/** `{command, args, env}`, the notation of Claude Desktop, which most programs use. */
export function commandArgsEnv({ command, args, env }: StdioCommand): Entry {
  return { command, args: [...args], ...given('env', env) };
}

/** The same with an explicit transport, as `claude mcp add` writes it. */
export function typedCommandArgsEnv(command: StdioCommand): Entry {
  return { type: 'stdio', ...commandArgsEnv(command) };
}

/** `{url, headers}` */
export function urlHeaders(address: HttpAddress): Entry {
  return { url: address.url, headers: authorization(address) };
}

/** The same with an explicit transport. */
export function typedUrlHeaders(address: HttpAddress): Entry {
  return { type: 'http', ...urlHeaders(address) };
}

export function authorization({ token }: HttpAddress): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Returns the environment under `key`, or nothing if it is empty. */
export function given(key: string, env: StdioCommand['env']): Entry {
  return Object.keys(env).length === 0 ? {} : { [key]: { ...env } };
}

/** Claude Desktop’s notation, and addresses as in Cursor. */
export const std: Notation = { stdio: commandArgsEnv, http: urlHeaders };
/** Every entry has an explicit transport. */
export const typed: Notation = { stdio: typedCommandArgsEnv, http: typedUrlHeaders };
