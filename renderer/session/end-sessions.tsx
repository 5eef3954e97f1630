/** Asks before sessions end, and says what each would lose: an evaluation that runs, definitions that are in no file. */
import type { SessionView } from '../../electron/contract/model';
import { useUnsaved } from '../image-queries';
import { ConfirmDialog } from '../parts/dialog';
import { count } from '../parts/format';
import { useServices } from '../services';
import styles from './end-sessions.module.css';
import { UnsavedDefinitions } from './unsaved-definitions';
import { endingText } from './what-is-lost';

interface EndSessionsProps {
  /** At least one. */
  sessions: readonly SessionView[];
  onClose: () => void;
}

export function EndSessions({ sessions, onClose }: EndSessionsProps) {
  const { actions } = useServices();
  const ids = sessions.map(({ id }) => id);
  const [only] = sessions;
  const name = sessions.length === 1 && only ? only.name : count(sessions.length, 'session');
  return (
    <ConfirmDialog
      title={sessions.length === 1 ? `End session “${name}”?` : `End ${name}?`}
      confirm={`End ${name}`}
      onConfirm={() => void actions.endSessions(ids)}
      onClose={onClose}
      details={<UnsavedWork sessions={sessions} />}
    >
      {endingText(sessions)}
    </ConfirmDialog>
  );
}

function UnsavedWork({ sessions }: { sessions: readonly SessionView[] }) {
  return (
    <ul className={styles.unsavedWork} aria-label="What would be lost">
      {sessions.map((session) => (
        <WorkOf key={session.id} session={session} named={sessions.length > 1} />
      ))}
    </ul>
  );
}

/** Empty for a session that would lose nothing. */
function WorkOf({ session, named }: { session: SessionView; named: boolean }) {
  const { data, isPending } = useUnsaved(session.id);
  const busy = busyness(session);
  if (busy === null && !isPending && (data?.total ?? 0) === 0) return null;
  return (
    <li>
      {named && <strong>{session.name}</strong>} {busy}
      <UnsavedDefinitions session={session.id} />
    </li>
  );
}

function busyness({ state }: SessionView): string | null {
  if (state === 'running') return 'An evaluation runs and will be interrupted.';
  return state === 'debugger' ? 'An evaluation is held in the debugger and will be given up.' : null;
}
