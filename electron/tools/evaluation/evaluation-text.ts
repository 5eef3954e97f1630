/**
 * Brief text of the record of an evaluation, for models, which pay for each word. Omits what the conversation
 * already knows and the internals of the engine. Omitted list items are counted, and `history` with the
 * evaluation's number returns everything.
 */

import { mention, messageText, ours, type ToolNames } from '../../contract/mention';
import type { Evaluation } from '../../contract/model';
import { type Certification, FINAL_CHECK_FAILED, type ProofReport } from '../../contract/proof';
import type { LoadFailure, Report } from '../../contract/report';

import { ending } from '../../history/long-text';
import type { ConversationState } from '../conversation-state';
import { closingLines } from '../notes';
import { briefFinalCheck } from '../prover/proof-result';
import { proofSections, replacesLog } from '../prover/proof-text';
import { inOneLine, isOfProver } from '../prover/quoted';
import { shortPath } from '../source-places';
import { briefOutputText, hasOnlyEvents } from '../wire-data';
import { progressText } from './evaluation-progress';
import { beginningOf, type EvaluationRecord, isOpen, jobName } from './record';
import { briefConditionText, itemsText, printedText, section, valuesText } from './record-text';
import {
  failuresText,
  isLoadingKind,
  loadedText,
  quotedReport,
  runText,
  sampledProfileText,
} from './report-text';
import { warningsText } from './warnings-text';

/** Minimum milliseconds from which the time of an evaluation is shown. */
const SHOWN_FROM_MS = 100;

/** The state of an evaluation: what it waits for if it has not begun, or a text that replaces its outcome. */
interface Status {
  names: ToolNames;
  behind?: string | undefined;
  ended?: string | undefined;
  /** The file that is being compiled. */
  compiling?: string | undefined;
}

