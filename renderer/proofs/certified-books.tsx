/** The books of a certification as a tree, their progress, and the log of a failed book. */

import { Ban, Check, ChevronRight, Circle, CircleDot, CornerLeftUp, Equal, Hand, X } from 'lucide-react';
import {
  type ComponentType,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { HistoryRow } from '../../electron/contract/model';
import type { BookReport, BookState, ProofReport } from '../../electron/contract/proof';
import type { Words } from '../../electron/words/words';
import { useProgress } from '../image-queries';
import { CopyButton, IconButton } from '../parts/button';
import { type Mark, StateMark } from '../parts/state-mark';
import { Duration } from '../parts/text';
import { useWords } from '../services';
import {
  type BookNode,
  type BookRow,
  bookTree,
  nameIn,
  nodesOf,
  openAtFirst,
  rowsOf,
  stepOf,
} from './book-tree';
import styles from './certified-books.module.css';

interface BooksOfProps {
  row: Pick<HistoryRow, 'id' | 'session' | 'outcome'>;
  report: ProofReport | undefined;
  /** Wrapper around the books; absent for none. */
  frame?: ComponentType<{ children: ReactNode }>;
}

/** The books that an evaluation certifies, live or from the history. Renders nothing if there are none. */
export function BooksOf({ row, report, frame: Frame = Fragment }: BooksOfProps) {
  const { data } = useProgress(row);
  const books = report?.certification?.books ?? data?.books;
  return books && books.length > 0 ? (
    <Frame>
      <CertifiedBooks key={row.id} books={books} />
    </Frame>
  ) : null;
}

function CertifiedBooks({ books }: { books: readonly BookReport[] }) {
  const words = useWords();
  const top = useMemo(() => bookTree(books), [books]);
  const nodes = useMemo(() => nodesOf(top), [top]);
  /** Nodes that the user expanded or collapsed, by key. */
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [at, setAt] = useState<string | null>(null);
  const [logOf, setLogOf] = useState<string | null>(null);
  const { tree, focusSoon } = useFocusSoon();

  const atFirst = openAtFirst(nodes, at);
  const rows = rowsOf(top, (node) => opened.get(node.key) ?? atFirst(node));
  const place = Math.max(
    0,
    rows.findIndex(({ node }) => node.key === at),
  );
  const current = rows[place];
  const log = books.find(({ book }) => book === logOf)?.log;

  const setOpen = (changed: readonly BookNode[], open: boolean) =>
    setOpened(new Map([...opened, ...changed.map(({ key }) => [key, open] as const)]));
  const goTo = (node: BookNode) => {
    const hidden = allAbove(node).filter((each) => !rows.some((row) => row.node === each && row.open));
    if (hidden.length > 0) setOpen(hidden, true);
    setAt(node.key);
    focusSoon();
  };
  const goToNext = (state: BookState) => {
    const from = nodes.findIndex(({ key }) => key === at) + 1;
    const next = [...nodes.slice(from), ...nodes].find(
      (node) => node.report.state === state && !node.isMention,
    );
    if (next) goTo(next);
  };
  const choose = (node: BookNode) => {
    const home = node.isMention && nodes.find(({ key }) => key === node.report.book);
    if (home) return goTo(home);
    if (node.report.log !== undefined) return setLogOf(node.report.book);
    const row = rows.find((each) => each.node === node);
    if (row && row.open !== null) setOpen([node], !row.open);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!current || event.ctrlKey || event.altKey || event.metaKey) return;
    const isChosen = event.key === 'Enter' || event.key === ' ';
    const step = isChosen ? null : stepOf(event.key, rows, place);
    // A button in the row handles these keys itself.
    if (!step && !(isChosen && event.target instanceof HTMLElement && event.target.role === 'treeitem'))
      return;
    event.preventDefault();
    if (!step) choose(current.node);
    else if ('to' in step) goTo(step.to);
    else setOpen([current.node], step.open);
  };

  return (
    <div className={styles.books}>
      {books.length > 1 && <BooksDone books={books} onNext={goToNext} />}
      <div ref={tree} role="tree" aria-label={words.books.title} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <BookRowView
            key={row.node.key}
            row={row}
            isCurrent={row === current}
            onFocus={() => setAt(row.node.key)}
            onOpen={(open) => setOpen([row.node], open)}
            onChoose={() => choose(row.node)}
          />
        ))}
      </div>
      {logOf !== null && log !== undefined && (
        <BookLog
          key={logOf}
          book={logOf}
          log={log}
          onClose={() => {
            setLogOf(null);
            focusSoon();
          }}
        />
      )}
    </div>
  );
}

function allAbove({ above }: BookNode): BookNode[] {
  return above ? [above, ...allAbove(above)] : [];
}

