/** What the commands of `lisp-harbor` have in common: how they are told of, and what they run with. */

import type { AgentInstall } from '../connect/agent/agent-install';
import { HarborError } from '../contract/errors';
import type { ConnectView } from '../contract/model';
import type { DataFolder } from '../host/data-folder';
import type { OptionRow } from '../host/option-row';
import type { Options } from '../host/options';
import { RunningHarbor } from '../host/running-harbor';
import type { ListedCommand } from './command-list';

export interface Subcommand {
  /** What stands after its name; `|` between two ways. */
  usage: string;
  /** One sentence. */
  about: string;
  /** What it takes before its options, at most. */
  positionals: number;
  /** @returns the exit code */
  run(dependencies: CommandDependencies): Promise<number>;
}

/** A command with options of its own, which needs no harbor. */
export interface WordsCommand {
  usage: string;
  about: string;
  /** What `--help` prints. */
  help: string;
  options: Readonly<Record<string, OptionRow>>;
  /**
   * @param words behind its name
   * @param commands all there are
   * @returns the exit code
   */
  runWords(words: readonly string[], commands: readonly ListedCommand[]): Promise<number>;
}

export interface CommandDependencies {
  folder: DataFolder;
  options: Options;
  positionals: readonly string[];
  /** The configurations of other programs, for a command that holds the data folder itself. */
  connect: ProgramConnections;
  /** Skills and hooks in the folders of other programs. */
  agents: AgentInstall;
  /** Prints a line on stdout. */
  say: (line: string) => void;
}

/** Connects other programs to the harbor, by their names. */
export interface ProgramConnections {
  list(): Promise<ConnectView[]>;
  add(name: string): Promise<ConnectView>;
  remove(name: string): Promise<ConnectView>;
}

/** @throws HarborError `internal` when no harbor runs there */
export function runningHarbor(folder: DataFolder): RunningHarbor {
  const running = RunningHarbor.of(folder);
  if (running) return running;
  throw new HarborError(
    'internal',
    `No harbor runs on ${folder.root}. Start one with "lisp-harbor serve", or name its data folder with --data DIR.`,
  );
}
