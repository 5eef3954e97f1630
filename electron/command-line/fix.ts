/** `fix FILE…`: balances and indents Lisp files, or reports problems. It needs no harbor. */

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readSnapshot, replaceFile } from '../connect/config-file';
import { HarborError } from '../contract/errors';
import { flag, type OptionRow, optionLines, value } from '../host/command-line';
import { diagnosisOf, diagnosisText } from '../source/diagnosis';
import { type Dialect, dialectOfFile } from '../source/dialect';
import { unifiedDiff } from '../source/edit';
import { type MendResult, mendSource } from '../source/mend/mended';
import { readFile } from '../source/own-syntax';
import { bytesOf, LARGEST_FILE, textOf } from '../source/text';
import type { WordsCommand } from './command-list';

const USAGE = '[--check | --dry-run] FILE… | [--as NAME] -';
const ABOUT =
  'balances and indents Lisp files and prints one line for each change; if a fix is ambiguous, it reports the problem and leaves the file unchanged';

const OPTIONS = {
  check: flag('changes nothing; exit code 1 also if something would change'),
  'dry-run': flag('changes nothing and shows what would change'),
  as: value('NAME', 'file name that determines the dialect of stdin; default: Common Lisp'),
  hook: flag('checks the files of an edit that an agent’s program reports on stdin'),
  help: { ...flag('prints this and exits'), short: 'h' },
} satisfies Record<string, OptionRow>;

const HELP = `Usage: lisp-harbor fix ${USAGE}

${ABOUT}.
Exit code 1 if there is a problem.

${optionLines(OPTIONS)}
`;

type Mode = 'write' | 'check' | 'dry-run';

export const fix: WordsCommand = {
  usage: USAGE,
  about: ABOUT,
  help: HELP,
  options: OPTIONS,
  async runWords(words) {
    const { values, positionals } = parsedOptions(words);
    if (values.hook === true) return checkEdit(await textFrom(process.stdin));
    if (values.help === true) return report(HELP, 0);
    if (positionals.length === 0) throw new HarborError('bad_arguments', `no file was named.\n\n${HELP}`);
    if (positionals.includes('-')) return fixStream(await textFrom(process.stdin), values.as ?? 'stdin.lisp');
    const mode = values['dry-run'] === true ? 'dry-run' : values.check === true ? 'check' : 'write';
    const codes: number[] = [];
    for (const file of positionals) codes.push(await fixFile(file, mode));
    return Math.max(...codes);
  },
};

function parsedOptions(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new HarborError('bad_arguments', error instanceof Error ? error.message : String(error));
  }
}

async function fixStream(text: string, name: string): Promise<number> {
  const result = mendSource(text, dialectOf(name));
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
      `${file} ${snapshot.bytes === null ? 'does not exist' : 'is not a text file'}.`,
    );
  const result = mendSource(content.text, dialect);
  if ('wrong' in result) return report(wrongText(file, result), 1);
  if (result.text === content.text) return report(`${file}: nothing to fix`, 0);
  const bytes = Buffer.from(bytesOf({ ...content, text: result.text }));
  if (mode === 'write') await replaceFile(snapshot, bytes);
  if (mode === 'dry-run') return report(unifiedDiff(file, content.text, result.text)?.trimEnd() ?? '', 0);
  return report(
    `${file}: ${mode === 'check' ? 'to fix: ' : ''}${result.changes.join(', ')}`,
    mode === 'check' ? 1 : 0,
  );
}

function wrongText(file: string, { wrong }: Extract<MendResult, { wrong: unknown }>): string {
  return `${file}:${wrong.line}:${wrong.column}: ${diagnosisText(wrong)}`;
}

function dialectOf(file: string): Dialect {
  const dialect = dialectOfFile(file);
  if (dialect !== null) return dialect;
  throw new HarborError('bad_arguments', `${file} does not have the name of a Lisp file.`);
}

function report(text: string, code: number): number {
  process.stdout.write(`${text}\n`);
  return code;
}

/** Exit code with which the program shows stderr to the model. */
const SHOW_STDERR = 2;

/** The call of a tool of Claude Code, which names one file, or of Codex, which contains a patch. */
const Call = z.object({
  cwd: z.string().default(''),
  tool_input: z.object({ file_path: z.string().optional(), command: z.unknown().optional() }),
});

const PATCHED = /^\*\*\* (?:(?:Update|Add) File|Move to): (.+)$/gm;

/**
 * Checks the files that an agent’s program has just edited and reports unmatched delimiters to the model on
 * stderr. Silent otherwise.
 * @param input the program’s tool call as JSON
 * @returns the exit code
 */
function checkEdit(input: string): number {
  const problems = editedFiles(input).flatMap(wrongIn);
  if (problems.length === 0) return 0;
  process.stderr.write(`${problems.join('\n')}\n`);
  return SHOW_STDERR;
}

/** Returns absolute paths if the program names its working directory. */
function editedFiles(input: string): string[] {
  const call = Call.safeParse(parsed(input));
  if (!call.success) return [];
  const { cwd, tool_input: parsedOptions } = call.data;
  const patch = typeof parsedOptions.command === 'string' ? parsedOptions.command : '';
  const patched = Array.from(patch.matchAll(PATCHED), ([, file = '']) => file.trim());
  return [...(parsedOptions.file_path === undefined ? [] : [parsedOptions.file_path]), ...patched].map(
    (file) => path.resolve(cwd, file),
  );
}

/** Returns the problems of a file; none if it is not Lisp, does not exist or is correct. */
function wrongIn(file: string): string[] {
  const dialect = dialectOfFile(file);
  const text = dialect === null ? null : contentOf(file);
  const wrong = dialect === null || text === null ? null : diagnosisOf(readFile(text, dialect));
  return wrong === null ? [] : [`${file}:${wrong.line}:${wrong.column}: ${diagnosisText(wrong)}`];
}

function contentOf(file: string): string | null {
  try {
    const status = statSync(file);
    // Reading a pipe could block forever.
    if (!status.isFile() || status.size > LARGEST_FILE) return null;
    return textOf(readFileSync(file))?.text ?? null;
  } catch {
    // The file was deleted or moved.
    return null;
  }
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
