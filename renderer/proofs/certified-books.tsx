/** The books of a certification as a tree, how far all are, and what one that failed has printed. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { BookReport, BookState } from '../../electron/contract/certification';
import { useWords } from '../services';
import { BookLog } from './book-log';
import { BookRowView } from './book-row';
import { type BookNode, bookTree, nodesOf, openAtFirst, rowsOf, stepOf } from './book-tree';
import { BooksDone } from './books-done';
import styles from './certified-books.module.css';

export function CertifiedBooks({ books }: { books: readonly BookReport[] }) {
  const words = useWords();
  const top = useMemo(() => bookTree(books), [books]);
  const nodes = useMemo(() => nodesOf(top), [top]);
  /** What a person has shown or hidden, by the keys of nodes. */
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
    // A button in the row has these keys itself.
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

/** A tree whose current row gets the focus when it is drawn next: until then it may not be there. */
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
