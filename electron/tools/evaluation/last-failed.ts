/** What failed last in a session, for tools of other systems that look back at it. */
import type { History } from '../../history/history';
import { type EvaluationRecord, recordOf, WHOLE_RECORD } from './record';

/** The whole record; null where nothing has failed.
 * @param session its handle */
export async function lastFailedIn(session: string, history: History): Promise<EvaluationRecord | null> {
  const { rows } = await history.page({ session, outcome: 'error', limit: 1 });
  const row = rows[0] && history.evaluations.find(rows[0].id);
  return row ? recordOf(row, { maxChars: WHOLE_RECORD }) : null;
}
