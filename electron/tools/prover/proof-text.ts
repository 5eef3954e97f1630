/**
 * Text of what a prover reports for an evaluation: a line for each event, why one failed, and what all of it
 * rests on. Text from the image is kept on one line or quoted, so it cannot imitate ours.
 */

import type {
  Certification,
  EventReport,
  ProofFigures,
  ProofReport,
  Suggestion,
  TrustIssue,
  Verdict,
} from '../../contract/proof';

import type { AdmittedEvent, LostCommand } from '../../contract/world';
import { cut } from '../../history/long-text';
import { checkpointLines } from './checkpoint-text';
import { insightSections } from './proof-insight';
import { inOneLine, quoted } from './quoted';

/** Maximum characters for the subject of one trust issue, and of one that was reported before. */
const ABOUT_CHARACTERS = 240;
const KNOWN_ABOUT_CHARACTERS = 60;

interface ProofTextOptions {
  /** Whether to omit nothing, as the history does: rules, every checkpoint, and each as data. */
  whole?: boolean;
  /** The job whose output is the prover's own log; absent if there is none. */
  log?: string | undefined;
  /**
   * Whether everything it rests on was reported before, so that the beginning of each is enough. Another
   * conversation may use the same connection, so none is omitted.
   */
  knowsTrust?: boolean;
}

