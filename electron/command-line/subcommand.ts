/** What the commands of `lisp-harbor` have in common: how they are told of, and what they run with. */

import { HarborError } from '../contract/errors';
import type { DataFolder } from '../host/data-folder';
import type { Options } from '../host/options';
import { RunningHarbor } from '../host/running-harbor';

export interface Subcommand {
  /** What stands after its name. */
  usage: string;
  /** One sentence. */
  about: string;
  /** What it takes before its options. */
  positionals: number;
  run(around: Surroundings): Promise<number>;
}

export interface Surroundings {
  folder: DataFolder;
  options: Options;
  positionals: readonly string[];
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