/** @param row the row of the record; files below its project are shown by relative paths */
export function evaluationText(
  record: EvaluationRecord,
  row: UnreportedPart,
  conversation: ConversationState,
  status: Status,
): string {
  return [
    section('stdout', printedText(ownOutput(record, row), record)),
    section('stderr', printedText(ownErrors(record, row, status.names), record)),
    warningsText(record.warnings, row),
    ...reportTexts(record, row, conversation, status.names),
    record.items
      ? itemsText(record.items, record)
      : isCoveredByReport(record, row)
        ? ''
        : formsText(record, row),
    conditionText(record, row),
    record.progress ? progressText(record.progress) : '',
    ...closingLines(statusOf(record, conversation, status)),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How nREPL prints an error: its place, and its message on the next line. */
const NREPL_ERROR = /^(?:Execution|Syntax) error .*\n([\s\S]*)$/;

/** Maximum characters of a form's output if an event failed, to leave room for the reason. */
const FAILED_PROOF_OUTPUT = 800;

function ownOutput(record: EvaluationRecord, row: Evaluation): string {
  const { stdout } = record;
  const output = briefOutput(stdout, row);
  if (record.outcome === 'ok' && hasOnlyEvents(record.forms, record.report?.proof?.events))
    return briefOutputText(output, record.id);
  if (
    record.outcome !== 'error' ||
    !replacesLog(record.report?.proof) ||
    output.length <= FAILED_PROOF_OUTPUT
  )
    return output;
  const remaining = output.length - FAILED_PROOF_OUTPUT;
  return `… ${remaining} characters before\n${ending(output, FAILED_PROOF_OUTPUT)}`;
}

/**
 * Returns stderr without what the compiler, nREPL and the prover print about failures, conditions and events
 * that are reported anyway.
 */
function ownErrors(record: EvaluationRecord, row: Evaluation, names: ToolNames): string {
  const { stderr, report, condition } = record;
  const [, printed] = NREPL_ERROR.exec(stderr) ?? [];
  if (printed !== undefined && condition?.message.includes(printed.trim())) return '';
  // The log, which the text names, has it.
  if (report?.finalCheck || replacesLog(report?.proof)) return '';
  if (stderr !== '' && condition?.type === FINAL_CHECK_FAILED) {
    const log = mention`${ours('job', 'action')} ${jobName(record.id)} with action output shows them.`;
    return messageText({ text: `… ${stderr.length} characters of the prover.`, mentions: [log] }, names);
  }
  const hasFailed = isLoadingKind(row) && report !== undefined && report.failures.length > 0;
  return briefOutput(hasFailed ? stderr.replaceAll(/^;.*\n?/gm, '') : stderr, row);
}

/** ACL2's final message about a failed proof, which contains nothing else. */
const BARE_FAILURE = 'ACL2 Error [Failure]';

function givesReason({ events }: ProofReport): boolean {
  const checkpoints = events.at(-1)?.checkpoints;
  return checkpoints != null && checkpoints.top.length + checkpoints.induction.length > 0;
}

/** Returns only the frames of a condition that the prover printed or that a failure reports. */
function conditionText(record: EvaluationRecord, { project }: Evaluation): string {
  const { condition, report, stdout } = record;
  if (!condition) return '';
  const { type, message } = condition;
  const isRepeated =
    (report?.proof && (stdout.includes(message) || (type === BARE_FAILURE && givesReason(report.proof)))) ||
    (report?.proof && report.runs.some(({ failures }) => failures.length > 0)) ||
    report?.failures.some((failure) => failure.type === type && message.startsWith(failure.message));
  const short = { ...condition, message: message.replaceAll(`${project}/`, '') };
  return briefConditionText(short, record, isRepeated);
}

function reportTexts(
  record: EvaluationRecord,
  row: Evaluation,
  conversation: ConversationState,
  names: ToolNames,
): string[] {
  const { project } = row;
  const { id, report } = record;
  if (!report) return [];
  const { loaded, failures, runs } = quotedReport(withoutRepetitions(report, record), record);
  return [
    loadedText(loaded),
    failuresText(failures, project),
    ...(report.finalCheck ? [briefFinalCheck(report.finalCheck, id, names)] : []),
    ...(report.finalCheck ? [] : runs.map((run) => runText(run, id, project))),
    ...(report.profile ? [sampledProfileText(report.profile, false)] : []),
    ...(report.proof && !report.finalCheck
      ? briefProofSections(inProject(report.proof, project), row, conversation)
      : []),
  ];
}

/**
 * Returns a prover's report without the failures of forms whose event or book is reported as failed, with its
 * place, and with messages that the output repeats cut to their first line.
 */
function withoutRepetitions(report: Report, record: EvaluationRecord): Report {
  if (!isOfProver(record)) return report;
  const placed = [
    ...(report.proof?.events.flatMap(({ place }) => place ?? []) ?? []),
    ...report.runs.flatMap((run) => run.failures),
  ];
  const isReported = ({ file, line }: LoadFailure) =>
    line !== undefined && placed.some((each) => each.file === file && each.line === line);
  const brief = (failure: LoadFailure): LoadFailure =>
    record.stdout.includes(failure.message)
      ? { ...failure, message: (failure.message.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ') }
      : failure;
  return { ...report, failures: report.failures.filter((each) => !isReported(each)).map(brief) };
}

function inProject(proof: ProofReport, project: string): ProofReport {
  const events = proof.events.map((event) =>
    event.place ? { ...event, place: { ...event.place, file: shortPath(event.place.file, project) } } : event,
  );
  const { certification } = proof;
  return {
    ...proof,
    events,
    ...(certification ? { certification: certificationIn(certification, project) } : {}),
  };
}

function certificationIn({ book, certificate, ...rest }: Certification, project: string): Certification {
  return {
    ...rest,
    book: shortPath(book, project),
    certificate: certificate && shortPath(certificate, project),
  };
}

/** Returns what events rest on; for mere values only if it has changed or has issues. */
function briefProofSections(
  proof: ProofReport,
  { id, session, stderr }: Evaluation,
  conversation: ConversationState,
): string[] {
  const { issues } = proof;
  const log = stderr !== '' && replacesLog(proof) ? jobName(id) : undefined;
  const isNew = conversation.reportOnce(session, 'trust', JSON.stringify(issues)) || conversation.isShared;
  const sections = proofSections(proof, { log, knowsTrust: !isNew });
  return isNew || issues.length > 0 || replacesLog(proof) ? sections : sections.slice(0, -1);
}

/**
 * Reports whether the report covers the forms: code that one of our tools wrote, and its value, add nothing.
 */
function isCoveredByReport({ report }: EvaluationRecord, row: Evaluation): boolean {
  return isLoadingKind(row) && report !== undefined && report.loaded.length + report.runs.length > 0;
}

/**
 * Returns the values of the forms. Several forms are each named by their beginning. A record that was cut has
 * the last form after the first ones.
 */
function formsText(record: EvaluationRecord, row: UnreportedPart): string {
  const { forms, outcome, report } = record;
  const [only] = forms;
  if (!only) return outcome === 'ok' ? '; no forms' : '';
  const events = new Set(report?.proof?.events.map(({ form }) => form));
  if (row.forms.length === 1 && outcome === 'ok' && events.size === 0) return valuesText(only.values, record);
  const shown = [...row.forms.slice(0, forms.length - 1), ...row.forms.slice(-1)];
  const texts = shown.flatMap(({ code }, place) => {
    const values = forms[place]?.values ?? [];
    // A prover reports its events, and the form that failed.
    const isShown =
      events.has((row.formsReported ?? 0) + place) ||
      (report?.proof && outcome === 'error' && values.length === 0);
    return isShown ? [] : [`${place + 1}. ${beginningOf(code)}\n${valuesText(values, record)}`];
  });
  return texts.join('\n');
}

/**
 * Returns facts that are unusual for this evaluation: its outcome, session and package, and its cost; empty
 * if there are none.
 */
function statusOf(
  record: EvaluationRecord,
  conversation: ConversationState,
  { behind, ended, compiling }: Status,
): string[] {
  const { outcome, session, id } = record;
  return [
    ...(outcome === 'ok' ? [] : [ended ?? stateText(record, behind)]),
    // A job has the number in its name.
    ...((outcome === 'ok' && !record.truncated) || record.job ? [] : [`evaluation ${id}`]),
    ...conversation.sessionFacts(session),
    ...(conversation.reportOnce(session, 'package', record.package)
      ? [`package ${inOneLine(record.package)}`]
      : []),
    ...(compiling === undefined ? [] : [`compiling ${inOneLine(compiling)}`]),
    ...(behind === undefined ? costTexts(record) : []),
    ...(record.truncated ? ['truncated'] : []),
  ];
}

function stateText({ outcome, job, condition }: EvaluationRecord, behind: string | undefined): string {
  if (job === undefined) return outcome;
  if (behind !== undefined) return `queued as ${job} behind ${behind}`;
  if (outcome !== 'debugger') return `running as ${job}`;
  return condition ? `suspended at debugger level ${condition.level} as ${job}` : `suspended as ${job}`;
}

function costTexts({ duration_ms: took, cost }: EvaluationRecord): string[] {
  if (took < SHOWN_FROM_MS) return [];
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

/** A page of the output of an evaluation, returned in addition to its unreported part. */
interface OutputPage {
  /** The offset of the next page. */
  next: number;
  /** Whether the page reaches the end of the output so far. */
  isAll: boolean;
}

/** A row without what was reported. `formsReported` counts the removed forms; absent: none. */
type UnreportedPart = Evaluation & { formsReported?: number };

/**
 * Returns the row without what its conversation has been sent, and records it as reported. The end of an
 * evaluation repeats the last value, and a later request gets everything again.
 * @param page output that is reported instead of that of the row
 */
export function unreportedPart(
  row: Evaluation,
  conversation: ConversationState,
  page?: OutputPage,
): UnreportedPart {
  const soFar = conversation.soFar(row.id);
  const { forms, warnings, stdout, stderr } = row;
  const condition = conditionKey(row);
  const isEnd = !isOpen(row);
  const printed = page && !page.isAll ? soFar : { stdout: stdout.length, stderr: stderr.length };
  conversation.record(
    row.id,
    isEnd && (page?.isAll ?? true)
      ? null
      : {
          ...{ forms: forms.length, warnings: warnings.length, condition },
          ...{ stdout: printed.stdout, stderr: printed.stderr, offset: page?.next ?? soFar.offset },
        },
  );
  const formsReported =
    row.outcome === 'ok' ? Math.max(Math.min(soFar.forms, forms.length - 1), 0) : soFar.forms;
  return {
    ...row,
    formsReported,
    forms: forms.slice(formsReported),
    warnings: warnings.slice(soFar.warnings),
    condition: condition === soFar.condition ? null : row.condition,
    ...(page ? { stdout: '', stderr: '' } : unprinted(row, soFar)),
  };
}

/**
 * Returns the output that was not reported. If part of the output was dropped, offsets no longer match, so
 * all of it is returned.
 */
function unprinted({ stdout, stderr, outputDropped }: Evaluation, soFar: { stdout: number; stderr: number }) {
  if (outputDropped > 0) return { stdout, stderr };
  return { stdout: stdout.slice(soFar.stdout), stderr: stderr.slice(soFar.stderr) };
}

function conditionKey({ condition }: Evaluation): string | null {
  return condition && JSON.stringify([condition.type, condition.message, condition.level]);
}

// Brief output: runs of equal lines are counted, and of output during loading only the end is shown.

/** Maximum characters of output during loading or tests. */
const REPORT_OUTPUT = { load: 4_000, test: 1_000 } as const;
/** Minimum length of a run of equal lines that is counted. */
const MIN_COUNTED_RUN = 4;

/** @param row the row of the output; the history has the omitted part under its id */
export function briefOutput(output: string, row: Evaluation): string {
  if (!isLoadingKind(row)) return withCounts(output);
  const own = withCounts(output.replaceAll(/^; compiling .*\n?/gm, '').trim());
  const shown = ending(own, REPORT_OUTPUT[row.kind === 'test' ? 'test' : 'load']);
  const before = own.length - shown.length;
  return before === 0
    ? shown
    : `… ${before} characters before: in the history, evaluation ${row.id}\n${shown}`;
}

const COMPILING = /^; compiling (.+)\n/gm;

/** Returns the file that a load compiles, or that a test run compiles before its first test. */
export function compiledFile({ kind, stdout, project }: Evaluation): string | undefined {
  const last = [...stdout.matchAll(COMPILING)].at(-1);
  const isLast = last && last.index + last[0].length === stdout.length;
  return last?.[1] && (kind === 'load' || (kind === 'test' && isLast))
    ? shortPath(last[1], project)
    : undefined;
}

/** Returns `text` with each run of equal lines replaced by its first line and a count. */
function withCounts(text: string): string {
  const lines = text.split('\n');
  const result: string[] = [];
  for (let place = 0; place < lines.length; ) {
    const line = lines[place] ?? '';
    let next = place + 1;
    while (lines[next] === line) next++;
    const count = next - place;
    if (count < MIN_COUNTED_RUN) result.push(...lines.slice(place, next));
    else result.push(line, `… the same line ${count - 1} times more`);
    place = next;
  }
  return result.join('\n');
}
