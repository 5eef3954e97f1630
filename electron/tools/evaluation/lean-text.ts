/**
 * The record of an evaluation in the fewest words, for a model that pays for each: nothing that it knows already, and nothing of
 * the engine's own insides. What is left out of a list is counted, and `history` with the evaluation's number has all of it.
 */

import { FINAL_CHECK_FAILED } from '../../contract/final-check';
import type { Evaluation } from '../../contract/model';
import type { ProofReport } from '../../contract/proof';
import { isSandboxNote } from '../../contract/sandbox-note';
import { ending } from '../../history/cut-text';
import { closingLines } from '../closing-lines';
import { besideEvents, hasOnlyEvents } from '../prover/brief-proof';
import { leanFinalCheck } from '../prover/final-check-result';
import { proofSections, standsForLog } from '../prover/proof-text';
import { inOneLine } from '../prover/quoted';
import { shortPath } from '../source-places';
import type { Told } from '../told';
import { progressText } from './evaluation-progress';
import { leanConditionText } from './lean-condition';
import { leanOutput } from './lean-output';
import { failuresText, loadedText, ofLoading, runText } from './lean-report';
import { warningsText } from './lean-warnings';
import type { News } from './news';
import { beginningOf, type EvaluationRecord, jobName } from './record';
import { printedText, section, valuesText } from './record-text';
import { sampledProfileText } from './sampled-profile-result';

/** From how many milliseconds on it is said what an evaluation took. */
const WORTH_TELLING_MS = 100;

/** What whoever answers knows of its end: what it waits for, if it has not begun, or what is said instead of its outcome. */
interface Standing {
  behind?: string | undefined;
  ended?: string | undefined;
}

