/**
 * The record of an evaluation in the fewest words, for a model that pays for each: nothing that it knows already, and nothing of
 * the engine's own insides. What is left out of a list is counted, and `history` with the evaluation's number has all of it.
 */
import type { Condition, Evaluation } from '../../contract/model';
import { closingLines } from '../closing-lines';
import { proofSections } from '../prover/proof-text';
import type { Told } from '../told';
import { progressText } from './evaluation-progress';
import { leanConditionText } from './lean-condition';
import { ownFrames } from './lean-frames';
import { leanOutput, withoutWhatIsTold } from './lean-output';
import { failuresText, loadedText, ofLoading, runText } from './lean-report';
import { warningsText } from './lean-warnings';
import type { EvaluationRecord } from './record';
import { section, valuesText } from './record-text';
import { sampledProfileText } from './sampled-profile-result';

/** From how many milliseconds on it is said what an evaluation took. */
const WORTH_TELLING_MS = 100;
/** Characters of a form that say which of several is meant. */
const FORM_CHARACTERS = 60;

/** @param row of which the record was made; files below its project go by their short names */
export function leanText(record: EvaluationRecord, row: Evaluation, told: Told): string {
  return [
    section('stdout', leanOutput(record.stdout, row)),
    section('stderr', leanOutput(withoutWhatIsTold(record), row)),
    warningsText(record.warnings, row),
    ...reportTexts(record, row),
    isSaidByReport(record, row) ? '' : formsText(record, row),
    record.condition && !isSaidByFailures(record.condition, record)
      ? leanConditionText(record.condition, record)
      : '',
    record.progress ? progressText(record.progress) : '',
    ...closingLines(statusOf(record, told), record.notes),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function reportTexts({ id, report }: EvaluationRecord, { project }: Evaluation): string[] {
  if (!report) return [];
  return [
    loadedText(report.loaded),
    failuresText(report.failures, project),
    ...report.runs.map((run) => runText(run, id, project)),
    ...(report.profile ? [sampledProfileText(report.profile, false)] : []),
    ...(report.proof ? proofSections(report.proof) : []),
  ];
}

/** That what failed is not loaded, or the same once more: nothing is lost without it but frames of the engine's own. */
function isSaidByFailures({ type, message, frames }: Condition, { report, engine, outcome }: EvaluationRecord) {
  const failures = report?.failures ?? [];
  if (outcome === 'debugger' || ownFrames(frames, engine).lines.length > 0) return false;
  return failures.length > 0 && (NOT_LOADED.test(type) || failures.some((each) => message.startsWith(each.message)));
}

const NOT_LOADED = /COMPILE-FILE-ERROR$|COMPILATION-FAILED$/;

/** The code of a tool of ours, and its value, say nothing that the report does not. */
function isSaidByReport({ report }: EvaluationRecord, row: Evaluation): boolean {
  return ofLoading(row) && report !== undefined && report.loaded.length + report.runs.length > 0;
}

/** Of several forms each is named by its beginning; a record that was cut has the last one behind the first ones. */
function formsText({ forms, outcome }: EvaluationRecord, row: Evaluation): string {
  const [only] = forms;
  if (!only) return outcome === 'ok' ? '; no forms' : '';
  if (row.forms.length === 1 && outcome === 'ok') return valuesText(only.values);
  const shown = [...row.forms.slice(0, forms.length - 1), ...row.forms.slice(-1)];
  const texts = shown.map(
    ({ code }, place) => `${beginningOf(code)}\n${valuesText(forms[place]?.values ?? [])}`,
  );
  return texts.map((text, place) => `${place + 1}. ${text}`).join('\n');
}

function beginningOf(code: string): string {
  const line = code.trim().replaceAll(/\s+/g, ' ');
  return line.length <= FORM_CHARACTERS ? line : `${line.slice(0, FORM_CHARACTERS).trimEnd()}…`;
}

/** What is not as it always is: how it ended, where it ran and where it stands now, what it took. Empty for nothing of that. */
function statusOf(record: EvaluationRecord, told: Told): string[] {
  const { outcome, session, id } = record;
  return [
    ...(outcome === 'ok' ? [] : [howItStands(record)]),
    // A job has the number in its name.
    ...((outcome === 'ok' && !record.truncated) || record.job ? [] : [`evaluation ${id}`]),
    ...told.sessionNews(session),
    ...(told.isNews(session, 'package', record.package) ? [`package ${record.package}`] : []),
    ...costTexts(record),
    ...(record.truncated ? ['truncated'] : []),
  ];
}

function howItStands({ outcome, job, queued, condition }: EvaluationRecord): string {
  if (job === undefined) return outcome;
  if (queued) return `waits as ${job} behind ${queued.join(', ') || 'the start of an image'}`;
  if (outcome !== 'debugger') return `runs on as ${job}`;
  return `held at debugger level ${condition?.level ?? 1} as ${job}: use the debug tool`;
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
