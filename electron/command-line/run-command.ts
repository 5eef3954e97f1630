/**
 * Runs the commands that do not call a tool. They accept options of the harbor. Exit codes: 0 success, 1
 * failure, 2 misuse.
 */

import { parseArgs } from 'node:util';
import { asFailure, HarborError } from '../contract/errors';
import { type DataFolder, dataFolder } from '../host/data-folder';
import { OPTIONS, type Options, parseOptions, requestsHelp, USAGE } from '../host/options';
import { VERSION } from '../host/paths';
import { agent, clients } from './clients';
import {
  type CommandDependencies,
  commandList,
  type ListedCommand,
  type Subcommand,
  type WordsCommand,
} from './command-list';
import { completion } from './completion';
import { editor } from './editor';
import { kernel, lsp } from './editor-programs';
import { fix } from './fix';
import { healthCheck, listTools, repl, stop, telnetCode, testEval } from './harbor-commands';
import { manual } from './manual';

/** Builds the harbor’s services that a command needs, for its data folder. */
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
  if (requestsHelp([word, ...rest]) || word === 'help') {
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
  const parsed = parseWords(word, subcommand, words);
  const options = parseOptions(parsed.shared);
  const folder = dataFolder(options.data);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  return { folder, options, ...parsed, ...compose(folder, options), print: print };
}

/** Splits the command line into the harbor’s options, the command’s own options, and the other words. */
function parseWords(
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

/** Returns the help of one command, or of all. */
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
  return `Usage:\n${listed(true)}\n      --help lists the options of each\n\n${listed(false)}\n\n${USAGE}\n`;
}

/** The commands that do not call a tool. */
export const SUBCOMMANDS: Readonly<Record<string, Subcommand | WordsCommand>> = {
  agent,
  clients,
  fix,
  editor,
  lsp,
  kernel,
  repl,
  stop,
  'health-check': healthCheck,
  'test-eval': testEval,
  'list-tools': listTools,
  'telnet-code': telnetCode,
  completion,
  manual,
};
