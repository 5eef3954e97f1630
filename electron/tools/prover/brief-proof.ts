/**
 * The data of an answer about events, in as few words as its text: what became of each and what it rests on. Checkpoints and
 * suggestions are told as text, what the prover printed is in its log, and whoever asks for all of it gets the whole record.
 */
import { Condition, Outcome } from '../../contract/model';
import type { EventReport, ProofReport } from '../../contract/proof';
import { Report } from '../../contract/report';
import { cut } from '../../history/cut-text';

/** Characters of an error's message, which the text has as well. */
const MESSAGE_CHARACTERS = 300;
/** Events of one answer. */
const EVENTS_TOLD = 30;

/** Members of a record that say of events nothing that is not told of each. */
const TOLD_OF_EVENTS: ReadonlySet<string> = new Set([
  ...['engine', 'package', 'forms', 'duration_ms', 'warnings'],
  ...['stdout', 'stderr'],
]);

/** Whether every record has that member. */
export function isOfEveryRecord(name: string): boolean {
  return !TOLD_OF_EVENTS.has(name);
}

/** @param structured as any tool answers; what is no record of a prover stays as it is */
export function withBriefProof(structured: object): object {
  const record = structured as Readonly<Record<string, unknown>>;
  const report = Report.safeParse(record.report).data;
  if (!report?.proof) return structured;
  const { events } = report.proof;
  const hasPrinted = record.outcome === Outcome.enum.ok || events.length === 0;
  const left = Object.entries(record).filter(
    ([name]) =>
      isOfEveryRecord(name) || isNeeded(name, events, record.forms) || (name === 'stdout' && hasPrinted),
  );
  return {
    ...Object.fromEntries(left),
    ...briefCondition(record.condition),
    report: { ...report, proof: briefProof(report.proof) },
  };
}

/** Beside mere values all is told. */
function isNeeded(name: string, events: readonly EventReport[], forms: unknown): boolean {
  if (events.length === 0) return true;
  return (
    name === 'forms' && Array.isArray(forms) && forms.length > new Set(events.map(({ form }) => form)).size
  );
}

/** Where nothing can be restarted there is no level either. */
function briefCondition(condition: unknown): { condition?: object } {
  const { data } = Condition.safeParse(condition);
  if (!data || data.restarts.length > 0) return {};
  return { condition: { type: data.type, message: cut(data.message, MESSAGE_CHARACTERS) } };
}

function briefProof({ events, ...proof }: ProofReport): object {
  const shown = events.slice(-EVENTS_TOLD);
  return {
    ...proof,
    events: shown.map((event) => briefEvent(event, proof.command, events.length === 1 && event.form === 0)),
    ...(shown.length === events.length ? {} : { event_count: events.length }),
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
