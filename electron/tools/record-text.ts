/** The record of an evaluation as text: every fact that the structured result holds, for clients that show only this. */
import type { Condition, Warning } from '../contract/model';
import type { EvaluationRecord } from './record';

export function recordText(record: EvaluationRecord): string {
  return [
    section('stdout', record.stdout),
    section('stderr', record.stderr),
    section('warnings', record.warnings.map(warningText).join('\n')),
    formsText(record),
    record.condition ? conditionText(record.condition) : '',
    [statusLine(record), ...record.notes.map((note) => `; note: ${note}`)].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(title: string, text: string): string {
  return text === '' ? '' : `[${title}]\n${text.replace(/\n$/, '')}`;
}

function warningText({ severity, type, message, form }: Warning): string {
  return `${severity.toUpperCase()} ${type} (form ${form + 1}): ${message}`;
}

/** The values of the one form there was; where several were read, each form with the code it came from. */
function formsText({ forms, condition }: EvaluationRecord): string {
  const [only] = forms;
  if (forms.length === 1 && only && !condition) return valuesText(only.values);
  return forms.map(({ code, values }, index) => `${index + 1}. ${code}\n${valuesText(values)}`).join('\n');
}

function valuesText(values: readonly string[]): string {
  return values.length === 0 ? '; no values' : values.map((value) => `=> ${value}`).join('\n');
}

function conditionText({ type, message, level, restarts, frames }: Condition): string {
  const lines = [`[${type}]${level > 1 ? ` (debugger level ${level})` : ''}`, message];
  if (restarts.length > 0) lines.push('[Restarts]', ...restarts.map(restartText));
  if (frames.length > 0) lines.push('[Backtrace]', ...frames.map(({ index, call }) => `${index}: ${call}`));
  return lines.join('\n');
}

export function restartText({
  index,
  name,
  description,
  arguments: asked,
}: Condition['restarts'][number]): string {
  return `${index}: [${name}] ${description}${asked.length > 0 ? ` (asks for ${asked.join(', ')})` : ''}`;
}

function openText({ outcome, condition, job }: EvaluationRecord): string {
  if (outcome !== 'debugger') return `still running as ${job}: use the job tool`;
  return `held at debugger level ${condition?.level} as ${job}: use the debug tool`;
}

function statusLine(record: EvaluationRecord): string {
  const parts = [
    record.outcome,
    record.session,
    `package ${record.package}`,
    `${Math.round(record.duration_ms)} ms`,
    `evaluation ${record.id}`,
  ];
  if (record.job) parts.push(openText(record));
  return `; ${parts.join(' · ')}`;
}