/** Focuses the current row of the tree after the next render, because it may not exist yet. */
function useFocusSoon() {
  const tree = useRef<HTMLDivElement>(null);
  const isWanted = useRef(false);
  const [, drawAgain] = useState(0);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    tree.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus();
  });
  const focusSoon = () => {
    isWanted.current = true;
    drawAgain((count) => count + 1);
  };
  return { tree, focusSoon };
}

/** Level from which rows are not indented further. */
const DEEPEST_INDENTED = 12;

interface BookRowProps {
  row: BookRow;
  /** Whether it is the tab stop. */
  isCurrent: boolean;
  onFocus: () => void;
  onOpen: (open: boolean) => void;
  onChoose: () => void;
}

function BookRowView({ row, isCurrent, onFocus, onOpen, onChoose }: BookRowProps) {
  const words = useWords();
  const { node, level, place, count, open } = row;
  const { report, isMention } = node;
  const { book, state } = report;
  const tabIndex = isCurrent ? 0 : -1;
  const folder = folderOf(book);
  const hasOwnFolder = folder !== (node.above ? folderOf(node.above.report.book) : '');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles its keys
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
      <span title={detailOf(node, words)}>
        <StateMark {...BOOK_MARKS[state]} word={words.books.states[state]} />
      </span>
      <span className={styles.took}>{!isMention && <Took report={report} />}</span>
      {!isMention && (state === 'failed' || report.log !== undefined) && (
        <Why report={report} tabIndex={tabIndex} onLog={onChoose} />
      )}
    </div>
  );
}

/** Why the book failed, with a button that shows its log. */
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

/** Details in the row, if there is space. */
function Aside({ node }: { node: BookNode }) {
  const words = useWords();
  const text = detailOf(node, words);
  return (
    text !== undefined && (
      <span className={styles.aside} title={text}>
        {node.isMention && <CornerLeftUp size={12} aria-hidden />}
        {text}
      </span>
    )
  );
}

function detailOf({ report, isMention }: BookNode, { books }: Words): string | undefined {
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

interface BooksDoneProps {
  books: readonly BookReport[];
  /** Moves to the next book in this state. */
  onNext: (state: BookState) => void;
}

function BooksDone({ books, onNext }: BooksDoneProps) {
  const words = useWords();
  const counts = countsOf(books);
  const working = counts.get('at-work') ?? 0;
  const done = books.length - working - (counts.get('waiting') ?? 0);
  const text = words.books.done(done, books.length);
  return (
    <div className={styles.done}>
      <p>
        {text}
        {working > 0 && <span>{words.books.atWork(working)}</span>}
      </p>
      <div
        role="progressbar"
        aria-label={words.books.progress}
        aria-valuemin={0}
        aria-valuemax={books.length}
        aria-valuenow={done}
        aria-valuetext={text}
        className={styles.bar}
      >
        {[...counts].map(([state, count]) => (
          <span key={state} data-state={state} style={{ flexGrow: count }} />
        ))}
      </div>
      <div className={styles.counts}>
        {[...counts].map(([state, count]) => (
          <button
            key={state}
            type="button"
            title={words.books.next(words.books.states[state])}
            onClick={() => onNext(state)}
          >
            <StateMark
              {...BOOK_MARKS[state]}
              word={`${words.formats.number(count)} ${words.books.states[state]}`}
            />
          </button>
        ))}
      </div>
    </div>
  );
}

/** Counts the books in each state. */
function countsOf(books: readonly BookReport[]): Map<BookState, number> {
  const states = Object.keys(BOOK_MARKS) as BookState[];
  const counts = states.map((state) => [state, books.filter((book) => book.state === state).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

interface BookLogProps {
  book: string;
  log: string;
  onClose: () => void;
}

function BookLog({ book, log, onClose }: BookLogProps) {
  const words = useWords();
  const area = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const text = area.current;
    if (!text) return;
    // The reason for the failure is at the end.
    text.scrollTop = text.scrollHeight;
    text.focus();
  }, []);
  return (
    <section
      className={styles.log}
      aria-label={words.books.logOf(book)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header>
        <h3>{words.books.logOf(book)}</h3>
        <CopyButton text={log} what={words.copying.output} />
        <IconButton icon={X} label={words.books.closeLog} onPress={onClose} />
      </header>
      {/* A scroll area must be focusable, so that the keyboard can scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area */}
      <pre ref={area} lang="en" tabIndex={0}>
        {log}
      </pre>
    </section>
  );
}

/** Marks of book states, in the order of counting. */
const BOOK_MARKS: Readonly<Record<BookState, Omit<Mark, 'word'>>> = {
  certified: { icon: Check, tone: 'good' },
  unchanged: { icon: Equal, tone: 'good' },
  failed: { icon: X, tone: 'bad' },
  interrupted: { icon: Hand, tone: 'warn' },
  left: { icon: Ban, tone: 'warn' },
  'at-work': { icon: CircleDot, tone: 'active' },
  waiting: { icon: Circle, tone: 'quiet' },
};