/** @param row of which the record was made; files below its project go by their short names */
export function leanText(record: EvaluationRecord, row: News, told: Told, standing: Standing = {}): string {
  return [
    section('stdout', printedText(ownOutput(record, row), record)),
    section('stderr', printedText(ownErrors(record, row), record)),
    warningsText(record.warnings, row),
    ...reportTexts(record, row, told),
    isSaidByReport(record, row) ? '' : formsText(record, row),
    conditionText(record, row),
    record.progress ? progressText(record.progress) : '',
    // Whoever answers the call tells what is new of the image.
    ...closingLines(
      statusOf(record, told, standing),
      record.notes.filter((note) => !isSandboxNote(note)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How nREPL prints an error: where it was, and on the next line its message. */
const NREPL_ERROR = /^(?:Execution|Syntax) error .*\n([\s\S]*)$/;

/** Where an event has failed, what its form printed has to leave room for the reason. */
const BESIDE_A_FAILED_PROOF = 800;

function ownOutput(record: EvaluationRecord, row: Evaluation): string {
  const { stdout } = record;
  const told = leanOutput(stdout, row);
  if (record.outcome === 'ok' && hasOnlyEvents(record.forms, record.report?.proof?.events))
    return besideEvents(told, record.id);
  if (
    record.outcome !== 'error' ||
    !standsForLog(record.report?.proof) ||
    told.length <= BESIDE_A_FAILED_PROOF
  )
    return told;
  const left = told.length - BESIDE_A_FAILED_PROOF;
  return `… ${left} characters before\n${ending(told, BESIDE_A_FAILED_PROOF)}`;
}

/** Without what the compiler, nREPL and the prover print of failures, conditions and events that are told. */
function ownErrors(record: EvaluationRecord, row: Evaluation): string {
  const { stderr, report, condition } = record;
  const [, printed] = NREPL_ERROR.exec(stderr) ?? [];
  if (printed !== undefined && condition?.message.includes(printed.trim())) return '';
  // The log that is named has it.
  if (report?.finalCheck || standsForLog(report?.proof)) return '';
  if (stderr !== '' && condition?.type === FINAL_CHECK_FAILED)
    return `… ${stderr.length} characters of the prover: job ${jobName(record.id)} with action output`;
  const hasFailed = ofLoading(row) && report !== undefined && report.failures.length > 0;
  return leanOutput(hasFailed ? stderr.replaceAll(/^;.*\n?/gm, '') : stderr, row);
}

/** ACL2's last word on a proof that failed, which says only that. */
const MERE_FAILURE = 'ACL2 Error [Failure]';

function saysWhy({ events }: ProofReport): boolean {
  const checkpoints = events.at(-1)?.checkpoints;
  return checkpoints != null && checkpoints.top.length + checkpoints.induction.length > 0;
}

/** Of a condition that a prover has printed, or that a failure tells, the frames alone. */
function conditionText(record: EvaluationRecord, { project }: Evaluation): string {
  const { condition, report, stdout } = record;
  if (!condition) return '';
  const { type, message } = condition;
  const isSaid =
    (report?.proof && (stdout.includes(message) || (type === MERE_FAILURE && saysWhy(report.proof)))) ||
    report?.failures.some((failure) => failure.type === type && message.startsWith(failure.message));
  const short = { ...condition, message: message.replaceAll(`${project}/`, '') };
  return leanConditionText(short, record, isSaid);
}

function reportTexts(record: EvaluationRecord, row: Evaluation, told: Told): string[] {
  const { project } = row;
  const { id, report } = record;
  if (!report) return [];
  return [
    loadedText(report.loaded),
    failuresText(report.failures, project),
    ...(report.finalCheck ? [leanFinalCheck(report.finalCheck, id)] : []),
    ...(report.finalCheck ? [] : report.runs.map((run) => runText(run, id, project))),
    ...(report.profile ? [sampledProfileText(report.profile, false)] : []),
    ...(report.proof && !report.finalCheck
      ? leanProofSections(inProject(report.proof, project), row, told)
      : []),
  ];
}

function inProject(proof: ProofReport, project: string): ProofReport {
  const events = proof.events.map((event) =>
    event.place ? { ...event, place: { ...event.place, file: shortPath(event.place.file, project) } } : event,
  );
  return { ...proof, events };
}

/** What events rest on is always told; beside mere values when it has changed, or is not as it should be. */
function leanProofSections(proof: ProofReport, { id, session, stderr }: Evaluation, told: Told): string[] {
  const { issues } = proof;
  const log = stderr !== '' && standsForLog(proof) ? jobName(id) : undefined;
  const isNew = told.isNews(session, 'trust', JSON.stringify(issues)) || told.isShared;
  const sections = proofSections(proof, { log, knowsTrust: !isNew });
  return isNew || issues.length > 0 || standsForLog(proof) ? sections : sections.slice(0, -1);
}

/** The code of a tool of ours, and its value, say nothing that the report does not. */
function isSaidByReport({ report }: EvaluationRecord, row: Evaluation): boolean {
  return ofLoading(row) && report !== undefined && report.loaded.length + report.runs.length > 0;
}

/** Of several forms each is named by its beginning; a record that was cut has the last one behind the first ones. */
function formsText(record: EvaluationRecord, row: News): string {
  const { forms, outcome, report } = record;
  const [only] = forms;
  if (!only) return outcome === 'ok' ? '; no forms' : '';
  const events = new Set(report?.proof?.events.map(({ form }) => form));
  if (row.forms.length === 1 && outcome === 'ok' && events.size === 0) return valuesText(only.values, record);
  const shown = [...row.forms.slice(0, forms.length - 1), ...row.forms.slice(-1)];
  const texts = shown.flatMap(({ code }, place) => {
    const values = forms[place]?.values ?? [];
    // A prover tells of its events, and of the form that failed.
    const isTold =
      events.has((row.formsTold ?? 0) + place) ||
      (report?.proof && outcome === 'error' && values.length === 0);
    return isTold ? [] : [`${place + 1}. ${beginningOf(code)}\n${valuesText(values, record)}`];
  });
  return texts.join('\n');
}

/** What is not as it always is: how it ended, where it ran and where it stands now, what it took. Empty for nothing of that. */
function statusOf(record: EvaluationRecord, told: Told, { behind, ended }: Standing): string[] {
  const { outcome, session, id } = record;
  return [
    ...(outcome === 'ok' ? [] : [ended ?? howItStands(record, behind)]),
    // A job has the number in its name.
    ...((outcome === 'ok' && !record.truncated) || record.job ? [] : [`evaluation ${id}`]),
    ...told.sessionNews(session),
    ...(told.isNews(session, 'package', record.package) ? [`package ${inOneLine(record.package)}`] : []),
    ...(behind === undefined ? costTexts(record) : []),
    ...(record.truncated ? ['truncated'] : []),
  ];
}

function howItStands({ outcome, job, condition }: EvaluationRecord, behind: string | undefined): string {
  if (job === undefined) return outcome;
  if (behind !== undefined) return `queued as ${job} behind ${behind}`;
  if (outcome !== 'debugger') return `runs on as ${job}`;
  return condition ? `held at debugger level ${condition.level} as ${job}` : `held as ${job}`;
}

function costTexts({ duration_ms: took, cost }: EvaluationRecord): string[] {
  if (took < WORTH_TELLING_MS) return [];
  if (!cost) return [milliseconds(took)];
  const { run_ms: run, gc_ms: gc, bytes } = cost;
  return [
    milliseconds(took),
    `${milliseconds(run)} CPU`,
    ...(gc < 1 ? [] : [`${milliseconds(gc)} GC`]),
    `${sizeText(bytes)} allocated`,
  ];
}

function milliseconds(duration: number): string {
  return duration < 10_000 ? `${Math.round(duration)} ms` : `${(duration / 1_000).toFixed(1)} s`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KiB`;
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
