/** The last few evaluations, each a way into the history. */
import type { HistoryRow } from '../../electron/contract/model';
import { useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Problem } from '../parts/feedback';
import { LispLine } from '../parts/lisp';
import { Sentence } from '../parts/sentence';
import { OutcomeMark } from '../parts/state-mark';
import { RelativeTime, useNow } from '../parts/time';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './recent-evaluations.module.css';

const SHOWN = 6;
const ALL: RowFilter = { query: '', engine: null, outcome: null, session: null };

export function RecentEvaluations() {
  const words = useWords();
  const { rows, loading, error } = useEvaluations(ALL);
  const now = useNow(10_000);
  if (error) return <Problem>{error.message}</Problem>;
  if (rows.length === 0) {
    return loading ? null : (
      <p className={styles.none}>
        <Sentence of={words.home.noEvaluations(<a href="#/clients">{words.home.connectClient}</a>)} />
      </p>
    );
  }
  return (
    <>
      <ul aria-label={words.home.lastEvaluations}>
        {rows.slice(0, SHOWN).map((row) => (
          <Recent key={row.id} row={row} now={now} />
        ))}
      </ul>
      <p className={styles.none}>
        <a href="#/history">{words.home.showAll}</a>
      </p>
    </>
  );
}

function Recent({ row, now }: { row: HistoryRow; now: number }) {
  const words = useWords();
  return (
    <li>
      <a className={styles.row} href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: row.id })}>
        <OutcomeMark outcome={row.outcome} />
        <LispLine code={row.code} engine={row.engine} />
        <span className={styles.aside}>{words.common.client(row.client)}</span>
        <span className={styles.when}>
          <RelativeTime at={row.startedAt} now={now} />
        </span>
      </a>
    </li>
  );
}
