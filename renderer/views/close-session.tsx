/** Asks before a session is closed, and says what would be lost: definitions that no file holds. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { count } from '../parts/format';
import { useUnsaved } from '../queries';
import { useServices } from '../services';
import styles from './close-session.module.css';
import { ExportSession } from './export-session';

export function CloseSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const { actions } = useServices();
  const { id, name } = session;
  return (
    <ConfirmDialog
      title={`Close session “${name}”?`}
      confirm={`Close ${name}`}
      onConfirm={() => void actions.closeSession(id)}
      onClose={onClose}
      more={<Unsaved session={id} />}
    >
      Its image ends and whatever was defined in it is gone. What was evaluated stays in the history.
    </ConfirmDialog>
  );
}

function Unsaved({ session }: { session: string }) {
  const { data } = useUnsaved(session);
  if (!data || data.total === 0) return null;
  const rest = data.total - data.results.length;
  return (
    <section aria-label="Not in any file" className={styles.unsaved}>
      <p>
        {count(data.total, 'definition')} {data.total === 1 ? 'is' : 'are'} in no file:
      </p>
      <ul>
        {data.results.map(({ kind, text }) => (
          <li key={`${kind} ${text}`}>
            <code>{text}</code> <span>{kind}</span>
          </li>
        ))}
        {rest > 0 && <li>and {rest.toLocaleString('en-US')} more</li>}
      </ul>
      <ExportSession session={session} />
    </section>
  );
}
