/** Asks before a session gets another image, and says what comes back in that and what does not. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { useServices, useWords } from '../services';
import { restartText } from './what-is-lost';

export function RestartSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  const { name } = session;
  return (
    <ConfirmDialog
      title={words.session.restartAsked(name)}
      confirm={words.session.restartNow(name)}
      onConfirm={() => void actions.restart(session)}
      onClose={onClose}
    >
      {restartText(session, words)}
    </ConfirmDialog>
  );
}
