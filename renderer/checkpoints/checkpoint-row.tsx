/** One checkpoint: when it was saved, from which session, what is not in it, and what can be done with it. */
import { Link2, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { SessionView } from '../../electron/contract/model';
import { Button, IconButton } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { StateMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { RelativeTime } from '../parts/time';
import { Disclosure } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import { checkpointUseText } from './checkpoint-use';
import styles from './checkpoints-tab.module.css';

/** Columns that a line below the row spans. A wide list has a sixth; a span of six would keep its width in a narrow one. */
export const COLUMNS = 5;

interface CheckpointRowProps {
  /** The session beside which it is shown. */
  session: SessionView;
  checkpoint: CheckpointView;
  now: number;
}

export function CheckpointRow({ session, checkpoint, now }: CheckpointRowProps) {
  const words = useWords();
  const { name, savedAt, bytes, missing } = checkpoint;
  const sessions = useLive((state) => state.sessions);
  const use = checkpointUseText(checkpoint, session.id, (id) => sessions.get(id)?.name, words);
  const useNote = useId();
  return (
    <tbody className={styles.checkpoint}>
      <tr>
        <th scope="row" title={name}>
          {name}
        </th>
        <td className={styles.when}>
          <RelativeTime at={savedAt} now={now} />
        </td>
        <td className={styles.from}>
          <Source checkpoint={checkpoint} name={sessions.get(checkpoint.session)?.name} />
        </td>
        <td className={`${styles.package} ${tables.mono}`} title={checkpoint.package}>
          {checkpoint.package}
        </td>
        <td className={`${styles.size} ${tables.figure}`}>{words.formats.bytes(bytes)}</td>
        <td className={styles.actions}>
          <Buttons session={session} checkpoint={checkpoint} useNote={use === null ? undefined : useNote} />
        </td>
      </tr>
      {(use !== null || missing.length > 0) && (
        <tr className={styles.more}>
          <td colSpan={COLUMNS}>
            {use !== null && (
              <p id={useNote}>
                <StateMark icon={Link2} tone="quiet" word={use} />
              </p>
            )}
            {missing.length > 0 && <Missing sentences={missing} />}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Sessions that have ended have no name any more, only their handle. */
function Source({
  checkpoint: { session, client: key },
  name = session,
}: {
  checkpoint: CheckpointView;
  name: string | undefined;
}) {
  const words = useWords();
  const client = words.common.client(key);
  return (
    <span title={words.checkpoints.sourceOf(session, client)}>
      {name} · {client}
    </span>
  );
}

function Missing({ sentences }: { sentences: readonly string[] }) {
  const words = useWords();
  return (
    <Disclosure title={words.checkpoints.missing(sentences.length)}>
      <ul className={styles.missing}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Disclosure>
  );
}

interface ButtonsProps {
  session: SessionView;
  checkpoint: CheckpointView;
  /** The id of the element that says why it cannot be dropped; absent when it can. */
  useNote: string | undefined;
}

function Buttons({ session, checkpoint, useNote }: ButtonsProps) {
  const words = useWords();
  const { actions } = useServices();
  const [asking, setAsking] = useState<'restore' | 'drop' | null>(null);
  const opening = useLive((state) => state.opening !== null);
  const { id, name } = checkpoint;
  const close = () => setAsking(null);
  return (
    <div className={styles.buttons}>
      <Button
        aria-label={words.checkpoints.restoreOf(name)}
        isDisabled={session.state === 'ended'}
        onPress={() => setAsking('restore')}
      >
        {words.checkpoints.restore}
      </Button>
      <Button
        aria-label={words.checkpoints.openOf(name)}
        isDisabled={opening}
        onPress={() => void actions.opener.openCheckpoint(id)}
      >
        {words.checkpoints.open}
      </Button>
      <IconButton
        icon={Trash2}
        label={words.checkpoints.drop(name)}
        isDisabled={useNote !== undefined}
        {...(useNote !== undefined && { 'aria-describedby': useNote })}
        onPress={() => setAsking('drop')}
      />
      {asking === 'restore' && <Restore session={session} checkpoint={checkpoint} onClose={close} />}
      {asking === 'drop' && <Drop checkpoint={checkpoint} onClose={close} />}
    </div>
  );
}

interface RestoreProps {
  session: SessionView;
  checkpoint: CheckpointView;
  onClose: () => void;
}

function Restore({ session, checkpoint, onClose }: RestoreProps) {
  const words = useWords();
  const { actions } = useServices();
  const { name, savedAt } = checkpoint;
  return (
    <ConfirmDialog
      title={words.checkpoints.restoreAsked(name, session.name)}
      confirm={words.checkpoints.restoreOf(name)}
      onConfirm={() => void actions.restoreCheckpoint(session, checkpoint)}
      onClose={onClose}
    >
      {(session.world ? words.checkpoints.restoreWorldAbout : words.checkpoints.restoreAbout)(
        words.formats.exact(savedAt),
      )}
    </ConfirmDialog>
  );
}

function Drop({ checkpoint, onClose }: { checkpoint: CheckpointView; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  const { name, bytes } = checkpoint;
  return (
    <ConfirmDialog
      title={words.checkpoints.dropAsked(name)}
      confirm={words.checkpoints.drop(name)}
      onConfirm={() => void actions.dropCheckpoint(checkpoint)}
      onClose={onClose}
    >
      {words.checkpoints.dropAbout(words.formats.bytes(bytes))}
    </ConfirmDialog>
  );
}
