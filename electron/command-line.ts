/** `lisp-harbor <command> …`: what can be done with a harbor from a terminal or a script. Exit codes: 0, 1 failed, 2 misused. */
import type { CommandDependencies } from './command-line/subcommand';
import { SUBCOMMANDS } from './command-line/subcommands';
import { asFailure, HarborError } from './contract/errors';
import { composeConnect } from './harbor/compose-connect';
import { dataFolder } from './host/data-folder';
import { commandLine, parseOptions, USAGE } from './host/options';

/** Commands that have an entry of their own. */
const OTHERS: readonly [usage: string, about: string][] = [
  ['[options]', 'opens the window; without a display as "serve"'],
  ['serve [options]', 'the same harbor without a window; prints one line of JSON when it is ready'],
  ['stdio [options]', 'MCP over stdin and stdout, for clients that start their servers themselves'],
];

async function run([word = '--help', ...rest]: string[]): Promise<number> {
  if (word === '--help' || rest.includes('--help')) {
    process.stdout.write(`${helpFor(word === '--help' ? rest[0] : word)}\n`);
    return 0;
  }
  const subcommand = Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
  if (!subcommand)
    throw new HarborError('bad_arguments', `There is no command ${word}.\n\n${helpFor(undefined)}`);
  const options = rest.findIndex((argument) => argument.startsWith('-'));
  const positionals = rest.slice(0, options < 0 ? rest.length : options);
  if (positionals.length > subcommand.positionals)
    throw new HarborError('bad_arguments', `Usage: lisp-harbor ${word} ${subcommand.usage}`);
  return subcommand.run(dependencies(rest.slice(positionals.length), positionals));
}

function dependencies(args: string[], positionals: string[]): CommandDependencies {
  const options = parseOptions(args);
  const folder = dataFolder(options.data);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  return { folder, options, positionals, connect: composeConnect(folder), say };
}

/** Of one command, or of all. */
function helpFor(word: string | undefined): string {
  const subcommand = word !== undefined && Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
  if (word !== undefined && subcommand)
    return `Usage: lisp-harbor ${word} ${subcommand.usage}\n\n${subcommand.about}`;
  const own = Object.entries(SUBCOMMANDS).map(
    ([name, { usage, about }]) => [`${name} ${usage}`, about] as const,
  );
  const all = [...OTHERS, ...own].map(([usage, about]) => `  lisp-harbor ${usage}\n      ${about}`);
  return `Usage:\n${all.join('\n')}\n\n${USAGE}`;
}

try {
  process.exitCode = await run(commandLine(process));
} catch (error) {
  const { code, message } = asFailure(error);
  process.stderr.write(`lisp-harbor: ${message}\n`);
  process.exitCode = code === 'bad_arguments' ? 2 : 1;
}
