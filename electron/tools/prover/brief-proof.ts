/**
 * The data of an answer about events, in as few words as its text: what became of each and what it rests on. Checkpoints and
 * suggestions are told as text, what the prover printed is in its log, and whoever asks for all of it gets the whole record.
 */
import type { BookReport, BookState, Certification } from '../../contract/certification';
import { Condition, Outcome } from '../../contract/model';
import type { EventReport, ProofReport } from '../../contract/proof';
import { Report } from '../../contract/report';
import { beginning, cut } from '../../history/cut-text';

/** Characters of an error's message, which the text has as well. */
const MESSAGE_CHARACTERS = 300;
/** Events of one answer. */
const EVENTS_TOLD = 30;
/** Books of one answer; of more only those that have no certificate. */
const BOOKS_TOLD = 50;

const HAS_CERTIFICATE: ReadonlySet<BookState> = new Set(['certified', 'unchanged']);

/** Members of a record that say of events nothing that is not told of each. */
const TOLD_OF_EVENTS: ReadonlySet<string> = new Set([
  ...['engine', 'package', 'forms', 'duration_ms', 'warnings'],
  ...['stdout', 'stderr'],
]);

/** Whether every record has that member. */
export function isOfEveryRecord(name: string): boolean {
  return !TOLD_OF_EVENTS.has(name);
}

/** Characters of what is printed where events went well: books that are included print much that nobody waits for. */
const BESIDE_EVENTS = 300;

/** Whether each of the forms is an event, so that none was evaluated for what it prints or answers. */
export function hasOnlyEvents(forms: unknown, events: readonly EventReport[] = []): boolean {
  const count = Array.isArray(forms) ? forms.length : 0;
  return events.length > 0 && new Set(events.map(({ form }) => form)).size >= count;
}

/** The beginning of what was printed, and which job has the rest. */
export function besideEvents(printed: string, id: number): string {
  const told = beginning(printed, BESIDE_EVENTS);
  const left = printed.length - told.length;
  return left === 0 ? told : `${told}\n… ${left} more characters: job-${id}, action output`;
}

/** @param structured as any tool answers; what is no record of a prover stays as it is */
export function withBriefProof(structured: object): object {
  const record = structured as Readonly<Record<string, unknown>>;
  const report = Report.safeParse(record.report).data;
  if (!report?.proof) return structured;
  const { events } = report.proof;
  const onlyEvents = hasOnlyEvents(record.forms, events);
  const hasPrinted = record.outcome === Outcome.enum.ok || events.length === 0;
  const left = Object.entries(record).filter(
    ([name]) =>
      isOfEveryRecord(name) ||
      events.length === 0 ||
      (name === 'forms' && !onlyEvents) ||
      (name === 'stdout' && hasPrinted),
  );
  return {
    ...Object.fromEntries(left),
    ...(onlyEvents && hasPrinted ? briefOutput(record) : {}),
    ...briefCondition(record.condition),
    report: { ...report, proof: briefProof(report.proof) },
  };
}

function briefOutput({ stdout, id }: Readonly<Record<string, unknown>>): { stdout?: string } {
  return typeof stdout === 'string' && stdout !== '' ? { stdout: besideEvents(stdout, Number(id)) } : {};
}

/** Where nothing can be restarted there is no level either. */
function briefCondition(condition: unknown): { condition?: object } {
  const { data } = Condition.safeParse(condition);
  if (!data || data.restarts.length > 0) return {};
  return { condition: { type: data.type, message: cut(data.message, MESSAGE_CHARACTERS) } };
}

function briefProof({ events, certification, ...proof }: ProofReport): object {
  const shown = events.slice(-EVENTS_TOLD);
  return {
    ...proof,
    ...(certification ? { certification: briefCertification(certification) } : {}),
    events: shown.map((event) => briefEvent(event, proof.command, events.length === 1 && event.form === 0)),
    ...(shown.length === events.length ? {} : { event_count: events.length }),
  };
}

function briefCertification({ books, ...told }: Certification): object {
  if (!books) return told;
  const all = books.length <= BOOKS_TOLD;
  const shown = all ? books : books.filter(({ state }) => !HAS_CERTIFICATE.has(state)).slice(0, BOOKS_TOLD);
  return { ...told, books: shown.map(briefBook), ...(all ? {} : { book_count: books.length }) };
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
