/** Log lines, newest first, with filters for text and level. */

import { useQuery } from '@tanstack/react-query';
import { CircleX, FolderOpen, Info, ScrollText, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { LogLevel, LogLine } from '../../electron/contract/harbor-status';
import type { SessionView } from '../../electron/contract/model';
import { call } from '../bridge';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { SearchField, Select } from '../parts/field';
import { ScrollArea } from '../parts/scroll-area';
import { type Mark, StateMark } from '../parts/state-mark';
import { keyed, Problem } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './log.module.css';

/** The tab with the log of a session: images started, lost, replaced, interrupted, refused. */
export function LogTab({ session: { id } }: { session: SessionView }) {
  const words = useWords();
  const { data, error } = useQuery({
    queryKey: ['image', id, 'log'],
    queryFn: () => call('log:session', { session: id }),
    staleTime: 0,
  });
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  return (
    <section aria-label={words.log.title} className={styles.whole}>
      {data.length > 0 ? (
        <LogList lines={data} label={words.log.sessionLog} />
      ) : (
        <p className={styles.none}>{words.log.nothing}</p>
      )}
    </section>
  );
}

const MARKS: Readonly<Record<LogLevel, Omit<Mark, 'word'>>> = {
  debug: { icon: Info, tone: 'quiet' },
  info: { icon: Info, tone: 'quiet' },
  warn: { icon: TriangleAlert, tone: 'warn' },
  error: { icon: CircleX, tone: 'bad' },
};

/** Maximum number of lines rendered; the filter finds others. */
const DRAWN = 300;

function LogList({ lines, label }: { lines: readonly LogLine[]; label: string }) {
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

/** Minimum levels; `debug` for all lines. */
const LEVELS = ['debug', 'warn', 'error'] as const satisfies readonly LogLevel[];

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Returns matching lines, newest first. */
function shownLines(lines: readonly LogLine[], part: string, level: LogLevel): LogLine[] {
  const wanted = part.trim().toLowerCase();
  const least = ORDER.indexOf(level);
  return lines
    .filter((line) => ORDER.indexOf(line.level) >= least && line.text.toLowerCase().includes(wanted))
    .reverse();
}

/** Buttons for the log of the harbor: show it, or open its folder. */
export function LogButtons() {
  const words = useWords();
  const { actions } = useServices();
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.buttons}>
      <Button icon={ScrollText} onPress={() => setShown(true)}>
        {words.log.show}
      </Button>
      <Button icon={FolderOpen} onPress={() => void actions.harbor.log.openFolder()}>
        {words.log.openFolder}
      </Button>
      {shown && <LogDialog onClose={() => setShown(false)} />}
    </div>
  );
}

function LogDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { data, error } = useQuery({
    queryKey: ['log'],
    queryFn: () => call('log:read', null),
    gcTime: 0,
    staleTime: 0,
    refetchInterval: 2_000,
  });
  const buttons = (
    <Button onPress={onClose} autoFocus>
      {words.common.close}
    </Button>
  );
  return (
    <Dialog title={words.log.title} wide onClose={onClose} buttons={buttons}>
      {error && <Problem>{error.message}</Problem>}
      {data && (
        <div className={styles.inDialog}>
          <LogList lines={data.lines} label={words.log.theLog} />
          <p className={styles.none}>
            {data.whole ? words.log.whole(data.folder) : words.log.newest(data.folder)}
          </p>
        </div>
      )}
    </Dialog>
  );
}
