/** `fix FILE…`: balances and indents Lisp files, or says what is wrong with them. It needs no harbor. */
import path from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readSnapshot, replaceFile } from '../connect/config-file';
import { HarborError } from '../contract/errors';
import { flag, type OptionRow, optionLines, value } from '../host/option-row';
import { diagnosisText } from '../source/diagnosis';
import { type Dialect, dialectOfFile } from '../source/dialect';
import { differenceText } from '../source/edit';
import { type Fixed, fixed } from '../source/mend/fixed';
import { bytesOf, textOf } from '../source/text-file';
import { checkEdit } from './edit-hook';
import type { WordsCommand } from './subcommand';

const USAGE = '[--check | --dry-run] FILE… | [--as NAME] -';
const ABOUT =
  'balances and indents Lisp files, and says in a line each what it did; where it is not sure, it says what is wrong and leaves the file alone';

const OPTIONS = {
  check: flag('changes nothing; exit code 1 also where something would be changed'),
  'dry-run': flag('changes nothing and shows what would be changed'),
  as: value('NAME', 'what stdin is, by the name of a file; Common Lisp unless given'),
  hook: flag('checks the files of an edit that an agent’s program tells on stdin'),
  help: { ...flag('print this and do nothing else'), short: 'h' },
} satisfies Record<string, OptionRow>;

const HELP = `Usage: lisp-harbor fix ${USAGE}

${ABOUT}.
Exit code 1 where something is wrong.

${optionLines(OPTIONS)}
`;

type Mode = 'write' | 'check' | 'dry-run';

export const fix: WordsCommand = {
  usage: USAGE,
  about: ABOUT,
  help: HELP,
  options: OPTIONS,
  async runWords(words) {
    const { values, positionals } = asked(words);
    if (values.hook === true) return checkEdit(await textFrom(process.stdin));
    if (values.help === true) return say(HELP, 0);
    if (positionals.length === 0) throw new HarborError('bad_arguments', `no file is named.\n\n${HELP}`);
    if (positionals.includes('-')) return fixStream(await textFrom(process.stdin), values.as ?? 'stdin.lisp');
    const mode = values['dry-run'] === true ? 'dry-run' : values.check === true ? 'check' : 'write';
    const codes: number[] = [];
    for (const file of positionals) codes.push(await fixFile(file, mode));
    return Math.max(...codes);
  },
};

function asked(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new HarborError('bad_arguments', error instanceof Error ? error.message : String(error));
  }
}

async function fixStream(text: string, name: string): Promise<number> {
  const result = fixed(text, dialectOf(name));
  process.stdout.write('wrong' in result ? text : result.text);
  if ('wrong' in result) process.stderr.write(`${wrongText('stdin', result)}\n`);
  return 'wrong' in result ? 1 : 0;
}

async function fixFile(file: string, mode: Mode): Promise<number> {
  const dialect = dialectOf(file);
  const snapshot = await readSnapshot(path.resolve(file));
  const content = snapshot.bytes === null ? null : textOf(snapshot.bytes);
  if (content === null)
    throw new HarborError(
      'file_missing',
      `${file} ${snapshot.bytes === null ? 'is not there' : 'is no text'}.`,
    );
  const result = fixed(content.text, dialect);
  if ('wrong' in result) return say(wrongText(file, result), 1);
  if (result.text === content.text) return say(`${file}: nothing to fix`, 0);
  const bytes = Buffer.from(bytesOf({ ...content, text: result.text }));
  if (mode === 'write') await replaceFile(snapshot, bytes);
  if (mode === 'dry-run') return say(differenceText(file, content.text, result.text)?.trimEnd() ?? '', 0);
  return say(
    `${file}: ${mode === 'check' ? 'to fix: ' : ''}${result.told.join(', ')}`,
    mode === 'check' ? 1 : 0,
  );
}

function wrongText(file: string, { wrong }: Extract<Fixed, { wrong: unknown }>): string {
  return `${file}:${wrong.line}:${wrong.column}: ${diagnosisText(wrong)}`;
}

function dialectOf(file: string): Dialect {
  const dialect = dialectOfFile(file);
  if (dialect !== null) return dialect;
  throw new HarborError('bad_arguments', `${file} is no Lisp file by its name.`);
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`);
  return code;
}
