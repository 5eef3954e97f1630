/**
 * The commands of `lisp-harbor`: their types, and the list of all from which help, completion and the manual
 * page are generated.
 */

import type { AgentInstall } from '../connect/agent/agent-install';
import type { Connect } from '../connect/install';
import { HarborError } from '../contract/errors';
import { type OptionRow, optionLines } from '../host/command-line';
import type { DataFolder } from '../host/data-folder';
import { ENTRIES, helpText, OPTIONS, type OptionName, type Options } from '../host/options';
import { RunningHarbor } from '../host/running-harbor';
import { helpOf } from './calls/parsed-arguments';
import { COMMON, TOOL_COMMANDS } from './calls/tool-commands';

export interface Subcommand {
  /** Usage after the name; `|` separates alternatives. */
  usage: string;
  /** One sentence. */
  about: string;
  /** Maximum number of words other than options. */
  positionals: number;
  /** Options of the harbor that apply to it. Any other is refused. */
  takes: readonly OptionName[];
  /** Help texts of those whose meaning differs here. */
  here?: Readonly<Partial<Record<OptionName, string>>>;
  /** Additional text of `--help`. */
  more?: string;
  /** Its own options. */
  own?: Readonly<Record<string, OptionRow>>;
  /** @returns the exit code */
  run(dependencies: CommandDependencies): Promise<number>;
}

/** A command with its own options only, which needs no harbor. */
export interface WordsCommand {
  usage: string;
  about: string;
  /** Output of `--help`. */
  help: string;
  options: Readonly<Record<string, OptionRow>>;
  /**
   * @param words the words after its name
   * @param commands all commands
   * @returns the exit code
   */
  runWords(words: readonly string[], commands: readonly ListedCommand[]): Promise<number>;
}

export interface CommandDependencies {
  folder: DataFolder;
  options: Options;
  /** Values of its own options. */
  own: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  /** Builds `Connect` for a command that owns the data folder lock. */
  connectAlone: () => Connect;
  /** Installs skills and hooks for other programs. */
  agents: AgentInstall;
  /** Prints a line to stdout. */
  print: (line: string) => void;
}

/** @throws HarborError `internal` if no harbor runs */
export function runningHarbor(folder: DataFolder): RunningHarbor {
  const running = RunningHarbor.of(folder);
  if (running) return running;
  throw new HarborError(
    'internal',
    `No harbor runs on ${folder.root}. Start one with "lisp-harbor serve", or name its data folder with --data DIR.`,
  );
}

export interface ListedCommand {
  name: string;
  /** Begins with the name, except for the app, which has none. */
  usage: string;
  /** One sentence. */
  about: string;
  options: Readonly<Record<string, OptionRow>>;
  /** Output of `--help`. */
  help: string;
  /** Whether it calls a tool, and so has its own options. */
  callsTool: boolean;
}

/**
 * Returns all commands in the order of the help text: those that call a tool, the entries, the others.
 * @param own the other commands
 */
export function commandList(own: Readonly<Record<string, Subcommand | WordsCommand>>): ListedCommand[] {
  const tools = [...TOOL_COMMANDS].map(([name, command]) => ({
    name,
    usage: [name, command.takes].filter(Boolean).join(' '),
    about: command.about,
    options: { ...command.options, ...COMMON },
    help: helpOf(name, command),
    callsTool: true,
  }));
  const entries = Object.entries(ENTRIES).map(([name, entry]) => ({
    ...entry,
    name,
    options: OPTIONS,
    help: helpText(entry),
    callsTool: false,
  }));
  const others = Object.entries(own).map(([name, command]) => {
    const entry = { usage: `${name} ${command.usage}`.trim(), about: command.about };
    const texts =
      'runWords' in command
        ? { options: command.options, help: command.help }
        : { options: optionsOf(command), help: commandHelp(entry, command) };
    return { ...entry, ...texts, name, callsTool: false };
  });
  return [...tools, ...entries, ...others];
}

/** Returns its own options and the harbor’s options that apply to it. */
function optionsOf({ takes, here = {}, own = {} }: Subcommand): Readonly<Record<string, OptionRow>> {
  const shared = takes.map((name) => [name, { ...OPTIONS[name], does: here[name] ?? OPTIONS[name].does }]);
  return { ...own, ...Object.fromEntries(shared) };
}

function commandHelp({ usage, about }: { usage: string; about: string }, command: Subcommand): string {
  const more = command.more === undefined ? '' : `${command.more}\n\n`;
  const options = `Options:\n${optionLines(optionsOf(command))}\n`;
  return `Usage: lisp-harbor ${usage}\n\n${about}\n\n${more}${options}`;
}

export function isTyped({ name, usage }: ListedCommand): boolean {
  return usage.startsWith(name);
}

/**
 * Returns the words of which one must follow the command’s name: `list`, `add`, …; empty if there are none.
 */
export function actionsOf({ name, usage }: Pick<ListedCommand, 'name' | 'usage'>): string[] {
  const first = usage
    .slice(name.length)
    .split('|')
    .map(
      (way) =>
        way
          .trim()
          .replace(/^\[/, '')
          .split(/[\s\]]/)[0] ?? '',
    );
  return first.length > 1 ? first.filter((word) => /^[a-z][a-z-]*$/.test(word)) : [];
}

/** Reports whether the option’s value is a file or folder. */
export function takesFile({ takes }: OptionRow): boolean {
  return takes === 'FILE' || takes === 'DIR' || takes === 'PATH';
}
