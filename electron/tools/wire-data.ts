/**
 * The data and text of results as they are sent. Empty members are omitted, and proofs are cut to their
 * outcome unless the caller requested everything.
 */

import { Condition, Outcome } from '../contract/model';
import type { BookReport, BookState, Certification, EventReport, ProofReport } from '../contract/proof';

import { Report } from '../contract/report';
import { beginning, cut } from '../history/long-text';

/** Members omitted when empty, in a result, in its evaluation and in its report. */
const OMITTED_WHEN_EMPTY: ReadonlySet<string> = new Set([
  ...['notes', 'stdout', 'stderr', 'warnings'],
  ...['loaded', 'failures', 'runs'],
]);
const WITHIN: ReadonlySet<string> = new Set(['evaluation', 'report']);

/** @param whole whether the caller requested everything */
export function wireData(structured: object, whole = false): Record<string, unknown> {
  return withoutEmpty(whole ? structured : withBriefProof(structured));
}

function withoutEmpty(structured: object): Record<string, unknown> {
  const members = Object.entries(structured).filter(
    ([name, value]) => !(OMITTED_WHEN_EMPTY.has(name) && isEmpty(value)),
  );
  return Object.fromEntries(
    members.map(([name, value]) => [name, WITHIN.has(name) && isObject(value) ? withoutEmpty(value) : value]),
  );
}

/** Reports whether an output schema may require the member. */
export function isAlwaysSent(name: string): boolean {
  return !OMITTED_WHEN_EMPTY.has(name) && isOfEveryRecord(name);
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Brief data of results about events: the outcome of each event and what it rests on. Checkpoints and
// suggestions are in the text, the prover's output is in its log, and a request for everything returns the
// whole record.

/** Maximum characters of an error message, which the text contains as well. */
const MESSAGE_CHARACTERS = 300;
/** Maximum number of events in one result. */
const MAX_EVENTS = 30;
/** Maximum number of books in one result; beyond it, only books without a certificate. */
const MAX_BOOKS = 50;

const HAS_CERTIFICATE: ReadonlySet<BookState> = new Set(['certified', 'unchanged']);

/** Members of a record that repeat what each event says. */
const MEMBERS_WITH_EVENTS: ReadonlySet<string> = new Set([
  ...['engine', 'package', 'forms', 'duration_ms', 'warnings'],
  ...['stdout', 'stderr'],
]);

/** Reports whether every record has the member. */
function isOfEveryRecord(name: string): boolean {
  return !MEMBERS_WITH_EVENTS.has(name);
}

/**
 * Maximum characters of output where events succeeded. Included books print much that callers do not need.
 */
const OUTPUT_CHARACTERS = 300;

/** Reports whether every form is an event, so that none was evaluated for its value or output. */
export function hasOnlyEvents(forms: unknown, events: readonly EventReport[] = []): boolean {
  const count = Array.isArray(forms) ? forms.length : 0;
  return events.length > 0 && new Set(events.map(({ form }) => form)).size >= count;
}

/** Returns the start of the output, and the job that has the rest. */
export function briefOutputText(printed: string, id: number): string {
  const shown = beginning(printed, OUTPUT_CHARACTERS);
  const remaining = printed.length - shown.length;
  return remaining === 0 ? shown : `${shown}\n… ${remaining} more characters: job-${id}, action output`;
}

/** @param structured any result; results that are not records of a prover are returned unchanged */
function withBriefProof(structured: object): object {
  const record = structured as Readonly<Record<string, unknown>>;
  const report = Report.safeParse(record.report).data;
  if (!report?.proof) return structured;
  const { events } = report.proof;
  const onlyEvents = hasOnlyEvents(record.forms, events);
  const hasPrinted = record.outcome === Outcome.enum.ok || events.length === 0;
  const members = Object.entries(record).filter(
    ([name]) =>
      isOfEveryRecord(name) ||
      events.length === 0 ||
      (name === 'forms' && !onlyEvents) ||
      (name === 'stdout' && hasPrinted),
  );
  return {
    ...Object.fromEntries(members),
    ...(onlyEvents && hasPrinted ? briefOutput(record) : {}),
    ...briefCondition(record.condition),
    report: { ...report, proof: briefProof(report.proof) },
  };
}

function briefOutput({ stdout, id }: Readonly<Record<string, unknown>>): { stdout?: string } {
  return typeof stdout === 'string' && stdout !== '' ? { stdout: briefOutputText(stdout, Number(id)) } : {};
}

/** Removes the level where nothing can be restarted. */
function briefCondition(condition: unknown): { condition?: object } {
  const { data } = Condition.safeParse(condition);
  if (!data || data.restarts.length > 0) return {};
  return { condition: { type: data.type, message: cut(data.message, MESSAGE_CHARACTERS) } };
}

function briefProof({ events, certification, ...proof }: ProofReport): object {
  const shown = events.slice(-MAX_EVENTS);
  return {
    ...proof,
    ...(certification ? { certification: briefCertification(certification) } : {}),
    events: shown.map((event) => briefEvent(event, proof.command, events.length === 1 && event.form === 0)),
    ...(shown.length === events.length ? {} : { event_count: events.length }),
  };
}

function briefCertification({ books, ...rest }: Certification): object {
  if (!books) return rest;
  const all = books.length <= MAX_BOOKS;
  const shown = all ? books : books.filter(({ state }) => !HAS_CERTIFICATE.has(state)).slice(0, MAX_BOOKS);
  return { ...rest, books: shown.map(briefBook), ...(all ? {} : { book_count: books.length }) };
}

function briefBook({ book, includes, state, because, durationMs }: BookReport): object {
  return {
    book,
    state,
    ...(includes.length === 0 ? {} : { includes }),
    ...(because === undefined ? {} : { because }),
    ...(durationMs === undefined ? {} : { ms: durationMs }),
  };
}

function briefEvent(event: EventReport, last: number | null, isOnly: boolean): object {
  const { form, place, operator, verdict, command, events, figures, issues } = event;
  const names = events.filter(({ depth }) => depth === 0).flatMap((each) => each.names);
  return {
    ...(isOnly ? {} : { form }),
    ...(place ? { place } : {}),
    operator,
    verdict,
    ...(command === last ? {} : { command }),
    ...(names.length === 0 ? {} : { names }),
    ...(figures?.steps == null ? {} : { steps: figures.steps }),
    ...(issues.length === 0 ? {} : { issues: issues.map(({ kind }) => kind) }),
  };
}

// Text for models: terminal codes are removed and other control characters are replaced by their pictures.
// Data and history keep the original bytes.

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);

/** Control sequences, operating system commands and two-character escapes (ECMA-48, sections 5.3 to 5.6). */
const TERMINAL_CODE = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** All control characters except newline and tab. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

export function cleanText(text: string): string {
  if (text.search(CONTROL) < 0) return text;
  return text.replaceAll('\r\n', '\n').replace(TERMINAL_CODE, '').replace(CONTROL, picture);
}

/** Returns the Unicode picture of an ASCII control character, and U+FFFD for those of the upper half. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
