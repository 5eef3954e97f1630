/** The other commands of `lisp-harbor`, which take the options of the harbor itself. Exit codes: 0, 1 failed, 2 misused. */
import { parseArgs } from 'node:util';
import { asFailure, HarborError } from '../contract/errors';
import { type DataFolder, dataFolder } from '../host/data-folder';
import { asksForHelp } from '../host/help';
import { OPTIONS, USAGE } from '../host/option-table';
import { type Options, parseOptions } from '../host/options';
import { VERSION } from '../host/places';
import { commandList, type ListedCommand } from './command-list';
import type { CommandDependencies, Subcommand } from './subcommand';
import { SUBCOMMANDS } from './subcommands';

/** What a command has of the harbor's parts, composed for that data folder. */
export type Compose = (
  folder: DataFolder,
  options: Options,
) => Pick<CommandDependencies, 'agents' | 'connectAlone'>;

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
  if (asksForHelp([word, ...rest]) || word === 'help') {
    process.stdout.write(helpFor(word.startsWith('-') || word === 'help' ? rest[0] : word));
    return 0;
  }
  if (word === '--version') {
    process.stdout.write(`lisp-harbor ${VERSION}\n`);
    return 0;
  }
  const subcommand = Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
  if (!subcommand)
    throw new HarborError('bad_arguments', `There is no command ${word}.\n\n${helpFor(undefined)}`);
  if ('runWords' in subcommand) return subcommand.runWords(rest, commandList(SUBCOMMANDS));
  return subcommand.run(dependencies(word, subcommand, rest, compose));
}

/** @throws HarborError `bad_arguments` naming an option that has no effect here */
function dependencies(
  word: string,
  subcommand: Subcommand,
  words: readonly string[],
  compose: Compose,
): CommandDependencies {
  const given = givenTo(word, subcommand, words);
  const options = parseOptions(given.shared);
  const folder = dataFolder(options.data);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  return { folder, options, ...given, ...compose(folder, options), say };
}

/** What was typed: the harbor's options as they were, the command's own, and what stands beside them. */
function givenTo(
  word: string,
  { takes, own = {}, usage, positionals }: Subcommand,
  words: readonly string[],
) {
  const misused = (why: string) =>
    new HarborError('bad_arguments', `${why}Usage: lisp-harbor ${word} ${usage}`);
  const shared = Object.fromEntries(takes.map((name) => [name, OPTIONS[name]]));
  const { values, tokens, ...parsed } = orMisused(misused, () =>
    parseArgs({ args: [...words], options: { ...shared, ...own }, allowPositionals: true, tokens: true }),
  );
  if (parsed.positionals.length > positionals) throw misused('');
  const isShared = (name: string) => Object.hasOwn(shared, name);
  return {
    positionals: parsed.positionals,
    shared: tokens.flatMap((token) =>
      token.kind === 'option' && isShared(token.name)
        ? [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`]
        : [],
    ),
    own: Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        isShared(name) || Array.isArray(value) ? [] : [[name, value]],
      ),
    ),
  };
}

function orMisused<T>(misused: (why: string) => HarborError, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw misused(`${reason.split('. ')[0]?.replace(/\.$/, '') ?? reason}.\n\n`);
  }
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
