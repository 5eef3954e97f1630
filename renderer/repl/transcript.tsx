/** The evaluations of a session by all clients, in blocks, oldest first. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Button } from '../parts/button';
import { firstLine } from '../parts/format';
import { noteFacts } from '../parts/note-facts';
import { FollowedEnd } from '../parts/scroll-area';
import { Sentence } from '../parts/text';
import { Empty, Problem } from '../parts/view';
import { useWords } from '../services';
import { EvaluationBlock } from './evaluation-block';
import styles from './transcript.module.css';

/** Estimated height of a block in pixels, before it is measured. */
const USUAL_HEIGHT = 60;

/** Maximum number of characters of a result that is announced. */
const MOST_READ_OUT = 200;

/** Kinds of evaluation that the window makes for the user and shows elsewhere. */
const ELSEWHERE: ReadonlySet<HistoryRow['kind']> = new Set<HistoryRow['kind']>(['inspect', 'frame']);

interface TranscriptProps {
  session: SessionView;
  /** Runs code again in this session. */
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
      <ResultAnnouncement rows={rows} />
    </>
  );
}

interface BlocksProps {
  rows: readonly HistoryRow[];
  onAgain: (code: string) => void;
  /** Shown above the oldest block. */
  children: ReactNode;
}

/** Renders only the visible blocks. Follows the end while it grows, unless the user has scrolled up. */
function Blocks({ rows, onAgain, children }: BlocksProps) {
  const words = useWords();
  const area = useRef<HTMLDivElement>(null);
  const blocks = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    // The scroll position is stable when older rows are added above.
    anchorTo: 'end',
    // Disables the built-in following of the end, which would interrupt scrolling with the wheel.
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
    // A scroll area must be focusable for keyboard users.
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
                named={rows[index - 1]?.client !== row.client}
                onAgain={onAgain}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Announces the newest result to screen readers. */
function ResultAnnouncement({ rows }: { rows: readonly HistoryRow[] }) {
  const words = useWords();
  const newest = rows.findLast(({ outcome }) => outcome !== 'running');
  return (
    <VisuallyHidden role="status">
      {newest && (
        <Sentence
          of={words.repl.completed(
            newest.id,
            words.common.client(newest.client),
            <ResultSummary row={newest} />,
          )}
        />
      )}
    </VisuallyHidden>
  );
}

/** The result: values, or the outcome with the engine's message. */
function ResultSummary({
  row: { outcome, values, conditionType, conditionMessage, notes = [] },
}: {
  row: HistoryRow;
}) {
  const { states, common } = useWords();
  if (outcome === 'ok')
    return <span translate="no">{firstLine(values.join(' ')).slice(0, MOST_READ_OUT)}</span>;
  const message = [conditionType, conditionMessage, ...noteFacts(notes)].filter(Boolean).join(', ');
  return (
    <>
      {states.outcome[outcome]}
      {message && common.comma}
      <span lang="en">{message.slice(0, MOST_READ_OUT)}</span>
    </>
  );
}
