/** The summary of a prover's report in a row of a list, from a report at hand or from the part of one that was read back. */
import type { EventReport, EventSummary, ProofReport, ProofSummary } from '../contract/proof';
import { cut } from './cut-text';

/** Events of one row, names of one event or issue, and characters of one name. */
export const SUMMARIZED_EVENTS = 6;
const SUMMARIZED_NAMES = 12;
const LONGEST_NAME = 200;

/** The end of a report: `events` has at least its last ones, as many as are summarized, of `total`. */
export interface ReportEnd extends Pick<ProofReport, 'events' | 'issues'> {
  total: number;
}

export function summaryOfReport({ events, issues }: ProofReport): ProofSummary {
  return summaryOfEnd({ events, issues, total: events.length });
}

export function summaryOfEnd({ events, issues, total }: ReportEnd): ProofSummary {
  return {
    events: events.slice(-SUMMARIZED_EVENTS).map(eventSummary),
    total,
    issues: issues.map(({ kind, about }) => ({ kind, about: fewNames(about) })),
  };
}

function eventSummary(event: EventReport): EventSummary {
  const { operator, verdict, figures, checkpoints } = event;
  const { top, induction, untold = 0 } = checkpoints ?? { top: [], induction: [] };
  return {
    operator,
    verdict,
    names: fewNames(namesOf(event)),
    steps: figures?.steps ?? null,
    milliseconds: figures?.milliseconds ?? null,
    checkpoints: top.length + induction.length + untold,
  };
}

/** What the form itself brought comes after what it brought on the way, as in an ENCAPSULATE. */
function namesOf({ operator, events, failedAt }: EventReport): string[] {
  if (failedAt !== undefined) return [failedAt.replace(`${operator ?? ''} `, '')];
  return events.filter(({ depth }) => depth === 0).flatMap(({ names }) => names);
}

function fewNames(names: readonly string[]): string[] {
  return names.slice(0, SUMMARIZED_NAMES).map((name) => cut(name, LONGEST_NAME));
}
