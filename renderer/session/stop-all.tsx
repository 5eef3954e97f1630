/** Asks before evaluations of several sessions are stopped, and says what is lost by it. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { count, formatAge, oneLine } from '../parts/format';
import { useLive, useServices } from '../services';
import styles from './end-sessions.module.css';

interface StopAllProps {
  /** Those that evaluate. */
  sessions: readonly SessionView[];
  onClose: () => void;
}

export function StopAll({ sessions, onClose }: StopAllProps) {
  const { actions } = useServices();
  const evaluations = useLive((state) => state.evaluations);
  const what = count(sessions.length, 'evaluation');
  return (
    <ConfirmDialog
      title="Stop what runs?"
      confirm={`Stop ${what}`}
      onConfirm={() => void Promise.all(sessions.map(({ id }) => actions.interrupt(id)))}
      onClose={onClose}
      details={
        <ul className={styles.unsavedWork} aria-label="What is stopped">
          {sessions.map(({ id, name, client, runningEvaluation }) => {
            const row = evaluations.get(runningEvaluation ?? -1)?.row;
            return (
              <li key={id}>
                {name}: <code>{row ? oneLine(row.code).slice(0, 120) : 'starting'}</code>
                {row && ` – ${row.client}, for ${formatAge(Date.now() - row.startedAt)}`}
                {!row && ` – ${client}`}
              </li>
            );
          })}
        </ul>
      }
    >
      Each is interrupted: what it has not answered yet is lost. Sessions keep what they have defined. An
      image that does not react is ended; its session then comes back with its definitions.
    </ConfirmDialog>
  );
}
