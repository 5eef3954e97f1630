/** What the commands of `lisp-harbor` have in common: how they are told of, and what they run with. */

import type { AgentInstall } from '../connect/agent/agent-install';
import type { Connect } from '../connect/install';
import { HarborError } from '../contract/errors';
import type { DataFolder } from '../host/data-folder';
import type { OptionRow } from '../host/option-row';
import type { OptionName } from '../host/option-table';
import type { Options } from '../host/options';
import { RunningHarbor } from '../host/running-harbor';
import type { ListedCommand } from './command-list';

export interface Subcommand {
  /** What stands after its name; `|` between two ways. */
  usage: string;
  /** One sentence. */
  about: string;
  /** What it takes beside its options, at most. */
  positionals: number;
  /** The options of the harbor that have an effect on it; any other is refused. */
  takes: readonly OptionName[];
  /** What some of those do here, where it is not what they do to the harbor: in a few words. */
  here?: Readonly<Partial<Record<OptionName, string>>>;
  /** What its `--help` says beside. */
  more?: string;
  /** Options that it alone has. */
  own?: Readonly<Record<string, OptionRow>>;
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
  /** What was given of its own options. */
  own: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  /** The configurations of other programs, for a command that holds the data folder itself. */
  connectAlone: () => Connect;
  /** Skills and hooks in the folders of other programs. */
  agents: AgentInstall;
  /** Prints a line on stdout. */
  say: (line: string) => void;
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
