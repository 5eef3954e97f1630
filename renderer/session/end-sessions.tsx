/** Asks before sessions end, and says what each would lose: an evaluation that runs, definitions that are in no file. */
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { useUnsaved } from '../image-queries';
import { ConfirmDialog } from '../parts/dialog';
import { useServices, useWords } from '../services';
import styles from './end-sessions.module.css';
import { UnsavedDefinitions } from './unsaved-definitions';
import { endingText } from './what-is-lost';

interface EndSessionsProps {
  /** At least one. */
  sessions: readonly SessionView[];
  onClose: () => void;
}

export function EndSessions({ sessions, onClose }: EndSessionsProps) {
  const words = useWords();
  const { actions } = useServices();
  const ids = sessions.map(({ id }) => id);
  const [only] = sessions.length === 1 ? sessions : [];
  return (
    <ConfirmDialog
      title={only ? words.session.endAsked(only.name) : words.session.endSeveralAsked(sessions.length)}
      confirm={only ? words.session.endNow(only.name) : words.session.endSeveral(sessions.length)}
      onConfirm={() => void actions.endSessions(ids)}
      onClose={onClose}
      details={<UnsavedWork sessions={sessions} />}
    >
      {endingText(sessions, words)}
    </ConfirmDialog>
  );
}

function UnsavedWork({ sessions }: { sessions: readonly SessionView[] }) {
  const words = useWords();
  return (
    <ul className={styles.unsavedWork} aria-label={words.session.wouldBeLost}>
      {sessions.map((session) => (
        <WorkOf key={session.id} session={session} named={sessions.length > 1} />
      ))}
    </ul>
  );
}

/** Empty for a session that would lose nothing. */
function WorkOf({ session, named }: { session: SessionView; named: boolean }) {
  const words = useWords();
  const { data, isPending } = useUnsaved(session.id);
  const busy = busyness(session, words);
  if (busy === null && !isPending && (data?.total ?? 0) === 0) return null;
  return (
    <li>
      {named && <strong>{session.name}</strong>} {busy}
      <UnsavedDefinitions session={session.id} />
    </li>
  );
}

function busyness({ state }: SessionView, { session }: Words): string | null {
  if (state === 'running') return session.runningLost;
  return state === 'debugger' ? session.heldLost : null;
}
