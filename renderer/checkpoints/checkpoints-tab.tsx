/** The tab with the saved states that a session can go back to: those of its project and engine, whoever saved them. */
import { Bookmark, BookmarkPlus, CircleDashed } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { SessionView } from '../../electron/contract/model';
import { useCheckpoints, useCheckpointsBeingSaved } from '../bridge-queries';
import { Button } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { engineTitle } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { StateMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { useNow } from '../parts/time';
import { useWords } from '../services';
import { CheckpointRow, COLUMNS } from './checkpoint-row';
import styles from './checkpoints-tab.module.css';
import { SaveCheckpoint } from './save-checkpoint';

export function CheckpointsTab({ session }: { session: SessionView }) {
  const { data, error } = useCheckpoints();
  if (!session.checkpoints) return <Unsupported session={session} />;
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  const { project, engine } = session;
  const found = data.filter((checkpoint) => checkpoint.project === project && checkpoint.engine === engine);
  return <Found session={session} checkpoints={found} />;
}

interface FoundProps {
  session: SessionView;
  checkpoints: readonly CheckpointView[];
}

function Found({ session, checkpoints }: FoundProps) {
  const words = useWords();
  const saving = useCheckpointsBeingSaved(session.id);
  const [naming, setNaming] = useState(false);
  const rows = checkpoints.length + saving.length;
  const whole = useFallbackFocus(rows);
  const save = session.state !== 'ended' && (
    <Button icon={BookmarkPlus} onPress={() => setNaming(true)}>
      {words.checkpoints.save}
    </Button>
  );
  return (
    <div ref={whole} tabIndex={-1} className={styles.whole}>
      {rows === 0 ? (
        <Empty icon={Bookmark} title={words.checkpoints.none} action={save}>
          {words.checkpoints.noneAbout(session.world)}
        </Empty>
      ) : (
        <>
          <header className={styles.head}>
            <p title={session.project}>{words.checkpoints.allOf(engineTitle(session.engine))}</p>
            {save}
          </header>
          <List session={session} checkpoints={checkpoints} saving={saving} />
        </>
      )}
      {naming && <SaveCheckpoint session={session} others={checkpoints} onClose={() => setNaming(false)} />}
    </div>
  );
}

function Unsupported({ session: { engine } }: { session: SessionView }) {
  const words = useWords();
  return (
    <Empty icon={Bookmark} title={words.checkpoints.unsupported(engineTitle(engine))}>
      {words.checkpoints.unsupportedAbout}
    </Empty>
  );
}

interface ListProps extends FoundProps {
  /** Names of those that are being saved. */
  saving: readonly string[];
}

function List({ session, checkpoints, saving }: ListProps) {
  const words = useWords();
  const now = useNow(10_000);
  return (
    <ScrollArea
      label={words.checkpoints.title}
      className={styles.area}
      rememberAs={`checkpoints of ${session.id}`}
    >
      <table className={`${tables.table} ${styles.table}`} aria-label={words.checkpoints.title}>
        <thead>
          <tr>
            <th>{words.checkpoints.name}</th>
            <th className={styles.when}>{words.checkpoints.saved}</th>
            <th className={styles.from}>{words.checkpoints.from}</th>
            <th className={styles.package}>{words.checkpoints.package}</th>
            <th className={`${styles.size} ${tables.figure}`}>{words.checkpoints.size}</th>
            <th className={styles.actions}>
              <VisuallyHidden>{words.checkpoints.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        {saving.map((name) => (
          <Saving key={name} name={name} />
        ))}
        {checkpoints.map((checkpoint) => (
          <CheckpointRow key={checkpoint.id} session={session} checkpoint={checkpoint} now={now} />
        ))}
      </table>
    </ScrollArea>
  );
}

function Saving({ name }: { name: string }) {
  const words = useWords();
  return (
    <tbody className={styles.checkpoint} role="status">
      <tr>
        <td colSpan={COLUMNS}>
          <StateMark icon={CircleDashed} tone="active" word={words.checkpoints.saving(name)} />
          {words.checkpoints.savingMeanwhile}
        </td>
      </tr>
    </tbody>
  );
}

/** For an element that takes the focus when the button that had it is gone: with its row, or with the empty view. */
function useFallbackFocus(rows: number): Ref<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(rows);
  useEffect(() => {
    if (before.current === rows) return;
    before.current = rows;
    if (document.activeElement === document.body) element.current?.focus();
  }, [rows]);
  return element;
}
