/** What was evaluated in a session, whoever asked for it, in blocks: the oldest first, what runs now at the end. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Button } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { firstLine } from '../parts/format';
import { EvaluationBlock } from './evaluation-block';
import styles from './transcript.module.css';

/** Pixels of a block before it has been measured, and from the end at which a person still looks at that. */
const USUAL_HEIGHT = 60;
const NEAR = 32;

/** What the window itself asks for on a person's behalf: it has its own places. */
const ELSEWHERE: ReadonlySet<HistoryRow['kind']> = new Set<HistoryRow['kind']>(['inspect', 'frame']);

interface TranscriptProps {
  session: SessionView;
  /** Runs code once more in this session. */
  onAgain: (code: string) => void;
}

export function Transcript({ session, onAgain }: TranscriptProps) {
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
          <Empty icon={SquareTerminal} title="Nothing was evaluated here yet">
            Each evaluation of this session appears here while it runs, an agent’s as well as yours.
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
            Load older
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
  const area = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const blocks = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
  });
  const height = blocks.getTotalSize();
  useLayoutEffect(() => {
    const element = area.current;
    if (element && atEnd.current && height > 0) element.scrollTop = element.scrollHeight;
  }, [height]);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    let before = { top: element.scrollTop, height: element.scrollHeight };
    const note = () => {
      const { scrollTop: top, scrollHeight: height, clientHeight } = element;
      // This may be heard after the transcript has grown or shrunk: only a way up in one that has not shrunk is a person's.
      if (height - top - clientHeight < NEAR) atEnd.current = true;
      else if (top < before.top && height >= before.height) atEnd.current = false;
      before = { top, height };
    };
    // A pane that becomes lower keeps the end in view, too.
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    element.addEventListener('scroll', note);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, []);
  return (
    // What scrolls must be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area
    <section ref={area} className={styles.area} tabIndex={0} aria-label="Transcript of the session">
      {children}
      <ol className={styles.list} aria-label="Transcript" style={{ height }}>
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
  const newest = rows.findLast(({ outcome }) => outcome !== 'running');
  return <VisuallyHidden role="status">{newest && newsOf(newest)}</VisuallyHidden>;
}

function newsOf({ id, client, outcome, values, conditionType, conditionMessage }: HistoryRow): string {
  const said =
    outcome === 'ok'
      ? firstLine(values.join(' '))
      : [outcome, conditionType, conditionMessage].filter(Boolean).join(', ');
  return `Evaluation ${id} of ${client}: ${said.slice(0, 200)}`;
}
