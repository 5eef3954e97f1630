/** Asks before a session gets another image, and says what comes back in that and what does not. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { useServices } from '../services';
import { restartText } from './what-is-lost';

export function RestartSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const { actions } = useServices();
  const { name } = session;
  return (
    <ConfirmDialog
      title={`Restart “${name}”?`}
      confirm={`Restart ${name}`}
      onConfirm={() => void actions.restart(session)}
      onClose={onClose}
    >
      {restartText(session)}
    </ConfirmDialog>
  );
}
