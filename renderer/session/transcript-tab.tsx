/** The tab with what was evaluated in one session, whoever asked for it: the oldest first, what runs now at the end. */
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Button } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { useFollowedEnd } from '../parts/growing-list';
import { useNow } from '../parts/time';
import { TranscriptEntry } from './transcript-entry';
import styles from './transcript-tab.module.css';

export function TranscriptTab({ session }: { session: SessionView }) {
  const filter = useMemo<RowFilter>(
    () => ({ query: '', engine: null, outcome: null, session: session.id }),
    [session.id],
  );
  const { rows, loading, error, hasMore, loadingMore, loadMore } = useEvaluations(filter);
  const now = useNow(10_000);
  const area = useFollowedEnd(rows.length > 0);
  if (error) return <Problem>{error.message}</Problem>;
  if (rows.length === 0) {
    return loading ? null : (
      <Empty icon={ScrollText} title="Nothing was evaluated here yet">
        Each evaluation of this session appears here while it runs, an agent’s as well as yours. The REPL tab
        takes the first one.
      </Empty>
    );
  }
  return (
    <div ref={area} className={styles.area}>
      {hasMore && (
        <Button isDisabled={loadingMore} onPress={loadMore}>
          Load older
        </Button>
      )}
      <ol className={styles.list} aria-label="Transcript">
        {rows.toReversed().map((row) => (
          <TranscriptEntry key={row.id} row={row} now={now} />
        ))}
      </ol>
    </div>
  );
}
