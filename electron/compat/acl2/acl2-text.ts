/**
 * Results as the ACL2 MCP Bridge prints them: values alone; for the prover a line with the outcome, above the
 * text of our own tool.
 */

import type { EventReport, Verdict } from '../../contract/proof';
import { type EvaluationRecord, jobName, lastValues } from '../../tools/evaluation/record';
import { briefConditionText, printedText, section, valuesText } from '../../tools/evaluation/record-text';
import { replacesLog } from '../../tools/prover/proof-text';
import { inOneLine, quoted, quotedIn } from '../../tools/prover/quoted';

/**
 * Returns the values of the last form, one a line, then the output; everything if it failed.
 * @param ours the text of our own tool
 */
export function evaluationText(record: EvaluationRecord, ours: string): string {
  if (record.outcome !== 'ok') return failureText(record, ours);
  const printed = [record.stdout, record.stderr].map((text) => printedText(text, record));
  const log = replacesLog(record.report?.proof)
    ? [`the prover’s own: job ${jobName(record.id)}, action output`]
    : [];
  const texts = [...printed.filter((text) => text !== ''), ...log];
  const warnings = quotedIn(record.warnings, record).map(({ type, message }) => `${type}: ${message}`);
  const values = quotedIn(lastValues(record), record);
  return [
    ...(values.length > 0 || texts.length === 0 ? [values.join('\n')] : []),
    ...(texts.length > 0 ? [`Output:\n${texts.join('\n')}`] : []),
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
    briefConditionText(condition, record),
    outcome === 'error' ? '' : `; ${outcome}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Returns how far the world was undone. Notes list events that were not kept. */
export function undoneText(record: EvaluationRecord, ours: string): string {
  const { command = null, events = [] } = record.report?.proof ?? {};
  const isUndone = record.outcome === 'ok' && events.some(({ verdict }) => verdict === 'undone');
  if (!isUndone || command === null) return ours;
  return `Undone: the last command of the world is ${command}${reservations(record)}.`;
}

/** Verdicts after which the submitted event is in the world. */
const ADMITTED: ReadonlySet<Verdict> = new Set(['admitted', 'redundant', 'skipped', 'axiom']);

/** Also the verdict of THM, which adds nothing to the world. */
const ADMITTED_OR_PROVED: ReadonlySet<Verdict> = new Set([...ADMITTED, 'proved']);

/** Reports whether every form of the evaluation has an event with one of the verdicts. */
function hasOnly(verdicts: ReadonlySet<Verdict>, { outcome, forms, report }: EvaluationRecord): boolean {
  const events = report?.proof?.events ?? [];
  return (
    outcome === 'ok' &&
    forms.length > 0 &&
    forms.every((_, form) => events.some((event) => event.form === form && verdicts.has(event.verdict)))
  );
}

/** Reports whether everything submitted was accepted: it is in the world, or THM proved it. */
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

/** Reports whether a theorem was rejected for its rule, before the prover tried its formula. */
export function isRefusedForItsRule({ condition, report }: EvaluationRecord): boolean {
  const event = lastEvent(report?.proof?.events);
  return event?.checkpoints === null && /\srule\s+generated\s+from\s/.test(condition?.message ?? '');
}

/** Reports whether the prover proved it in this evaluation. A skipped proof does not count. */
export function isProved({ outcome, report }: EvaluationRecord): boolean {
  return outcome === 'ok' && lastEvent(report?.proof?.events)?.verdict === 'proved';
}

export function provabilityText(record: EvaluationRecord, ours: string): string {
  return `${provability(record)}${reservations(record)}\n${ours}`;
}

/** Returns the outcome of a request to trace a function. */
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

/** Returns suggestions for a failed proof, none of which has been tried. */
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
  if (refuted) return `Not provable: ${inOneLine(refuted.text)}`;
  if (record.outcome === 'interrupted') return 'Not decided: the search was interrupted.';
  if (event?.verdict === 'skipped') return 'Not decided: proofs are being skipped in this session.';
  if (event?.checkpoints || typeof event?.figures?.steps === 'number')
    return 'Not proved: the search gave up. It may be false, or true and in need of a lemma or a hint; see the key checkpoints.';
  return 'Not proved: ACL2 did not accept the conjecture.';
}

/** Returns the trust issues of a success; empty if there are none. */
function reservations({ report }: EvaluationRecord): string {
  const issues = report?.proof?.issues ?? [];
  return issues.length === 0 ? '' : ` (it rests on: ${issues.map(({ kind }) => kind).join(', ')})`;
}

function lastEvent(events: readonly EventReport[] | undefined): EventReport | undefined {
  return events?.at(-1);
}
