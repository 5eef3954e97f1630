/** What a row of the table says about a program that can be connected, and which of its files is taken. Pure. */
import { posix, win32 } from 'node:path';
import type { ConfigFormat, Entry } from '../formats/config-format';
import type { StdioCommand } from '../stdio-command';
import type { Notation } from './notation';

/** The harbor's name in every program's configuration: clients show its tools as `mcp__lisp__…`. */
export const SERVER_NAME = 'lisp';

/** The facts about this computer that decide where a program keeps its file. */
export interface ComputerFacts {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Names of the folders in `packagesFolder`, the one last changed first; empty except on Windows. */
  packages: readonly string[];
}

/** A file that a program may read. `evidence` are paths of which one exists when this is where it looks. */
export interface Place {
  file: string;
  evidence: readonly string[];
  /** What a person should know when this place is taken: a sentence. */
  note?: string;
}

/** `special` places, best first, are taken only on evidence; `usual` is taken when there is none. */
export interface Places {
  special: readonly Place[];
  usual: Place;
}

/** How it is known that the program reads what we write. */
export type Verified =
  /** That version took what was written, the command and the address: `test/clients` runs it. */
  | { by: 'run'; version: string }
  /** Its documentation says so. */
  | { by: 'documentation'; at: string };

/** A file of its own kind: where the servers are in it, and how. */
export interface ConfigKind {
  /** Where in the file its servers are. */
  keyPath: readonly string[];
  format: ConfigFormat;
  notation: Notation;
}

/** A file within a project's folder. It is everybody's who has the project, so no token goes there. */
export interface ProjectFile extends ConfigKind {
  file: string;
}

export interface ClientProgram extends ConfigKind {
  /** Also the client's key in the harbor: history and approvals name it so. */
  name: string;
  title: string;
  /** Absent where it has no file that others can write: its person pastes the entry. */
  places?(computer: ComputerFacts): Places;
  project?: ProjectFile;
  /** What it calls itself in the handshake. */
  calls: string;
  verified: Verified;
  /** What a person does after the file was written. */
  afterwards: string;
  /** Why an entry may have vanished and what to do, to follow a colon. */
  whenGone: string;
  /** What may keep it from working although the entry is right: a sentence. */
  trap?: string;
  /** A line for a shell that adds the same entry with the program's own means, where it has some. */
  shellLine?(command: StdioCommand, platform: NodeJS.Platform): string;
  /** An address that has the program ask its person whether to add the entry. */
  link?(entry: Entry): string;
}

/** Where Windows keeps what packaged (MSIX) programs believe to be their AppData. */
export function packagesFolder({ home, env }: Pick<ComputerFacts, 'home' | 'env'>): string {
  return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Packages');
}

/** As the paths of that computer are joined. */
export function joinOf({ platform }: Pick<ComputerFacts, 'platform'>): (...parts: string[]) => string {
  return platform === 'win32' ? win32.join : posix.join;
}

/** Where desktop programs keep their settings: AppData, Application Support, XDG's. */
export function settingsFolder(computer: ComputerFacts): string {
  const { platform, home, env } = computer;
  const join = joinOf(computer);
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : dotConfig(computer);
}

/** Where programs for terminals keep theirs, on Macs as well. */
export function dotConfig(computer: ComputerFacts): string {
  return computer.env.XDG_CONFIG_HOME || joinOf(computer)(computer.home, '.config');
}

/** The one file in the folder that is there when the program is. */
export function fileIn(computer: ComputerFacts, folder: string, ...path: string[]): Places {
  return { special: [], usual: { file: joinOf(computer)(folder, ...path), evidence: [folder] } };
}

/** The same in a folder of the home. */
export function fileAtHome(folder: string, ...path: string[]): (computer: ComputerFacts) => Places {
  return (computer) => fileIn(computer, joinOf(computer)(computer.home, folder), ...path);
}
