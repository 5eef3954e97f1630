/** One checkpoint: time, origin, missing state, and possible actions. */

import { Link2, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { CheckpointView } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { Button, IconButton } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { StateMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { RelativeTime } from '../parts/text';
import { Disclosure } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './checkpoints-tab.module.css';

/**
 * Number of columns that a line below the row spans. A wide list has a sixth column; a span of six would
 * create it in a narrow list too.
 */
export const COLUMNS = 5;

interface CheckpointRowProps {
  /** The session in whose tab it is shown. */
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

/** A session that has ended has no name, only its id. */
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
  /** Id of the element that explains why it cannot be deleted; absent if it can. */
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
      title={words.checkpoints.restoreQuestion(name, session.name)}
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
      title={words.checkpoints.deleteQuestion(name)}
      confirm={words.checkpoints.drop(name)}
      onConfirm={() => void actions.dropCheckpoint(checkpoint)}
      onClose={onClose}
    >
      {words.checkpoints.deleteAbout(words.formats.bytes(bytes))}
    </ConfirmDialog>
  );
}

/**
 * Returns `in use by this session, tides`; null if no session uses the checkpoint, so that it can be deleted.
 * @param here the session in whose tab it is shown
 * @param nameOf returns the name of an open session
 */
export function checkpointUseText(
  { usedBy }: Pick<CheckpointView, 'usedBy'>,
  here: string,
  nameOf: (session: string) => string | undefined,
  { checkpoints }: Words,
): string | null {
  if (usedBy.length === 0) return null;
  const others = usedBy.filter((id) => id !== here).map((id) => nameOf(id) ?? id);
  return checkpoints.usedBy([...(usedBy.includes(here) ? [checkpoints.thisSession] : []), ...others]);
}
