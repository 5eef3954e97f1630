/** Parses the command line of a command that calls a tool. */

import { statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type OptionRow, optionLines } from '../../host/command-line';
import { COMMON, Misuse, type ParsedArguments, type ToolCommand } from './tool-commands';

/** The environment of a command line. */
export interface Terminal {
  /** The working directory. */
  folder: string;
  stdin: Readable & { isTTY?: boolean };
  isWatched: boolean;
}

/** @throws Misuse with the error and the usage */
export function parsedArguments(
  name: string,
  command: ToolCommand,
  words: readonly string[],
  terminal: Terminal,
): ParsedArguments {
  const { values, positionals } = parsed(name, command, words);
  const [fewest, most] = command.words;
  if (positionals.length < fewest || positionals.length > most) throw new Misuse(usageOf(name, command));
  const { folder, stdin, isWatched } = terminal;
  const textOf = (option: string) => (typeof values[option] === 'string' ? values[option] : undefined);
  return {
    words: positionals,
    text: textOf,
    number: (option) => numberIn(textOf(option), option),
    isSet: (option) => (values[option] === true ? true : undefined),
    file: (each) => path.resolve(folder, each),
    stdin: () => readAll(stdin),
    isWatched,
  };
}

/** @throws Misuse if it is not a folder */
export function folderOption(text: ParsedArguments, option: string): string | undefined {
  const name = text.text(option);
  if (name === undefined) return undefined;
  const folder = text.file(name);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Misuse(`--${option} ${name} is not a folder.`);
}

export function helpOf(name: string, command: ToolCommand): string {
  const more = command.more?.map((line) => `  ${line}`) ?? [];
  const parts = [
    usageOf(name, command),
    command.about,
    ...(more.length === 0 ? [] : [more.join('\n')]),
    `Options:\n${optionLines(optionsOf(command))}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function usageOf(name: string, { takes }: ToolCommand): string {
  return `Usage: ${['lisp-harbor', name, takes, '[options]'].filter(Boolean).join(' ')}`;
}

function optionsOf({ options }: ToolCommand): Readonly<Record<string, OptionRow>> {
  return { ...options, ...COMMON };
}

function parsed(name: string, command: ToolCommand, words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: optionsOf(command), allowPositionals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Misuse(`${reason.split('.')[0] ?? reason}.\n\n${helpOf(name, command)}`);
  }
}

function numberIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
  throw new Misuse(`--${option} ${text} is not a number.`);
}

async function readAll(stdin: Terminal['stdin']): Promise<string> {
  if (stdin.isTTY)
    throw new Misuse('There is no input on stdin. Pipe it in, for example: lisp-harbor eval - < forms.lisp');
  return text(stdin);
}
