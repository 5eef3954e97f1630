/** A unified diff, with backgrounds that tell its kinds of lines apart as their first characters do. */
import { useMemo } from 'react';
import styles from './diff.module.css';
import { diffLines } from './diff-lines';
import { keyed } from './keyed';
import { ScrollArea } from './scroll-area';

export function Diff({ diff, label }: { diff: string; label: string }) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  return (
    <ScrollArea label={label} className={styles.diff}>
      <pre>
        {keyed(lines).map(({ key, item: { text, kind } }) => (
          <span key={key} className={styles.line} data-kind={kind}>
            {text || ' '}
          </span>
        ))}
      </pre>
    </ScrollArea>
  );
}
