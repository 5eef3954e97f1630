/** One list of evaluations from two sources: pages of the history, and what was opened or closed since. Pure. */
import type { EngineName, HistoryRow, Outcome, SessionId } from '../../electron/contract/model';
import { changedWorld } from '../proofs/proof-display';

/** Which rows a list shows; null and '' ask for all. */
export interface RowFilter {
  query: string;
  engine: EngineName | null;
  outcome: Outcome | null;
  session: SessionId | null;
}

/**
 * Rows newest first. A live row replaces the same row of a page, which is older. Live rows that no page has are added if
 * they match and are newer than the end of the last page: older ones are in pages that are not loaded yet.
 * @param hasMore whether there are older pages
 */
export function mergeRows(
  pages: readonly HistoryRow[],
  live: Iterable<HistoryRow>,
  filter: RowFilter,
  hasMore: boolean,
): HistoryRow[] {
  const rows = new Map(pages.map((row) => [row.id, row]));
  const oldest = hasMore ? (pages.at(-1)?.id ?? 0) : 0;
  for (const row of live) {
    if (rows.has(row.id) || (row.id > oldest && matches(row, filter))) rows.set(row.id, row);
  }
  return [...rows.values()].filter((row) => fits(row, filter)).sort((a, b) => b.id - a.id);
}

/** The newest evaluation that is known to have changed the world of a session; 0 for none. */
export function lastChange(live: Iterable<HistoryRow>, session: SessionId): number {
  let newest = 0;
  for (const row of live) if (row.session === session && changedWorld(row)) newest = Math.max(newest, row.id);
  return newest;
}

/** Whether the row still has the outcome that is asked for: it may have changed since its page was loaded. */
function fits(row: HistoryRow, { outcome }: RowFilter): boolean {
  return hasOutcome(row, outcome);
}

/** As the history answers: `running` is all that has not ended. */
function hasOutcome(row: HistoryRow, asked: Outcome | null): boolean {
  return asked === null || row.outcome === asked || (asked === 'running' && row.outcome === 'debugger');
}

function matches(row: HistoryRow, { query, engine, outcome, session }: RowFilter): boolean {
  if (engine !== null && row.engine !== engine) return false;
  if (!hasOutcome(row, outcome)) return false;
  if (session !== null && row.session !== session) return false;
  return query.trim() === '' || textOf(row).includes(query.trim().toLowerCase());
}

function textOf({ code, values, output, conditionMessage }: HistoryRow): string {
  return [code, ...values, output, conditionMessage ?? ''].join('\n').toLowerCase();
}
