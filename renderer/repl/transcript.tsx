/** What was evaluated in a session, whoever asked for it, in blocks: the oldest first, what runs now at the end. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Button } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { FollowedEnd } from '../parts/followed-end';
import { firstLine } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { useWords } from '../services';
import { EvaluationBlock } from './evaluation-block';
import styles from './transcript.module.css';

/** Pixels of a block before it has been measured. */
const USUAL_HEIGHT = 60;

/** Characters of a result that are read out. */
const MOST_READ_OUT = 200;

/** What the window itself asks for on a person's behalf: it has its own places. */
const ELSEWHERE: ReadonlySet<HistoryRow['kind']> = new Set<HistoryRow['kind']>(['inspect', 'frame']);

interface TranscriptProps {
  session: SessionView;
  /** Runs code once more in this session. */
  onAgain: (code: string) => void;
}

export function Transcript({ session, onAgain }: TranscriptProps) {
  const words = useWords();
  const filter = useMemo<RowFilter>(
    () => ({ query: '', engine: null, outcome: null, session: session.id }),
    [session.id],
  );
  const { rows: newestFirst, loading, error, hasMore, loadingMore, loadMore } = useEvaluations(filter);
  const rows = useMemo(
    () => newestFirst.filter(({ kind }) => !ELSEWHERE.has(kind)).toReversed(),
    [newestFirst],
  );
  if (error) return <Problem>{error.message}</Problem>;
  if (rows.length === 0) {
    return (
      <div className={styles.area}>
        {!loading && (
          <Empty icon={SquareTerminal} title={words.repl.nothing}>
            {words.repl.nothingAbout}
          </Empty>
        )}
      </div>
    );
  }
  return (
    <>
      <Blocks rows={rows} onAgain={onAgain}>
        {hasMore && (
          <Button isDisabled={loadingMore} onPress={loadMore}>
            {words.repl.loadOlder}
          </Button>
        )}
      </Blocks>
      <News rows={rows} />
    </>
  );
}

interface BlocksProps {
  rows: readonly HistoryRow[];
  onAgain: (code: string) => void;
  /** Stands above the oldest. */
  children: ReactNode;
}

/** Only those that are in view are drawn. The end stays in view while it grows, unless a person has scrolled up to read. */
function Blocks({ rows, onAgain, children }: BlocksProps) {
  const words = useWords();
  const area = useRef<HTMLDivElement>(null);
  const blocks = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    // Older rows that come above move nothing.
    anchorTo: 'end',
    // Nothing is near enough to the end for it to follow that by itself: it would cut short the wheel of who reads above.
    scrollEndThreshold: -1,
  });
  const height = blocks.getTotalSize();
  const end = useRef<FollowedEnd>(null);
  useLayoutEffect(() => {
    if (!area.current) return;
    end.current = new FollowedEnd(area.current);
    return () => end.current?.stop();
  }, []);
  useLayoutEffect(() => {
    if (height > 0) end.current?.grown();
  }, [height]);
  return (
    // What scrolls must be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area
    <section ref={area} className={styles.area} tabIndex={0} aria-label={words.repl.transcriptOf}>
      {children}
      <ol className={styles.list} aria-label={words.repl.transcript} style={{ height }}>
        {blocks.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              ref={blocks.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              <EvaluationBlock
                row={row}
                own={row.kind === 'listener' && row.client === 'you'}
                onAgain={onAgain}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Says the newest result to who cannot see it. */
function News({ rows }: { rows: readonly HistoryRow[] }) {
  const words = useWords();
  const newest = rows.findLast(({ outcome }) => outcome !== 'running');
  return (
    <VisuallyHidden role="status">
      {newest && (
        <Sentence
          of={words.repl.news(newest.id, words.common.client(newest.client), <Came row={newest} />)}
        />
      )}
    </VisuallyHidden>
  );
}

/** What it came to: its values, or how it ended and what the engine says of that. */
function Came({
  row: { outcome, values, conditionType, conditionMessage, notes = [] },
}: {
  row: HistoryRow;
}) {
  const { states, common } = useWords();
  if (outcome === 'ok')
    return <span translate="no">{firstLine(values.join(' ')).slice(0, MOST_READ_OUT)}</span>;
  const said = [conditionType, conditionMessage, ...notes].filter(Boolean).join(', ');
  return (
    <>
      {states.outcome[outcome]}
      {said && common.comma}
      <span lang="en">{said.slice(0, MOST_READ_OUT)}</span>
    </>
  );
}
