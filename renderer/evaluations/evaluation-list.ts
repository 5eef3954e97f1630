/** Merges pages of the history with live evaluations. Pure. */
import type { EngineName, HistoryRow, Outcome, SessionId } from '../../electron/contract/model';
import { changedWorld } from '../proofs/proof-display';

/** The filter of a list; null and '' match everything. */
export interface RowFilter {
  query: string;
  engine: EngineName | null;
  outcome: Outcome | null;
  session: SessionId | null;
}

/**
 * Returns rows newest first. A live row replaces the row of a page, which is older. Other live rows are added
 * if they match and are newer than the end of the last page; older ones belong to pages that are not loaded.
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

/** Returns the id of the newest evaluation known to have changed the session's world; 0 for none. */
export function lastChange(live: Iterable<HistoryRow>, session: SessionId): number {
  let newest = 0;
  for (const row of live) if (row.session === session && changedWorld(row)) newest = Math.max(newest, row.id);
  return newest;
}

/** Returns the id of the newest evaluation of the session that has ended; 0 for none. */
export function lastEnded(live: Iterable<HistoryRow>, session: SessionId): number {
  let newest = 0;
  for (const { id, session: own, outcome } of live)
    if (own === session && outcome !== 'running') newest = Math.max(newest, id);
  return newest;
}

/** Reports whether the row still matches the outcome: it may have changed since its page was loaded. */
function fits(row: HistoryRow, { outcome }: RowFilter): boolean {
  return hasOutcome(row, outcome);
}

/** Matches as the history does: `running` includes suspended evaluations. */
function hasOutcome(row: HistoryRow, wanted: Outcome | null): boolean {
  return wanted === null || row.outcome === wanted || (wanted === 'running' && row.outcome === 'debugger');
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
