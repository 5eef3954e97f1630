/** The record of an evaluation as text, whole: as the history tells it, and other systems where they have no words of their own. */
import type { Condition, Warning } from '../../contract/model';
import { inOneLine, isOfProver, quoted, quotedFurther, quotedOutput } from '../prover/quoted';
import { progressText } from './evaluation-progress';
import type { EvaluationRecord } from './record';
import { placeText, reportSections } from './report-text';

/** @param whole whether to say the stacks of a CPU profile, which are long, as well */
export function recordText(record: EvaluationRecord, whole = false): string {
  return [
    section('stdout', printedText(record.stdout, record)),
    section('stderr', printedText(record.stderr, record)),
    section('warnings', record.warnings.map(warningText).join('\n')),
    ...(record.report ? reportSections(record.report, whole) : []),
    formsText(record),
    record.condition ? conditionText(record.condition, record) : '',
    record.progress ? progressText(record.progress) : '',
    [
      statusLine(record),
      ...(record.cost ? [costText(record.cost)] : []),
      ...record.notes.map((note) => `; note: ${note}`),
    ].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function section(title: string, text: string): string {
  return text === '' ? '' : `[${title}]\n${text.replace(/\n$/, '')}`;
}

function warningText({ severity, type, message, form, ...place }: Warning): string {
  return `${severity.toUpperCase()} ${type} (form ${form + 1}): ${message}${placeText(place)}`;
}

/** What an image printed, as it stands beside what is ours. */
export function printedText(text: string, record: Printing): string {
  return isOfProver(record) ? quotedOutput(text) : text;
}

type Printing = Pick<EvaluationRecord, 'engine'>;

function formsText(record: EvaluationRecord): string {
  const { forms } = record;
  if (forms.length === 1) return valuesText(forms[0]?.values ?? [], record);
  return forms.map(({ values }, index) => `${index + 1}.\n${valuesText(values, record)}`).join('\n');
}

export function valuesText(values: readonly string[], record: Printing): string {
  const shown = isOfProver(record) ? values.map(quotedFurther) : values;
  return values.length === 0 ? '; no values' : shown.map((value) => `=> ${value}`).join('\n');
}

/** A prover has no levels to go back to, and its messages begin with what they are. */
export function conditionText(condition: Condition, record: Printing): string {
  const { type, message, level, restarts, frames, omitted = {} } = condition;
  if (isOfProver(record)) return quoted(message.includes(type) ? message : `[${type}] ${message}`);
  const lines = [`[${type}] (debugger level ${level})`, message];
  if (restarts.length > 0)
    lines.push('[Restarts]', ...restarts.map(restartText), ...moreText(omitted.restarts, 'restarts'));
  if (frames.length > 0)
    lines.push(
      '[Backtrace]',
      ...frames.map(({ index, call }) => `${index}: ${call}`),
      ...moreText(omitted.frames, 'frames'),
    );
  return lines.join('\n');
}

export function moreText(count: number | undefined, what: string): string[] {
  return count === undefined ? [] : [`… at least ${count} more ${what}`];
}

export function restartText({
  index,
  name,
  description,
  arguments: asked,
}: Condition['restarts'][number]): string {
  return `${index}: [${name}] ${description}${asked.length > 0 ? ` (asks for ${asked.join(', ')})` : ''}`;
}

function costText({ real_ms, run_ms, gc_ms, bytes }: NonNullable<EvaluationRecord['cost']>): string {
  return `; cost: real ${real_ms} ms · run ${run_ms} ms · GC ${gc_ms} ms · ${bytes} bytes allocated`;
}

function openText({ outcome, condition, job, queued }: EvaluationRecord): string {
  const as = job === undefined ? '' : ` as ${job}`;
  if (queued)
    return `not begun${as}, behind ${queued.join(', ') || 'the start of an image'}: use the job tool`;
  if (outcome !== 'debugger') return `still running${as}: use the job tool`;
  const level = condition?.level === undefined ? '' : ` at debugger level ${condition.level}`;
  return `held${level}${as}`;
}

function statusLine(record: EvaluationRecord): string {
  const parts = [
    record.queued ? 'queued' : record.outcome,
    `evaluation ${record.id}`,
    record.session,
    record.engine,
    `package ${inOneLine(record.package)}`,
    `${Math.round(record.duration_ms)} ms`,
  ];
  if (record.job) parts.push(openText(record));
  if (record.truncated) parts.push('truncated');
  return `; ${parts.join(' · ')}`;
}
