/** How far all books of a certification are: a bar, and how many are in which state. */
import type { BookReport, BookState } from '../../electron/contract/certification';
import { StateMark } from '../parts/state-mark';
import { useWords } from '../services';
import { BOOK_MARKS } from './book-marks';
import styles from './certified-books.module.css';

interface BooksDoneProps {
  books: readonly BookReport[];
  /** Goes to the next book in that state. */
  onNext: (state: BookState) => void;
}

export function BooksDone({ books, onNext }: BooksDoneProps) {
  const words = useWords();
  const counts = countsOf(books);
  const working = counts.get('at-work') ?? 0;
  const done = books.length - working - (counts.get('waiting') ?? 0);
  const told = words.books.done(done, books.length);
  return (
    <div className={styles.done}>
      <p>
        {told}
        {working > 0 && <span>{words.books.atWork(working)}</span>}
      </p>
      <div
        role="progressbar"
        aria-label={words.books.progress}
        aria-valuemin={0}
        aria-valuemax={books.length}
        aria-valuenow={done}
        aria-valuetext={told}
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

/** How many books are in each state that some are in. */
function countsOf(books: readonly BookReport[]): Map<BookState, number> {
  const states = Object.keys(BOOK_MARKS) as BookState[];
  const counts = states.map((state) => [state, books.filter((book) => book.state === state).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}
