/** The dialog that an action of a session opens, wherever it was chosen. */
import { useStore } from 'zustand';
import { useLive, useServices } from '../services';
import { AllowRawLisp } from './allow-raw-lisp';
import { AllowTrustTags } from './allow-trust-tags';
import { AttachEmacs } from './attach-emacs';
import { EndSessions } from './end-sessions';
import { NameSession } from './name-session';
import { RestartSession } from './restart-session';

const DIALOGS = {
  restart: RestartSession,
  name: NameSession,
  emacs: AttachEmacs,
  'trust-tags': AllowTrustTags,
  'raw-lisp': AllowRawLisp,
};

export function SessionDialogs() {
  const { sessionDialog } = useServices();
  const asked = useStore(sessionDialog);
  const session = useLive(({ sessions }) => (asked === null ? undefined : sessions.get(asked.session)));
  if (asked === null || !session) return null;
  const close = () => sessionDialog.setState(null, true);
  if (asked.dialog === 'end') return <EndSessions sessions={[session]} onClose={close} />;
  const Dialog = DIALOGS[asked.dialog];
  return <Dialog session={session} onClose={close} />;
}
