/** `lisp-harbor <command> …`: what can be done with a harbor from a terminal or a script. Exit codes: 0, 1 failed, 2 misused. */
import type { CommandDependencies } from './command-line/subcommand';
import { SUBCOMMANDS } from './command-line/subcommands';
import { asFailure, HarborError } from './contract/errors';
import { composeAgents, composeConnect } from './harbor/compose-connect';
import { dataFolder } from './host/data-folder';
import { asksForHelp, ENTRIES, helpText, isEntry } from './host/help';
import { USAGE } from './host/option-table';
import { commandLine, parseOptions } from './host/options';

async function run([word = '--help', ...rest]: string[]): Promise<number> {
  if (asksForHelp([word, ...rest])) {
    process.stdout.write(helpFor(word.startsWith('-') ? rest[0] : word));
    return 0;
  }
  const subcommand = Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
  if (!subcommand)
    throw new HarborError('bad_arguments', `There is no command ${word}.\n\n${helpFor(undefined)}`);
  if ('runWords' in subcommand) return subcommand.runWords(rest);
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
  return {
    folder,
    options,
    positionals,
    connect: composeConnect(folder),
    agents: composeAgents(folder, options.project),
    say,
  };
}

/** Of one command, or of all. */
function helpFor(word: string | undefined): string {
  if (word !== undefined && isEntry(word)) return helpText(ENTRIES[word]);
  const own = Object.entries(SUBCOMMANDS).map(([name, command]) => {
    const entry = { usage: `${name} ${command.usage}`, about: command.about };
    return { name, ...entry, help: 'help' in command ? command.help : helpText(entry) };
  });
  const one = own.find(({ name }) => name === word);
  if (one) return one.help;
  const all = [...Object.values(ENTRIES), ...own].map(
    ({ usage, about }) => `  lisp-harbor ${usage}\n      ${about}`,
  );
  return `Usage:\n${all.join('\n')}\n\n${USAGE}\n`;
}

try {
  process.exitCode = await run(commandLine(process));
} catch (error) {
  const { code, message } = asFailure(error);
  process.stderr.write(`lisp-harbor: ${message}\n`);
  process.exitCode = code === 'bad_arguments' ? 2 : 1;
}
