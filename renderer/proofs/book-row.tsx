/** One book in the tree of a certification: what became of it, how long that took, and why it failed. */
import { ChevronRight, CornerLeftUp } from 'lucide-react';
import type { BookReport } from '../../electron/contract/certification';
import type { Words } from '../../electron/words/words';
import { StateMark } from '../parts/state-mark';
import { Duration } from '../parts/time';
import { useWords } from '../services';
import { BOOK_MARKS } from './book-marks';
import { type BookNode, type BookRow, nameIn } from './book-tree';
import styles from './certified-books.module.css';

/** From this level on rows stand no further to the right. */
const DEEPEST_INDENTED = 12;

interface BookRowProps {
  row: BookRow;
  /** Whether it is where the keyboard is, or would be. */
  isCurrent: boolean;
  onFocus: () => void;
  onOpen: (open: boolean) => void;
  onChoose: () => void;
}

export function BookRowView({ row, isCurrent, onFocus, onOpen, onChoose }: BookRowProps) {
  const words = useWords();
  const { node, level, place, count, open } = row;
  const { report, isMention } = node;
  const { book, state } = report;
  const tabIndex = isCurrent ? 0 : -1;
  const folder = folderOf(book);
  const hasOwnFolder = folder !== (node.above ? folderOf(node.above.report.book) : '');
  return (
    // Its keys are those of the tree around it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as said
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={count}
      {...(open === null ? {} : { 'aria-expanded': open })}
      tabIndex={tabIndex}
      className={styles.row}
      data-mention={isMention || undefined}
      style={{ '--level': Math.min(level - 1, DEEPEST_INDENTED) } as object}
      onFocus={onFocus}
      onClick={() => (open === null ? isMention && onChoose() : onOpen(!open))}
    >
      <span className={styles.toggle}>{open !== null && <ChevronRight size={12} aria-hidden />}</span>
      <span className={styles.words}>
        <span className={styles.name} title={book} translate="no">
          {hasOwnFolder && <span className={styles.folder}>{folder}</span>}
          {nameIn(book)}
        </span>
        <Aside node={node} />
      </span>
      <span title={besideOf(node, words)}>
        <StateMark {...BOOK_MARKS[state]} word={words.books.states[state]} />
      </span>
      <span className={styles.took}>{!isMention && <Took report={report} />}</span>
      {!isMention && (state === 'failed' || report.log !== undefined) && (
        <Why report={report} tabIndex={tabIndex} onLog={onChoose} />
      )}
    </div>
  );
}

/** Why it failed, and what shows its log. */
function Why({
  report: { book, because, log },
  tabIndex,
  onLog,
}: {
  report: BookReport;
  tabIndex: number;
  onLog: () => void;
}) {
  const words = useWords();
  return (
    <span className={styles.because}>
      <span className={styles.why} lang="en" title={because}>
        {because}
      </span>
      {log !== undefined && (
        <button
          type="button"
          className={styles.link}
          aria-label={words.books.logOf(book)}
          tabIndex={tabIndex}
          onClick={(event) => {
            event.stopPropagation();
            onLog();
          }}
        >
          {words.books.log}
        </button>
      )}
    </span>
  );
}

/** What else there is to be said of it in its line, where there is room. */
function Aside({ node }: { node: BookNode }) {
  const words = useWords();
  const told = besideOf(node, words);
  return (
    told !== undefined && (
      <span className={styles.aside} title={told}>
        {node.isMention && <CornerLeftUp size={12} aria-hidden />}
        {told}
      </span>
    )
  );
}

function besideOf({ report, isMention }: BookNode, { books }: Words): string | undefined {
  const { state, because, goal } = report;
  if (isMention) return books.elsewhere;
  return state === 'left' && because !== undefined ? books.notCertified(nameIn(because)) : goal;
}

function folderOf(book: string): string {
  return book.slice(0, book.length - nameIn(book).length);
}

function Took({ report: { startedAt, durationMs } }: { report: BookReport }) {
  const words = useWords();
  if (startedAt === undefined) return null;
  return (
    <span title={words.books.since(words.formats.exact(startedAt))}>
      <Duration ms={durationMs ?? null} since={startedAt} />
    </span>
  );
}
