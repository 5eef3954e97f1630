/** What can only be shown of a session that has an image, or gets one by itself. */
import type { ReactNode } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Asleep } from './asleep';
import styles from './session-detail.module.css';

export function WithImage({ session, children }: { session: SessionView; children: ReactNode }) {
  if (session.state === 'ended') return <Ended />;
  return session.state === 'asleep' ? <Asleep session={session} /> : children;
}

function Ended() {
  return (
    <p className={styles.ended}>
      This session has ended. What was evaluated in it is in the history; “New session” opens another.
    </p>
  );
}
