/**
 * What runs after an agent's program has edited files: it tells the agent at once of delimiters that do not match. The program
 * gives its tool's call as JSON on stdin; what is written to stderr with exit code 2 goes to the model. All else is silent.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { diagnosisOf, diagnosisText } from '../source/diagnosis';
import { dialectOfFile } from '../source/dialect';
import { read } from '../source/reader';
import { LARGEST_FILE, textOf } from '../source/text-file';

/** Tells the program to show the model what stderr says. */
const TELL = 2;

/** Of Claude Code, whose tools name one file, and of Codex, whose tool takes a patch. */
const Call = z.object({
  cwd: z.string().default(''),
  tool_input: z.object({ file_path: z.string().optional(), command: z.unknown().optional() }),
});

const PATCHED = /^\*\*\* (?:(?:Update|Add) File|Move to): (.+)$/gm;

/** @returns the exit code */
export function checkEdit(input: string): number {
  const told = editedFiles(input).flatMap(wrongIn);
  if (told.length === 0) return 0;
  process.stderr.write(`${told.join('\n')}\n`);
  return TELL;
}

/** Absolute, where the program says in which folder it works. */
function editedFiles(input: string): string[] {
  const call = Call.safeParse(parsed(input));
  if (!call.success) return [];
  const { cwd, tool_input: asked } = call.data;
  const patch = typeof asked.command === 'string' ? asked.command : '';
  const patched = Array.from(patch.matchAll(PATCHED), ([, file = '']) => file.trim());
  return [...(asked.file_path === undefined ? [] : [asked.file_path]), ...patched].map((file) =>
    path.resolve(cwd, file),
  );
}

/** Nothing for a file that is no Lisp, is not there, or is right. */
function wrongIn(file: string): string[] {
  const dialect = dialectOfFile(file);
  const text = dialect === null ? null : contentOf(file);
  const wrong = dialect === null || text === null ? null : diagnosisOf(read(text, dialect));
  return wrong === null ? [] : [`${file}:${wrong.line}:${wrong.column}: ${diagnosisText(wrong)}`];
}

function contentOf(file: string): string | null {
  try {
    const status = statSync(file);
    // Reading a pipe could wait without end.
    if (!status.isFile() || status.size > LARGEST_FILE) return null;
    return textOf(readFileSync(file))?.text ?? null;
  } catch {
    // It was deleted, or moved away: there is nothing to say of it.
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
