/** The end of what ACL2 printed of a book that failed. */
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { useWords } from '../services';
import styles from './certified-books.module.css';

interface BookLogProps {
  book: string;
  log: string;
  onClose: () => void;
}

export function BookLog({ book, log, onClose }: BookLogProps) {
  const words = useWords();
  const area = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const text = area.current;
    if (!text) return;
    // Why it failed stands at its end.
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
      {/* What scrolls must be reachable with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area */}
      <pre ref={area} lang="en" tabIndex={0}>
        {log}
      </pre>
    </section>
  );
}
