/** Rows as they are in memory, laid over a page of the database, which has them not yet, or as they were. Pure. */
import type { Evaluation, HistoryPage, HistoryQuery, HistoryRow } from '../contract/model';
import { outcomesAsked } from './index/entry-select';

export interface Overlay {
  /** What the database is to be asked, so that enough is left of its page. */
  query: HistoryQuery;
  /** Those that the query means, newest first: at most one more than a page has. */
  rows: readonly HistoryRow[];
  /** Rows of the database that do not count. */
  hidden: ReadonlySet<number>;
}

/** @param limit of the page that was asked for */
export function laidOver(page: HistoryPage, { rows, hidden }: Overlay, limit: number): HistoryPage {
  if (rows.length === 0 && hidden.size === 0) return page;
  const shown = new Map(page.rows.filter(({ id }) => !hidden.has(id)).map((row) => [row.id, row]));
  for (const row of rows) shown.set(row.id, row);
  const newestFirst = [...shown.values()].sort((one, other) => other.id - one.id);
  const fitting = newestFirst.slice(0, limit);
  return { rows: fitting, next: newestFirst.length > limit ? (fitting.at(-1)?.id ?? null) : null };
}

/** Whether the filters of the query let the row through. */
export function rowMatches(
  { session, engine, outcome, client, project, seenBy, before }: HistoryQuery,
  row: Evaluation,
): boolean {
  return (
    (session === undefined || session === row.session) &&
    (engine === undefined || engine === row.engine) &&
    (outcome === undefined || outcomesAsked(outcome).includes(row.outcome)) &&
    (client === undefined || client === row.client) &&
    (project === undefined || project === row.project) &&
    (!seenBy || seenBy.client === row.client || seenBy.project === row.project) &&
    (before === undefined || row.id < before)
  );
}

/** Whether the text is somewhere in what the full-text index would have of the row. */
export function textMatches(text: string, row: Evaluation): boolean {
  const { condition } = row;
  const texts = [
    row.code,
    ...row.forms.flatMap(({ values }) => values),
    row.stdout,
    row.stderr,
    ...(condition ? [condition.type, condition.message] : []),
  ];
  const wanted = text.toLowerCase();
  return texts.some((each) => each.toLowerCase().includes(wanted));
}
