/** Every command of `lisp-harbor` as data, of which help, completion and the manual page are made. */
import { ENTRIES, helpText } from '../host/help';
import { type OptionRow, optionLines } from '../host/option-row';
import { OPTIONS } from '../host/option-table';
import { helpOf } from './calls/given';
import { COMMON } from './calls/tool-command';
import { TOOL_COMMANDS } from './calls/tool-commands';
import type { Subcommand, WordsCommand } from './subcommand';

export interface ListedCommand {
  name: string;
  /** With its name, unless that is not typed: the app has none. */
  usage: string;
  /** In a sentence. */
  about: string;
  options: Readonly<Record<string, OptionRow>>;
  /** What `--help` prints. */
  help: string;
  /** Whether it calls a tool, and so takes options of its own. */
  callsTool: boolean;
}

/** @param own those of `subcommands.ts`. In the order in which they are told: those that call a tool, the entries, the others */
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
    const told =
      'runWords' in command
        ? { options: command.options, help: command.help }
        : { options: optionsOf(command), help: commandHelp(entry, command) };
    return { ...entry, ...told, name, callsTool: false };
  });
  return [...tools, ...entries, ...others];
}

/** Its own options, and those of the harbor's that have an effect on it. */
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

/** The words of which one has to follow the name of a command: `list`, `add`, …; empty where it takes others. */
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

/** Whether a file or folder stands behind the option. */
export function takesFile({ takes }: OptionRow): boolean {
  return takes === 'FILE' || takes === 'DIR' || takes === 'PATH';
}
