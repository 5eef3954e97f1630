/**
 * Evaluations as cl-mcp-server prints them: `[stdout]`, `[stderr]` and `[warnings]` before `=> value` lines,
 * `[ERROR] TYPE` with its message and backtrace.
 */

import type { Finding } from '../../contract/knowledge';
import type { Condition, Warning } from '../../contract/model';
import { type EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import { frameLines, jobSentence } from '../../tools/evaluation/record-text';
import { type PlaceResult, placeText } from '../../tools/source-places';
import type { BalanceCheck } from '../tools/source-tools';

/** Maximum number of frames in a report. */
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
  if (job) return `${sections}${jobSentence(job, record.queued)}`;
  if (record.outcome !== 'ok') return `${sections}[ERROR] ${record.outcome.toUpperCase()}`;
  return `${sections}${valueLines(lastValues(record))}`;
}

/** Returns the report of a condition: type, message and backtrace, with the engine's own frames counted. */
export function errorText({ type, message, frames, omitted }: Condition, engine: string): string {
  const head = `[ERROR] ${type}\n${message}`;
  const lines = frameLines(frames, engine, { omitted: omitted?.frames, most: FRAMES });
  return lines.length === 0 ? head : `${head}\n\n[Backtrace]\n${lines.join('\n')}\n`;
}

/** Returns the compiler's messages about code that was not run. */
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

/** Returns the result of a syntax check of `forms` top-level forms. */
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

/** Output may end in a newline or not. An empty line distinguishes the two. */
function section(title: string, text: string): string {
  return text === '' ? '' : `[${title}]\n${text}\n`;
}

function warningLine({ severity, message }: Warning): string {
  return `${severity.toUpperCase()}: ${message}\n`;
}

function valueLines(values: readonly string[]): string {
  return values.length === 0 ? '; no values' : values.map((value) => `=> ${value}`).join('\n');
}

/** Returns the values of the forms that completed before one failed. */
function valuesOf({ forms }: EvaluationRecord, title: string): string {
  if (forms.length === 0) return '';
  return section(
    title,
    forms.map(({ values }, index) => `form ${index + 1}\n${valueLines(values)}\n`).join(''),
  );
}

// Names as cl-mcp-server lists them: definitions under `[Functions]` and similar headings, symbols with their
// kind, uses by place.

type Named = Pick<Finding, 'kind' | 'text' | 'arglist' | 'value'>;
type Used = Pick<Finding, 'kind' | 'text'> & { source?: PlaceResult | undefined };

/** Lists definitions under a heading for each kind. */
export function definitionsText(
  definitions: readonly Pick<Finding, 'kind' | 'text' | 'arglist' | 'value'>[],
): string {
  const groups = Object.entries(GROUPS).flatMap(([title, kinds]) => {
    const lines = definitions
      .filter(({ kind }) => kinds.test(kind))
      .map(
        ({ text, arglist, value }) => `- ${text}${arglist ? ` ${arglist}` : ''}${value ? ` = ${value}` : ''}`,
      );
    return lines.length === 0 ? [] : [`[${title}]\n${lines.join('\n')}`];
  });
  return groups.length === 0 ? 'No user definitions.' : groups.join('\n\n');
}

const GROUPS: Record<string, RegExp> = {
  Functions: /function|method/,
  Macros: /macro/,
  Variables: /variable|constant/,
  Classes: /class|structure|condition|type/,
};

/**
 * Lists symbols that match a part of a name.
 * @param total includes those that are not listed
 */
export function aproposText(symbols: readonly Named[], total: number, pattern: string): string {
  const lines = symbols.map(
    ({ kind, text, arglist }) => `  ${text}${arglist ? ` ${arglist}` : ''} [${kind.toUpperCase()}]`,
  );
  return `Found ${counted(total, 'symbol')} matching '${pattern}':\n\n${[...lines, ...moreLine(total - symbols.length)].join('\n')}`;
}

/**
 * Lists each use of a name once, with its place.
 * @param what `caller` or `reference`
 */
export function usesText(
  { results, total }: { results: readonly Used[]; total: number },
  what: 'caller' | 'reference',
  name: string,
): string {
  const of = what === 'caller' ? 'of' : 'to';
  if (results.length === 0) return `No ${what}s found ${what === 'caller' ? 'for' : 'to'} ${name}`;
  const users = [...Map.groupBy(results, (use) => `${use.kind} ${use.text}`).values()];
  const lines = users.flatMap((uses) => userLines(uses));
  return `${counted(users.length, what)} ${of} ${name}:\n\n${[...lines, ...moreLine(total - results.length)].join('\n')}`;
}

/** Omits the kind of a use that is a call. */
function userLines(uses: readonly Used[]): string[] {
  const [first] = uses;
  if (!first) return [];
  const how = first.kind === 'calls' ? [] : [first.kind];
  const sites = uses.length === 1 ? how : [...how, `${uses.length} sites`];
  const places = new Set(uses.flatMap(({ source }) => (source ? [placeText(source)] : [])));
  return [
    `  ${first.text}${sites.length === 0 ? '' : ` (${sites.join(', ')})`}`,
    ...[...places].map((place) => `    at ${place}`),
  ];
}

function moreLine(more: number): string[] {
  return more > 0 ? [`  … ${more} more`] : [];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
