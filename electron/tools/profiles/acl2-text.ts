/** Results in the words of the ACL2 MCP Bridge: values by themselves, and for the prover what became of each event. */
import type { EventReport, Verdict } from '../../contract/proof';
import { leanConditionText } from '../evaluation/lean-condition';
import { type EvaluationRecord, jobName, lastValues } from '../evaluation/record';
import { conditionText, recordText, section, valuesText } from '../evaluation/record-text';
import { reportSections } from '../evaluation/report-text';
import { proofSections } from '../prover/proof-text';

/** The values of the last form, one a line, then what was printed; everything when it failed. */
export function evaluationText(record: EvaluationRecord): string {
  if (record.outcome !== 'ok') return failureText(record);
  const printed = [record.stdout, record.stderr].filter((text) => text !== '');
  const warnings = record.warnings.map(({ type, message }) => `${type}: ${message}`);
  return [
    lastValues(record).join('\n'),
    ...(printed.length > 0 ? [`Output:\n${printed.join('\n')}`] : []),
    ...(warnings.length > 0 ? [`Warnings:\n${warnings.join('\n')}`] : []),
  ].join('\n\n');
}

function failureText(record: EvaluationRecord): string {
  const { outcome, stdout, stderr, forms, condition, report, job } = record;
  if (job || report || !condition) return recordText(record);
  return [
    section('stdout', stdout),
    section('stderr', stderr),
    ...forms.map(({ values }, place) => `${place + 1}. ${valuesText(values)}`),
    leanConditionText(condition, record),
    outcome === 'error' ? '' : `; ${outcome}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How far the world was taken back, and what did not stay on the way. */
export function undoneText(record: EvaluationRecord): string {
  const proof = record.report?.proof;
  if (record.outcome !== 'ok' || !proof || proof.command === null) return recordText(record);
  const rest = (proof.lost?.length ?? 0) > 0 ? `\n\n${proofSections(proof).join('\n')}` : '';
  return `Undone: the last command of the world is ${proof.command}${reservations(record)}.${rest}`;
}

/** Verdicts that leave in the world what was submitted. */
const ADMITTED: ReadonlySet<Verdict> = new Set(['admitted', 'redundant', 'skipped', 'axiom']);

/** Whether each form of the evaluation was an event and is in the world now. */
export function isAdmitted({ outcome, forms, report }: EvaluationRecord): boolean {
  const events = report?.proof?.events ?? [];
  return (
    outcome === 'ok' &&
    forms.length > 0 &&
    forms.every((_, form) => events.some((event) => event.form === form && ADMITTED.has(event.verdict)))
  );
}

export function admissionText(record: EvaluationRecord): string {
  if (record.job) return recordText(record);
  const said = isAdmitted(record) ? 'Event admitted successfully' : 'Admission FAILED';
  return `${said}${reservations(record)}\n\n${proofText(record)}`;
}

/**
 * What became of each event, with the checkpoints of those that failed. The prover's own account says more only where an
 * event failed without a proof; it is long, and the job's output has it.
 */
function proofText(record: EvaluationRecord): string {
  const { id, stdout, stderr, report, condition } = record;
  const events = report?.proof?.events ?? [];
  const isTold =
    events.length > 0 &&
    events.every(({ verdict, checkpoints }) => isSuccess(verdict) || checkpoints !== null) &&
    (condition === undefined || !isSuccess(lastEvent(events)?.verdict));
  return [
    section('stdout', stdout),
    isTold ? '' : section('stderr', stderr),
    ...(report ? reportSections(report, false) : []),
    isTold || !condition ? '' : conditionText(condition),
    isTold && stderr !== '' ? `; the prover’s account: job ${jobName(id)}, action output` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function isSuccess(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && (verdict === 'proved' || ADMITTED.has(verdict));
}

/** Whether a theorem was refused for the rule that it would make, before anybody tried to prove it. */
export function isRefusedForItsRule({ condition, report }: EvaluationRecord): boolean {
  const event = lastEvent(report?.proof?.events);
  return event?.checkpoints === null && / rule generated from /.test(condition?.message ?? '');
}

/** Whether the prover has proved it, here and now; what it skipped is not proved. */
export function isProved({ outcome, report }: EvaluationRecord): boolean {
  return outcome === 'ok' && lastEvent(report?.proof?.events)?.verdict === 'proved';
}

export function provabilityText(record: EvaluationRecord): string {
  if (record.job) return recordText(record);
  return `${provability(record)}${reservations(record)}\n\n${proofText(record)}`;
}

/** What became of a request to trace a function. */
export function tracingText(
  record: EvaluationRecord,
  action: 'trace' | 'untrace' | 'status',
  name: string,
): string {
  const [value = 'NIL'] = lastValues(record);
  const symbol = name.toUpperCase().replace(/^.*::?/, '');
  const isNamed = value.split(/[\s()]+/).some((each) => each.replace(/^.*::?/, '') === symbol);
  if (record.outcome !== 'ok' || (action !== 'status' && !isNamed)) return recordText(record);
  if (action === 'status') return `${symbol} is ${isNamed ? '' : 'not '}being traced. Traced: ${value}`;
  return action === 'trace' ? `Now tracing ${symbol}` : `Stopped tracing ${symbol}`;
}

/** What a failed proof asks for; nothing of it has been tried. */
export function suggestionText(record: EvaluationRecord): string {
  if (record.job) return recordText(record);
  const suggestions = lastEvent(record.report?.proof?.events)?.suggestions ?? [];
  const untried = suggestions.filter(({ kind }) => kind !== 'counterexample');
  const lines = untried.flatMap(({ kind, text, form }) => [
    `- ${kind}: ${text}`,
    ...(form === null ? [] : [`  ${form}`]),
  ]);
  if (lines.length > 0) return [provability(record), 'Suggestions, not tried:', ...lines].join('\n');
  return isProved(record) ? provability(record) : provabilityText(record);
}

function provability(record: EvaluationRecord): string {
  if (isProved(record)) return 'Provable: THM proves it in the current world.';
  const event = lastEvent(record.report?.proof?.events);
  const refuted = event?.suggestions?.find(({ kind }) => kind === 'counterexample');
  if (refuted) return `Not provable: ${refuted.text}`;
  if (record.outcome === 'interrupted') return 'Not decided: the search was interrupted.';
  if (event?.verdict === 'skipped') return 'Not decided: proofs are being skipped in this session.';
  if (event?.checkpoints || typeof event?.figures?.steps === 'number')
    return 'Not proved: the search gave up. It may be false, or true and in need of a lemma or a hint; see the key checkpoints.';
  return 'Not proved: ACL2 did not accept the conjecture.';
}

/** What a success rests on beside the logic; nothing where that is nothing. */
function reservations({ report }: EvaluationRecord): string {
  const issues = report?.proof?.issues ?? [];
  return issues.length === 0 ? '' : ` (it rests on: ${issues.map(({ kind }) => kind).join(', ')})`;
}

function lastEvent(events: readonly EventReport[] | undefined): EventReport | undefined {
  return events?.at(-1);
}
