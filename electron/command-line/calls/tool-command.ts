/**
 * A command that calls one tool of the harbor: what it takes, and what it asks for. Nothing here loads more than Node itself,
 * because agents wait for the start of each.
 */
import type { ToolCall } from '../../contract/local-socket';
import { flag, type OptionRow, value } from '../../host/option-row';

export interface ToolCommand {
  /** What stands after its name, before its options. */
  takes: string;
  /** One sentence. */
  about: string;
  /** Fewest and most words before its options. */
  words: readonly [fewest: number, most: number];
  options: Readonly<Record<string, OptionRow>>;
  /** Examples, and what they cannot tell; a line each. */
  more?: readonly string[];
  /** An earlier command has begun what it waits for: Ctrl+C leaves that alone. */
  onlyWaits?: true;
  /** @throws Misuse */
  asks(given: Given): ToolCall | Promise<ToolCall>;
}

/** A command line as it was given. */
export interface Given {
  words: readonly string[];
  text(option: string): string | undefined;
  /** @throws Misuse for what is no number of 0 or more */
  number(option: string): number | undefined;
  /** Of a switch; absent unless it was given. */
  isSet(option: string): true | undefined;
  /** The absolute path of a file that was named. */
  file(name: string): string;
  /** All of it. @throws Misuse on a terminal, where nobody has written anything */
  stdin(): Promise<string>;
  /** Whether a person watches stdout. */
  isWatched: boolean;
}

/** A command line that cannot be meant: exit code 2. */
export class Misuse extends Error {}

/** Of all commands. */
export const COMMON = {
  project: value('DIR', 'its project (default: the working directory, or that of a session above it)'),
  data: value('DIR', 'data folder of the harbor'),
  json: flag('print the data instead of the text'),
  help: { ...flag('print this and do nothing else'), short: 'h' },
} satisfies Record<string, OptionRow>;

/** Of those that work in a session. */
export const IN_SESSION = {
  session: value('NAME', 'a handle or a name, opened where it is new (default: that of the project)'),
  engine: value('NAME', 'engine of a session that is opened (sbcl, acl2, clojure, ecl, abcl, nbb)'),
} satisfies Record<string, OptionRow>;
