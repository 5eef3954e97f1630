/** Lines of a log, the newest first, narrowed by a part of their text and by how grave they are. */
import { CircleX, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { LogLevel, LogLine } from '../../electron/contract/log';
import { SearchField, Select } from '../parts/field';
import { keyed } from '../parts/keyed';
import { ScrollArea } from '../parts/scroll-area';
import { type Mark, StateMark } from '../parts/state-mark';
import { useWords } from '../services';
import styles from './log.module.css';
import { LEVELS, shownLines } from './log-lines';

const MARKS: Readonly<Record<LogLevel, Omit<Mark, 'word'>>> = {
  debug: { icon: Info, tone: 'quiet' },
  info: { icon: Info, tone: 'quiet' },
  warn: { icon: TriangleAlert, tone: 'warn' },
  error: { icon: CircleX, tone: 'bad' },
};

/** So many are drawn; the filter finds the others. */
const DRAWN = 300;

export function LogList({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const words = useWords();
  const [part, setPart] = useState('');
  const [level, setLevel] = useState<LogLevel>('debug');
  const shown = shownLines(lines, part, level);
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label={words.log.filterOf(label)}
          placeholder={words.log.filter}
          value={part}
          onChange={setPart}
        />
        <Select
          label={words.log.whichLines}
          value={level}
          options={LEVELS.map((value) => ({ value, title: words.log.levels[value] }))}
          onChange={(chosen) => setLevel(chosen)}
        />
      </div>
      <ScrollArea label={label} className={styles.area}>
        {shown.length === 0 && <p className={styles.none}>{words.log.noneFits}</p>}
        <ol className={styles.lines} aria-label={words.log.linesOf(label)}>
          {keyed(shown.slice(0, DRAWN).map(({ at, level: grave, text }) => ({ at, grave, text }))).map(
            ({ key, item: { at, grave, text } }) => (
              <li key={key}>
                <time dateTime={new Date(at).toISOString()} title={words.formats.exact(at)}>
                  {words.formats.time(at)}
                </time>
                <StateMark {...MARKS[grave]} word={words.log.marks[grave]} />
                <span className={styles.text} lang="en">
                  {text}
                </span>
              </li>
            ),
          )}
        </ol>
        {shown.length > DRAWN && <p className={styles.none}>{words.log.older(shown.length - DRAWN)}</p>}
      </ScrollArea>
    </>
  );
}
