/** What can only be shown of a session that has an image, or gets one by itself. */
import type { ReactNode } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { useWords } from '../services';
import { Asleep } from './asleep';
import styles from './session-detail.module.css';

export function WithImage({ session, children }: { session: SessionView; children: ReactNode }) {
  if (session.state === 'ended') return <Ended />;
  return session.state === 'asleep' ? <Asleep session={session} /> : children;
}

function Ended() {
  const words = useWords();
  return <p className={styles.ended}>{words.session.ended}</p>;
}