/** Returns the sections of a record's text. The last one reports what it rests on. */
export function proofSections(
  report: ProofReport,
  { whole = false, log, knowsTrust = false }: ProofTextOptions = {},
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

/** Reports whether a report replaces the prover's output, so that the text only names its log. */
export function replacesLog(
  report: Pick<ProofReport, 'events' | 'observation' | 'builder'> | undefined,
): boolean {
  return report !== undefined && (report.events.length > 0 || Boolean(report.observation ?? report.builder));
}

/** Returns "no trust issues", or what there is: "skip-proofs (DEFTHM BAD), axiom (AX)". */
function trustText(issues: readonly TrustIssue[], characters: number): string {
  if (issues.length === 0) return 'no trust issues';
  const text = issues.map(({ kind, about }) => `${kind} (${cut(about.join(' '), characters)})`);
  return `rests on ${inOneLine(text.join(', '))}`;
}

function restText(report: ProofReport, knowsTrust: boolean): string[] {
  const { issues, command } = report;
  return [
    ...(restsOnNothing(report)
      ? []
      : [trustText(issues, knowsTrust ? KNOWN_ABOUT_CHARACTERS : ABOUT_CHARACTERS)]),
    ...(command === null ? [] : [`command ${command}`]),
  ];
}

/** Returns a reference to the log, with instructions for reading it if a proof failed. */
function logText({ events }: ProofReport, log: string): string {
  return events.some(hasFailed) ? `whole log: job ${log}, action output` : `log ${log}`;
}

/** Reports whether nothing succeeded, so there is nothing that could rest on anything. */
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

// Events as text: one line for a success; for a failure its reason, its key checkpoints and suggestions.

/** Minimum milliseconds from which the time of a proof is shown. */
const SHOWN_FROM_MS = 100;
/** Maximum number of successful events in one result, and maximum characters for the events within one. */
const MAX_SUCCESSES = 30;
const INNER_CHARACTERS = 160;
/** Maximum number of suggestions, and maximum characters for all of them. */
const MAX_SUGGESTIONS = 3;
const SUGGESTION_CHARACTERS = 450;

const WENT_WELL: ReadonlySet<Verdict> = new Set(['proved', 'admitted', 'redundant']);

/**
 * @param whole whether to omit nothing
 * @param log the job whose output has the rest
 */
function eventsText(events: readonly EventReport[], whole: boolean, log: string | undefined): string {
  const several = events.length > 1;
  const well = events.filter(isPlain);
  const hidden = new Set(whole ? [] : well.slice(MAX_SUCCESSES));
  return [
    ...events
      .filter((event) => !hidden.has(event))
      .flatMap((event) => eventLines(event, { several, whole, log })),
    ...(hidden.size === 0 ? [] : [`… ${hidden.size} more that went well`]),
  ].join('\n');
}

function isPlain({ verdict, issues }: EventReport): boolean {
  return WENT_WELL.has(verdict) && issues.length === 0;
}

interface EventTextOptions {
  several: boolean;
  whole: boolean;
  log: string | undefined;
}

function eventLines(event: EventReport, { several, whole, log }: EventTextOptions): string[] {
  const { form, place, command, figures, issues, checkpoints, suggestions = [] } = event;
  const closing = whole ? [] : suggestions.filter(closesGoal);
  const where = place ? `${inOneLine(place.file)}:${place.line} ` : several ? `${form + 1}. ` : '';
  const facts = [
    verdictText(event),
    ...(figures ? figureTexts(figures, whole) : []),
    ...(several && issues.length > 0 ? [`rests on ${issues.map(({ kind }) => kind).join(', ')}`] : []),
    ...(whole && several ? [`command ${command}`] : []),
  ];
  return [
    `${where}${eventName(event)}: ${facts.join(' · ')}`,
    ...innerLines(event, whole),
    ...(figures ? causeLines(figures, whole, checkpoints?.gaveUp ?? null) : []),
    ...(checkpoints ? checkpointLines(checkpoints, whole, log, closing.length > 0 ? 1 : undefined) : []),
    ...suggestionLines(closing.length > 0 ? closing : suggestions, whole),
  ];
}

/** Returns the verdict; for a form with inner events, also the event at which it failed. */
function verdictText({ verdict, operator, failedAt }: EventReport): string {
  const within = failedAt !== undefined && !failedAt.startsWith(`${operator ?? ''} `);
  return within ? `${verdict} at ${inOneLine(failedAt)}` : verdict;
}

/** Returns the operator and the names that the form introduced, or would have introduced. */
function eventName({ operator, events, failedAt }: EventReport): string {
  const [top, ...more] = events.filter(({ depth }) => depth === 0);
  const named = top && more.length === 0 && top.kind === operator ? top.names : top ? [admitted(top)] : [];
  const whole = [operator ?? 'form', ...named, ...more.map(admitted)].join(' ');
  return inOneLine(failedAt?.startsWith(`${whole} `) ? failedAt : whole);
}

function admitted({ kind, names, skipped }: AdmittedEvent): string {
  return [kind, ...names, ...(skipped ? ['(proofs skipped)'] : [])].join(' ');
}

/** The kind of events that introduce no name. Macros of books make many. */
const NAMELESS = 'TABLE';

function innerLines({ events, eventCount }: EventReport, whole: boolean): string[] {
  const inner = events.filter(({ depth, kind }) => depth > 0 && kind !== NAMELESS).map(admitted);
  const hidden = eventCount - events.length;
  const text = inOneLine(inner.join(', '));
  const texts = [
    ...(inner.length > 0 ? [whole ? text : cut(text, INNER_CHARACTERS)] : []),
    ...(hidden > 0 ? [`${hidden} more events`] : []),
  ];
  return texts.length === 0 ? [] : [`  within: ${texts.join(' and ')}`];
}

function figureTexts({ milliseconds, steps, warnings }: ProofFigures, whole: boolean): string[] {
  return [
    ...(milliseconds !== null && (whole || milliseconds >= SHOWN_FROM_MS) ? [seconds(milliseconds)] : []),
    ...(steps === null ? [] : [stepsText(steps)]),
    ...(warnings.length > 0 ? [`warnings: ${inOneLine(warnings.join(' ')).replaceAll('"', '')}`] : []),
  ];
}

/** @param gaveUp the reason that the checkpoints give */
function causeLines(figures: ProofFigures, whole: boolean, gaveUp: string | null): string[] {
  const { rules, hintEvents, splitterRules, abortCauses } = inOneLine(figures);
  const lists = {
    'aborted by': abortCauses.filter((cause) => cause !== gaveUp),
    ...(whole ? { rules, 'hint events': hintEvents, 'splitter rules': splitterRules } : {}),
  };
  return Object.entries(lists).flatMap(([title, texts]) =>
    texts.length === 0 ? [] : [`  ${title}: ${texts.join(' ')}`],
  );
}

/** Reports whether ACL2 proved the form with the suggestion, and as it was submitted. Then nothing else is needed. */
function closesGoal({ trial, kind }: Suggestion): boolean {
  return trial === 'proved' && kind !== 'hypothesis';
}

/**
 * Returns suggestions. Each says whether it was tried, and is not proved otherwise. Those that failed are omitted
 * beside a proved lemma.
 */
function suggestionLines(suggestions: readonly Suggestion[], whole: boolean): string[] {
  if (suggestions.length === 0) return [];
  const hasLemma = suggestions.some(({ trial }) => trial === 'lemma-proved');
  const fitting = hasLemma ? suggestions.filter(({ trial }) => trial !== 'failed') : suggestions;
  const text = whole ? suggestions : fitting.slice(0, MAX_SUGGESTIONS);
  return [
    '  suggestions, computed from the failure; not proved unless they say so:',
    ...text.flatMap((suggestion) => suggestionText(suggestion, whole)),
  ];
}

/** A form is shown whole or omitted, since a cut form is not a form. */
function suggestionText({ kind, text, form }: Suggestion, whole: boolean): string[] {
  const isLong = form !== null && form.length > SUGGESTION_CHARACTERS;
  return [
    `    ${kind}: ${whole ? inOneLine(text) : cut(inOneLine(text), SUGGESTION_CHARACTERS)}`,
    ...(form === null || (isLong && !whole) ? [] : [quoted(form).replaceAll(/^/gm, '    ')]),
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

function stepsText(count: number): string {
  return count < 0 ? `more than ${-count} steps` : `${count} steps`;
}
