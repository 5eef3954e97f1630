/**
 * What a prover tells of an evaluation as text, the one place that says it: a line for each event, why one failed, and what all of
 * it rests on. Whatever comes from the image is one line of ours, or quoted.
 */
import type { Certification } from '../../contract/certification';
import type { EventReport, ProofReport, TrustIssue } from '../../contract/proof';
import type { LostCommand } from '../../contract/world';
import { cut } from '../../history/cut-text';
import { eventsText } from './event-text';
import { insightSections } from './proof-insight';
import { inOneLine } from './quoted';

/** Characters of what one trust issue is about. */
const ABOUT_CHARACTERS = 240;

export interface ProofTelling {
  /** Whether to tell all, as the history does: rules, every checkpoint, and each as data. */
  whole?: boolean;
  /** The job of which the output is the prover's own account; absent where it gave none. */
  log?: string | undefined;
  /** Whether all that it rests on was told before, so that the kinds of it are enough. */
  knowsTrust?: boolean;
}

/** The sections of a record's text; the last one says what it rests on. */
export function proofSections(
  report: ProofReport,
  { whole = false, log, knowsTrust = false }: ProofTelling = {},
): string[] {
  const { events, lost, certification } = report;
  const rest = [...restText(report, knowsTrust), ...(log === undefined ? [] : [logText(report, log)])];
  return [
    ...(events.length > 0 ? [eventsText(events, whole, log)] : []),
    ...(lost && lost.length > 0 ? [`not in the world any more:\n${lost.map(lostText).join('\n')}`] : []),
    ...(certification ? [certificationText(inOneLine(certification))] : []),
    ...insightSections(report),
    ...(rest.length > 0 ? [`; ${rest.join(' · ')}`] : []),
  ];
}

/** Whether a report says what the prover has printed, so that its log is named in place of it. */
export function standsForLog(
  report: Pick<ProofReport, 'events' | 'observation' | 'builder'> | undefined,
): boolean {
  return report !== undefined && (report.events.length > 0 || Boolean(report.observation ?? report.builder));
}

/** "no trust issues", or what there is: "skip-proofs (DEFTHM BAD), axiom (AX)". */
export function trustText(issues: readonly TrustIssue[]): string {
  if (issues.length === 0) return 'no trust issues';
  const told = issues.map(({ kind, about }) => `${kind} (${cut(about.join(' '), ABOUT_CHARACTERS)})`);
  return `rests on ${inOneLine(told.join(', '))}`;
}

/** The kinds of what was told in full before: "rests on skip-proofs, axiom, as before". */
function knownTrustText(issues: readonly TrustIssue[]): string {
  const kinds = issues.map(({ kind }) => kind).join(', ');
  return issues.length === 0 ? trustText(issues) : `rests on ${kinds}, as before`;
}

function restText(report: ProofReport, knowsTrust: boolean): string[] {
  const { issues, command } = report;
  return [
    ...(restsOnNothing(report) ? [] : [knowsTrust ? knownTrustText(issues) : trustText(issues)]),
    ...(command === null ? [] : [`command ${command}`]),
  ];
}

/** Whoever has failed will want to know how to read it. */
function logText({ events }: ProofReport, log: string): string {
  return events.some(hasFailed) ? `whole log: job ${log}, action output` : `log ${log}`;
}

/** Whether nothing succeeded, so that nothing can rest on anything. */
function restsOnNothing({ events, issues }: ProofReport): boolean {
  return issues.length === 0 && events.length > 0 && events.every(hasFailed);
}

function hasFailed({ verdict }: EventReport): boolean {
  return verdict === 'failed' || verdict === 'interrupted';
}

function lostText(command: LostCommand): string {
  const { command: number, form, because } = inOneLine(command);
  return `${number}. ${form}\n    ${because}`;
}

function certificationText({ book, certificate }: Certification): string {
  return certificate === null ? `${book} was not certified` : `${book} is certified: ${certificate}`;
}
