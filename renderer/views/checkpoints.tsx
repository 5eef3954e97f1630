/** The saved states that a session can go back to: those of its project and engine, whoever saved them. */
import { Bookmark, BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { engineTitle, shortenPath } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { StateMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { useNow } from '../parts/time';
import { useCheckpoints, useCheckpointsBeingSaved } from '../queries';
import { CheckpointRow } from './checkpoint-row';
import styles from './checkpoints.module.css';
import { SaveCheckpoint } from './save-checkpoint';

export function Checkpoints({ session }: { session: SessionView }) {
  const { data, error } = useCheckpoints();
  const saving = useCheckpointsBeingSaved(session.id);
  const [naming, setNaming] = useState(false);
  if (!session.checkpoints) return <Unsupported session={session} />;
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  const found = data.filter(
    ({ project, engine }) => project === session.project && engine === session.engine,
  );
  const save = session.state !== 'ended' && (
    <Button icon={BookmarkPlus} onPress={() => setNaming(true)}>
      Save…
    </Button>
  );
  return (
    <>
      {found.length + saving.length === 0 ? (
        <Empty icon={Bookmark} title="No checkpoints" action={save}>
          A checkpoint keeps the whole state of an image: definitions, variables, packages. The session can go
          back to it, and others can begin from it, also when this one has ended.
        </Empty>
      ) : (
        <>
          <header className={styles.head}>
            <p title={session.project}>
              {engineTitle(session.engine)} in {shortenPath(session.project, 48)}
            </p>
            {save}
          </header>
          <List session={session} checkpoints={found} saving={saving} />
        </>
      )}
      {naming && <SaveCheckpoint session={session} others={found} onClose={() => setNaming(false)} />}
    </>
  );
}

function Unsupported({ session: { engine } }: { session: SessionView }) {
  return (
    <Empty icon={Bookmark} title={`${engineTitle(engine)} has no checkpoints`}>
      The state of such an image cannot be saved. What is evaluated in it stays in the history.
    </Empty>
  );
}

interface ListProps {
  session: SessionView;
  checkpoints: readonly CheckpointView[];
  /** Names of those that are being saved. */
  saving: readonly string[];
}

function List({ session, checkpoints, saving }: ListProps) {
  const now = useNow(10_000);
  return (
    <ScrollArea label="Checkpoints" className={styles.area} keep={`checkpoints of ${session.id}`}>
      <table className={`${tables.table} ${styles.table}`} aria-label="Checkpoints">
        <thead>
          <tr>
            <th>Name</th>
            <th className={styles.when}>Saved</th>
            <th className={styles.from}>From</th>
            <th className={styles.package}>Package</th>
            <th className={`${styles.size} ${tables.figure}`}>Size</th>
            <th className={styles.actions}>
              <VisuallyHidden>Actions</VisuallyHidden>
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
  return (
    <tbody role="status">
      <tr>
        <td colSpan={6}>
          <StateMark icon={Bookmark} tone="active" word={`saving ${name}`.trimEnd()} /> while the session goes
          on
        </td>
      </tr>
    </tbody>
  );
}
