/** Asks before evaluations of several sessions are stopped, and says what is lost by it. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { oneLine } from '../parts/format';
import { useLive, useServices, useWords } from '../services';
import styles from './end-sessions.module.css';

interface StopAllProps {
  /** Those that evaluate. */
  sessions: readonly SessionView[];
  onClose: () => void;
}

export function StopAll({ sessions, onClose }: StopAllProps) {
  const words = useWords();
  const { actions } = useServices();
  const evaluations = useLive((state) => state.evaluations);

  return (
    <ConfirmDialog
      title={words.session.stopAsked}
      confirm={words.session.stopNow(sessions.length)}
      onConfirm={() => void Promise.all(sessions.map(({ id }) => actions.interrupt(id)))}
      onClose={onClose}
      details={
        <ul className={styles.unsavedWork} aria-label={words.session.stopped}>
          {sessions.map(({ id, name, client, runningEvaluation }) => {
            const row = evaluations.get(runningEvaluation ?? -1);
            return (
              <li key={id}>
                {name}: <code>{row ? oneLine(row.code).slice(0, 120) : words.session.starting}</code>
                {row &&
                  words.session.stopFor(
                    words.common.client(row.client),
                    words.formats.elapsed(Date.now() - row.startedAt),
                  )}
                {!row && ` – ${words.common.client(client)}`}
              </li>
            );
          })}
        </ul>
      }
    >
      {words.session.stopAbout}
    </ConfirmDialog>
  );
}
