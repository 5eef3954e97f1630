/** What a row of the table says about a program that can be connected, and which of its files is taken. Pure. */
import { win32 } from 'node:path';
import type { ConfigFormat } from './config-format';
import type { EntryShape } from './entry-shape';
import type { StdioCommand } from './stdio-command';

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

export interface ClientProgram {
  /** Also the client's key in the harbor: history and approvals name it so. */
  name: string;
  title: string;
  places(computer: ComputerFacts): Places;
  /** Where in the file its servers are. */
  keyPath: readonly string[];
  format: ConfigFormat;
  shape: EntryShape;
  /** What a person does after the file was written. */
  afterwards: string;
  /** Why an entry may have vanished and what to do, to follow a colon. */
  whenGone: string;
  /** A line for a shell that adds the same entry with the program's own means, where it has some. */
  shellLine?(command: StdioCommand, platform: NodeJS.Platform): string;
}

/** Where Windows keeps what packaged (MSIX) programs believe to be their AppData. */
export function packagesFolder({ home, env }: Pick<ComputerFacts, 'home' | 'env'>): string {
  return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Packages');
}
