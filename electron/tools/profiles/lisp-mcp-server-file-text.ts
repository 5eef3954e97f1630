/** What lisp-mcp-server says of files: found, read by lines, edited, begun. */
import { lispString } from '../../contract/knowledge';
import { diagnosisText } from '../../source/diagnosis';
import type { BalanceCheck } from '../files/check-balance-tool';
import type { SearchedForm } from '../files/search-forms-tool';

/** Matches of a search by file and line, with how the form around each is called. */
export function searchedText(
  { matches, count }: { matches: readonly SearchedForm[]; count: number },
  { pattern, path }: { pattern: string; path?: string | undefined },
): string {
  const where = path === undefined ? '' : ` in ${path}`;
  return [
    `${count} ${count === 1 ? 'match' : 'matches'} for ${lispString(pattern)}${where}:`,
    ...matches.flatMap(
      ({ file, line, signature, match, form, 'form-type': type, match_lines: lines = [] }) => [
        `  ${file}:${line} [${type}] ${signature ?? match}${alsoText(lines.slice(1))}`,
        ...(form === undefined ? [] : [form]),
      ],
    ),
  ].join('\n');
}

function alsoText(lines: readonly { line: number }[]): string {
  return lines.length === 0 ? '' : ` (also at ${lines.map(({ line }) => line).join(', ')})`;
}

/** What an edit has done, in a sentence; of a dry run what it would do. */
export function editedText(
  { written, diff, path }: { written: boolean; diff: string; path: string },
  { operation, of, dryRun }: { operation: string; of: string; dryRun: boolean },
): string {
  if (dryRun)
    return `Dry-run ${operation} on ${of} in ${path} (${diff === '' ? 'no change' : 'would change'})\n${diff}`.trimEnd();
  if (!written) return `No change to ${of} in ${path}`;
  return `Applied ${operation} to ${of} in ${path}`;
}

/** What is in a folder, an entry a line. */
export function listedText(entries: readonly { name: string; type: string }[], path: string): string {
  const lines = entries.map(({ name, type }) => `${type === 'directory' ? '[dir] ' : '[file]'} ${name}`);
  return [`${entries.length} entries in ${path}`, ...lines].join('\n');
}

/** Whether parentheses match; where they do not, what is wrong and what would probably mend it. */
export function balanceText({ message, fix }: Partial<Pick<BalanceCheck, 'message' | 'fix'>>): string {
  if (message === undefined) return 'Parentheses are balanced';
  return `Unbalanced parentheses: ${diagnosisText({ message, fix })}`;
}

/** Lines of a text that one answer shows unless more are asked for. */
const USUAL_LINES = 500;

/** Some lines of a plain text, and where to go on. */
export function linesText(
  content: string,
  { offset = 0, limit = USUAL_LINES }: { offset?: number | undefined; limit?: number | undefined },
): string {
  const lines = content.split('\n');
  const total = content.endsWith('\n') ? lines.length - 1 : lines.length;
  const end = Math.min(offset + limit, total);
  if (offset === 0 && end === total) return content;
  const shown = lines.slice(offset, end).join('\n');
  const more = end < total ? ` Use offset=${end} to read more.` : '';
  return `${shown}\n[Showing lines ${offset + 1}-${end} of ${total}.${more}]`;
}

/** What was begun, and what to do next. */
export function scaffoldedText(
  { path, absolute_path: absolute, files, framework }: ScaffoldedProject,
  { name }: { name: string },
): string {
  const testing =
    framework === null ? ' (no test framework was found: ASDF alone says whether they pass)' : '';
  return [
    `Scaffolded ${name} at ${path} (${files.length} files)`,
    `Path: ${absolute}`,
    `To load: run load-system with {"system": "${name}"}`,
    `To test: run run-tests with {"system": "${name}/tests"}${testing}`,
    `To edit: use lisp-edit-form with paths under ${path}`,
  ].join('\n');
}

interface ScaffoldedProject {
  path: string;
  absolute_path: string;
  files: readonly string[];
  framework: string | null;
}
