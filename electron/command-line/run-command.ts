/** The other commands of `lisp-harbor`, which take the options of the harbor itself. Exit codes: 0, 1 failed, 2 misused. */
import { asFailure, HarborError } from '../contract/errors';
import { type DataFolder, dataFolder } from '../host/data-folder';
import { asksForHelp } from '../host/help';
import { USAGE } from '../host/option-table';
import { type Options, parseOptions } from '../host/options';
import { commandList, type ListedCommand } from './command-list';
import type { CommandDependencies } from './subcommand';
import { SUBCOMMANDS } from './subcommands';

/** What a command has of the harbor's parts, composed for that data folder. */
export type Compose = (
  folder: DataFolder,
  options: Options,
) => Pick<CommandDependencies, 'agents' | 'connect'>;

/** @returns the exit code */
export async function runCommand(words: readonly string[], compose: Compose): Promise<number> {
  try {
    return await run(words, compose);
  } catch (error) {
    const { code, message } = asFailure(error);
    process.stderr.write(`lisp-harbor: ${message}\n`);
    return code === 'bad_arguments' ? 2 : 1;
  }
}

async function run([word = '--help', ...rest]: readonly string[], compose: Compose): Promise<number> {
  if (asksForHelp([word, ...rest])) {
    process.stdout.write(helpFor(word.startsWith('-') ? rest[0] : word));
    return 0;
  }
  const subcommand = Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
  if (!subcommand)
    throw new HarborError('bad_arguments', `There is no command ${word}.\n\n${helpFor(undefined)}`);
  if ('runWords' in subcommand) return subcommand.runWords(rest, commandList(SUBCOMMANDS));
  const options = rest.findIndex((argument) => argument.startsWith('-'));
  const positionals = rest.slice(0, options < 0 ? rest.length : options);
  if (positionals.length > subcommand.positionals)
    throw new HarborError('bad_arguments', `Usage: lisp-harbor ${word} ${subcommand.usage}`);
  return subcommand.run(dependencies(rest.slice(positionals.length), positionals, compose));
}

function dependencies(args: string[], positionals: string[], compose: Compose): CommandDependencies {
  const options = parseOptions(args);
  const folder = dataFolder(options.data);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  return { folder, options, positionals, ...compose(folder, options), say };
}

/** Of one command, or of all. */
function helpFor(word: string | undefined): string {
  const commands = commandList(SUBCOMMANDS);
  const one = commands.find(({ name }) => name === word);
  return one?.help ?? helpForAll(commands);
}

function helpForAll(commands: readonly ListedCommand[]): string {
  const listed = (callsTool: boolean) =>
    commands
      .filter((command) => command.callsTool === callsTool)
      .map(({ usage, about }) => `  lisp-harbor ${usage}\n      ${about}`)
      .join('\n');
  return `Usage:\n${listed(true)}\n      each tells its options with --help\n\n${listed(false)}\n\n${USAGE}\n`;
}
