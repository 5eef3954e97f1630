/**
 * Evaluations as cl-mcp-server prints them: `[stdout]`, `[stderr]` and `[warnings]` before `=> value` lines, `[ERROR] TYPE`
 * with its message and backtrace.
 */
import type { Condition, Warning } from '../../contract/model';
import { frameLines } from '../evaluation/lean-condition';
import { type EvaluationRecord, lastValues } from '../evaluation/record';
import type { BalanceCheck } from '../files/check-balance-tool';

/** Frames of a backtrace that a report shows. */
const FRAMES = 10;

export function evaluationText(record: EvaluationRecord): string {
  const { condition, job } = record;
  const sections = [
    section('stdout', record.stdout),
    section('stderr', record.stderr),
    section('warnings', record.warnings.map(warningLine).join('')),
  ].join('');
  if (condition)
    return [errorText(condition, record.engine), sections, valuesOf(record, 'Before it')]
      .filter(Boolean)
      .join('\n');
  if (job) return `${sections}Still running as ${job}: the tool job follows it.`;
  if (record.outcome !== 'ok') return `${sections}[ERROR] ${record.outcome.toUpperCase()}`;
  return `${sections}${valueLines(lastValues(record))}`;
}

/** The report of a condition: its type, what it says, and where, with the engine's own frames counted. */
export function errorText({ type, message, frames, omitted }: Condition, engine: string): string {
  const head = `[ERROR] ${type}\n${message}`;
  const lines = frameLines(frames, engine, { omitted: omitted?.frames, most: FRAMES });
  return lines.length === 0 ? head : `${head}\n\n[Backtrace]\n${lines.join('\n')}\n`;
}

/** What the compiler said of code that was not run. */
export function compilationText(record: EvaluationRecord): string {
  const { outcome, warnings } = record;
  if (outcome !== 'ok') return evaluationText(record);
  const notes = warnings.filter(({ severity }) => severity === 'note');
  const others = warnings.filter(({ severity }) => severity !== 'note');
  const lines = others.map(({ severity, message }) =>
    severity === 'style-warning' ? `[STYLE] ${message}` : message,
  );
  return [
    'Compilation successful.',
    ...listed('Warnings', lines),
    ...listed(
      'Compiler notes',
      notes.map(({ message }) => message),
    ),
    ...(warnings.length === 0 ? ['No warnings or notes.'] : []),
  ].join('\n');
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title} (${lines.length}):`, ...lines.map((line) => `  ${line}`)];
}

/** What checking the syntax of `forms` top-level forms came to, without evaluating them. */
export function syntaxText(
  checked: Pick<BalanceCheck, 'ok' | 'message' | 'line' | 'fix'>,
  forms: number,
): string {
  const { ok, message, line, fix } = checked;
  if (ok) return `✓ Syntax valid: ${forms} top-level form${forms === 1 ? '' : 's'}`;
  const likely = fix === undefined ? '' : `\nLikely fix: ${fix}`;
  const where = line === undefined ? '' : `\nApproximate location: line ${line}`;
  return `✗ Syntax invalid\n\nError: ${message ?? 'the parentheses do not match'}${where}${likely}`;
}

/** What was printed ends in a newline of its own or not; an empty line tells the two apart, so nothing is lost. */
function section(title: string, text: string): string {
  return text === '' ? '' : `[${title}]\n${text}\n`;
}

function warningLine({ severity, message }: Warning): string {
  return `${severity.toUpperCase()}: ${message}\n`;
}

function valueLines(values: readonly string[]): string {
  return values.length === 0 ? '; no values' : values.map((value) => `=> ${value}`).join('\n');
}

/** The values of the forms that came to their end before one failed. */
function valuesOf({ forms }: EvaluationRecord, title: string): string {
  if (forms.length === 0) return '';
  return section(
    title,
    forms.map(({ values }, index) => `form ${index + 1}\n${valueLines(values)}\n`).join(''),
  );
}
