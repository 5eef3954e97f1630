/** Lines of a log, the newest first, narrowed by a part of their text and by how grave they are. */
import { CircleX, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { LogLevel, LogLine } from '../../electron/contract/log';
import { SearchField, Select } from '../parts/field';
import { formatExact } from '../parts/format';
import { keyed } from '../parts/growing-list';
import { ScrollArea } from '../parts/scroll-area';
import { type Mark, StateMark } from '../parts/state-mark';
import styles from './log.module.css';
import { LEVELS, shownLines } from './log-lines';

const MARKS: Readonly<Record<LogLevel, Mark>> = {
  debug: { icon: Info, tone: 'quiet', word: 'debug' },
  info: { icon: Info, tone: 'quiet', word: 'info' },
  warn: { icon: TriangleAlert, tone: 'warn', word: 'warning' },
  error: { icon: CircleX, tone: 'bad', word: 'error' },
};

/** So many are drawn; the filter finds the others. */
const DRAWN = 300;

export function LogList({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const [part, setPart] = useState('');
  const [level, setLevel] = useState<LogLevel>('debug');
  const shown = shownLines(lines, part, level);
  return (
    <>
      <div className={styles.tools}>
        <SearchField label={`Filter ${label}`} placeholder="Filter" value={part} onChange={setPart} />
        <Select label="Which lines" value={level} options={LEVELS} onChange={setLevel} />
      </div>
      <ScrollArea label={label} className={styles.area}>
        {shown.length === 0 && <p className={styles.none}>No line fits.</p>}
        <ol className={styles.lines} aria-label={`Lines of ${label}`}>
          {keyed(shown.slice(0, DRAWN).map(({ at, level: grave, text }) => ({ at, grave, text }))).map(
            ({ key, item: { at, grave, text } }) => (
              <li key={key}>
                <time dateTime={new Date(at).toISOString()} title={formatExact(at)}>
                  {new Date(at).toLocaleTimeString()}
                </time>
                <StateMark {...MARKS[grave]} />
                <span className={styles.text}>{text}</span>
              </li>
            ),
          )}
        </ol>
        {shown.length > DRAWN && (
          <p className={styles.none}>
            {(shown.length - DRAWN).toLocaleString('en-US')} older lines: narrow the filter.
          </p>
        )}
      </ScrollArea>
    </>
  );
}
