/**
 * The record of an evaluation in the fewest words, for a model that pays for each: nothing that it knows already, and nothing of
 * the engine's own insides. What is left out of a list is counted, and `history` with the evaluation's number has all of it.
 */

import { FINAL_CHECK_FAILED } from '../../contract/final-check';
import type { Evaluation } from '../../contract/model';
import type { ProofReport } from '../../contract/proof';
import { isSandboxNote } from '../../sessions/session/outcomes';
import { closingLines } from '../closing-lines';
import { leanFinalCheck } from '../prover/final-check-result';
import { proofSections } from '../prover/proof-text';
import type { Told } from '../told';
import { progressText } from './evaluation-progress';
import { leanConditionText } from './lean-condition';
import { leanOutput } from './lean-output';
import { failuresText, loadedText, ofLoading, runText } from './lean-report';
import { warningsText } from './lean-warnings';
import { beginningOf, type EvaluationRecord, jobName } from './record';
import { section, valuesText } from './record-text';
import { sampledProfileText } from './sampled-profile-result';

/** From how many milliseconds on it is said what an evaluation took. */
const WORTH_TELLING_MS = 100;

/**
 * @param row of which the record was made; files below its project go by their short names
 * @param behind what it waits for, if it has not begun
 */
export function leanText(record: EvaluationRecord, row: Evaluation, told: Told, behind?: string): string {
  return [
    section('stdout', leanOutput(record.stdout, row)),
    section('stderr', ownErrors(record, row)),
    warningsText(record.warnings, row),
    ...reportTexts(record, row, told),
    isSaidByReport(record, row) ? '' : formsText(record, row),
    conditionText(record, row),
    record.progress ? progressText(record.progress) : '',
    // Whoever answers the call tells what is new of the image.
    ...closingLines(
      statusOf(record, told, behind),
      record.notes.filter((note) => !isSandboxNote(note)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How nREPL prints an error: where it was, and on the next line its message. */
const NREPL_ERROR = /^(?:Execution|Syntax) error .*\n([\s\S]*)$/;

/** Without what the compiler, nREPL and the prover print of failures, conditions and events that are told. */
function ownErrors({ id, stderr, report, condition }: EvaluationRecord, row: Evaluation): string {
  const [, printed] = NREPL_ERROR.exec(stderr) ?? [];
  if (printed !== undefined && condition?.message.includes(printed.trim())) return '';
  if (report?.finalCheck) return '';
  const isTold = (report?.proof?.events.length ?? 0) > 0 || condition?.type === FINAL_CHECK_FAILED;
  if (stderr !== '' && isTold)
    return `… ${stderr.length} characters of the prover: job ${jobName(id)} with action output`;
  const hasFailed = ofLoading(row) && report !== undefined && report.failures.length > 0;
  return leanOutput(hasFailed ? stderr.replaceAll(/^;.*\n?/gm, '') : stderr, row);
}

/** Of a condition that a prover has printed, or that a failure tells, the frames alone. */
function conditionText(record: EvaluationRecord, { project }: Evaluation): string {
  const { condition, report, stdout } = record;
  if (!condition) return '';
  const { type, message } = condition;
  const isSaid =
    (report?.proof && stdout.includes(message)) ||
    report?.failures.some((failure) => failure.type === type && message.startsWith(failure.message));
  const short = { ...condition, message: message.replaceAll(`${project}/`, '') };
  return leanConditionText(short, record, isSaid);
}

function reportTexts(record: EvaluationRecord, { project }: Evaluation, told: Told): string[] {
  const { id, report, session } = record;
  if (!report) return [];
  return [
    loadedText(report.loaded),
    failuresText(report.failures, project),
    ...(report.finalCheck ? [leanFinalCheck(report.finalCheck, id)] : []),
    ...(report.finalCheck ? [] : report.runs.map((run) => runText(run, id, project))),
    ...(report.profile ? [sampledProfileText(report.profile, false)] : []),
    ...(report.proof && !report.finalCheck ? leanProofSections(report.proof, session, told) : []),
  ];
}

/** Each event says what it rests on; of what has none that is told when it has changed, or is not as it should be. */
function leanProofSections(proof: ProofReport, session: string, told: Told): string[] {
  const sections = proofSections(proof);
  const isNew = told.isNews(session, 'trust', sections.at(-1) ?? '') || told.isShared;
  const isTold = proof.issues.length > 0 || (isNew && proof.events.length === 0);
  return isTold ? sections : sections.slice(0, -1);
}

/** The code of a tool of ours, and its value, say nothing that the report does not. */
function isSaidByReport({ report }: EvaluationRecord, row: Evaluation): boolean {
  return ofLoading(row) && report !== undefined && report.loaded.length + report.runs.length > 0;
}

/** Of several forms each is named by its beginning; a record that was cut has the last one behind the first ones. */
function formsText({ forms, outcome, report }: EvaluationRecord, row: Evaluation): string {
  const [only] = forms;
  // A prover tells of the form that failed as of the others.
  if (report?.proof && outcome === 'error' && forms.length === 1 && only?.values.length === 0) return '';
  if (!only) return outcome === 'ok' ? '; no forms' : '';
  if (row.forms.length === 1 && outcome === 'ok') return valuesText(only.values);
  const shown = [...row.forms.slice(0, forms.length - 1), ...row.forms.slice(-1)];
  const texts = shown.map(
    ({ code }, place) => `${beginningOf(code)}\n${valuesText(forms[place]?.values ?? [])}`,
  );
  return texts.map((text, place) => `${place + 1}. ${text}`).join('\n');
}

/** What is not as it always is: how it ended, where it ran and where it stands now, what it took. Empty for nothing of that. */
function statusOf(record: EvaluationRecord, told: Told, behind: string | undefined): string[] {
  const { outcome, session, id } = record;
  return [
    ...(outcome === 'ok' ? [] : [howItStands(record, behind)]),
    // A job has the number in its name.
    ...((outcome === 'ok' && !record.truncated) || record.job ? [] : [`evaluation ${id}`]),
    ...told.sessionNews(session),
    ...(told.isNews(session, 'package', record.package) ? [`package ${record.package}`] : []),
    ...(behind === undefined ? costTexts(record) : []),
    ...(record.truncated ? ['truncated'] : []),
  ];
}

function howItStands({ outcome, job, condition }: EvaluationRecord, behind: string | undefined): string {
  if (job === undefined) return outcome;
  if (behind !== undefined) return `waits as ${job} behind ${behind}`;
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
