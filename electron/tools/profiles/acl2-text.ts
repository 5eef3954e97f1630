/**
 * Results in the words of the ACL2 MCP Bridge: values by themselves, and for the prover a line that says whether it was done, above
 * what our own tool says of it.
 */
import type { EventReport, Verdict } from '../../contract/proof';
import { leanConditionText } from '../evaluation/lean-condition';
import { type EvaluationRecord, jobName, lastValues } from '../evaluation/record';
import { printedText, section, valuesText } from '../evaluation/record-text';
import { standsForLog } from '../prover/proof-text';
import { inOneLine, isOfProver, quoted, quotedFurther } from '../prover/quoted';

/** The values of the last form, one a line, then what was printed; everything when it failed.
 * @param ours what our own tool says */
export function evaluationText(record: EvaluationRecord, ours: string): string {
  if (record.outcome !== 'ok') return failureText(record, ours);
  const printed = [record.stdout, record.stderr].map((text) => printedText(text, record));
  const log = standsForLog(record.report?.proof)
    ? [`the prover’s own: job ${jobName(record.id)}, action output`]
    : [];
  const told = [...printed.filter((text) => text !== ''), ...log];
  const warnings = record.warnings.map(({ type, message }) => `${type}: ${message}`);
  const values = lastValues(record).map((value) => (isOfProver(record) ? quotedFurther(value) : value));
  return [
    ...(values.length > 0 || told.length === 0 ? [values.join('\n')] : []),
    ...(told.length > 0 ? [`Output:\n${told.join('\n')}`] : []),
    ...(warnings.length > 0 ? [`Warnings:\n${warnings.join('\n')}`] : []),
  ].join('\n\n');
}

function failureText(record: EvaluationRecord, ours: string): string {
  const { outcome, stdout, stderr, forms, condition, report, job } = record;
  if (job || report || !condition) return ours;
  return [
    section('stdout', printedText(stdout, record)),
    section('stderr', printedText(stderr, record)),
    ...forms.map(({ values }, place) => `${place + 1}. ${valuesText(values, record)}`),
    leanConditionText(condition, record),
    outcome === 'error' ? '' : `; ${outcome}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How far the world was taken back; notes say what did not stay on the way. */
export function undoneText(record: EvaluationRecord, ours: string): string {
  const { command = null, events = [] } = record.report?.proof ?? {};
  const isUndone = record.outcome === 'ok' && events.some(({ verdict }) => verdict === 'undone');
  if (!isUndone || command === null) return ours;
  return `Undone: the last command of the world is ${command}${reservations(record)}.`;
}

/** Verdicts that leave in the world what was submitted. */
const ADMITTED: ReadonlySet<Verdict> = new Set(['admitted', 'redundant', 'skipped', 'axiom']);

/** Beside what THM has proved, which leaves nothing in the world. */
const ADMITTED_OR_PROVED: ReadonlySet<Verdict> = new Set([...ADMITTED, 'proved']);

/** Whether of each form of the evaluation an event with one of these verdicts is told. */
function hasOnly(verdicts: ReadonlySet<Verdict>, { outcome, forms, report }: EvaluationRecord): boolean {
  const events = report?.proof?.events ?? [];
  return (
    outcome === 'ok' &&
    forms.length > 0 &&
    forms.every((_, form) => events.some((event) => event.form === form && verdicts.has(event.verdict)))
  );
}

/** Whether all that was submitted was accepted: it is in the world now, or THM has proved it. */
export function isAccepted(record: EvaluationRecord): boolean {
  return hasOnly(ADMITTED_OR_PROVED, record);
}

export function admissionText(record: EvaluationRecord, ours: string): string {
  return `${admission(record)}${reservations(record)}\n${ours}`;
}

function admission(record: EvaluationRecord): string {
  if (hasOnly(ADMITTED, record)) return 'Event admitted successfully';
  return isAccepted(record) ? 'Proved; what THM proves adds nothing to the world' : 'Admission FAILED';
}

/** Whether a theorem was refused for the rule that it would make, before anybody tried to prove it. */
export function isRefusedForItsRule({ condition, report }: EvaluationRecord): boolean {
  const event = lastEvent(report?.proof?.events);
  return event?.checkpoints === null && /\srule\s+generated\s+from\s/.test(condition?.message ?? '');
}

/** Whether the prover has proved it, here and now; what it skipped is not proved. */
export function isProved({ outcome, report }: EvaluationRecord): boolean {
  return outcome === 'ok' && lastEvent(report?.proof?.events)?.verdict === 'proved';
}

export function provabilityText(record: EvaluationRecord, ours: string): string {
  return `${provability(record)}${reservations(record)}\n${ours}`;
}

/** What became of a request to trace a function. */
export function tracingText(
  record: EvaluationRecord,
  action: 'trace' | 'untrace' | 'status',
  name: string,
  ours: string,
): string {
  const [value = 'NIL'] = lastValues(record);
  const symbol = name.toUpperCase().replace(/^.*::?/, '');
  const isNamed = value.split(/[\s()]+/).some((each) => each.replace(/^.*::?/, '') === symbol);
  if (record.outcome !== 'ok' || (action !== 'status' && !isNamed)) return ours;
  if (action === 'status') return `${symbol} is ${isNamed ? '' : 'not '}being traced. Traced: ${value}`;
  return action === 'trace' ? `Now tracing ${symbol}` : `Stopped tracing ${symbol}`;
}

/** What a failed proof asks for; nothing of it has been tried. */
export function suggestionsText(record: EvaluationRecord, ours: string): string {
  const suggestions = lastEvent(record.report?.proof?.events)?.suggestions ?? [];
  if (isProved(record)) return provability(record) + reservations(record);
  if (suggestions.length === 0) return provabilityText(record, ours);
  const untried = suggestions.filter(({ kind }) => kind !== 'counterexample');
  if (untried.length === 0) return provability(record);
  const lines = untried.flatMap(({ kind, text, form }) => [
    `- ${kind}: ${inOneLine(text)}`,
    ...(form === null ? [] : [quoted(form)]),
  ]);
  return [provability(record), 'Suggestions, not proved:', ...lines].join('\n');
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
