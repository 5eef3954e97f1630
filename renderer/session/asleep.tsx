/** Shown instead of content that needs an image, while the session is asleep. */

import { Moon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Empty } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './session-detail.module.css';
import { asleepText } from './what-is-lost';

export function Asleep({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions } = useServices();
  const [waking, setWaking] = useState(false);
  const wake = async () => {
    setWaking(true);
    await actions.harbor.sessions.wake({ session: session.id });
    setWaking(false);
  };
  return (
    <Empty
      icon={Moon}
      title={words.session.asleep}
      action={
        <Button isDisabled={waking} onPress={() => void wake()}>
          {waking ? words.session.waking : words.session.wake}
        </Button>
      }
    >
      {asleepText(session, words)}
    </Empty>
  );
}

/** Renders its children only if the session has an image, or gets one by itself. */
export function WithImage({ session, children }: { session: SessionView; children: ReactNode }) {
  if (session.state === 'ended') return <Ended />;
  return session.state === 'asleep' ? <Asleep session={session} /> : children;
}

function Ended() {
  const words = useWords();
  return <p className={styles.ended}>{words.session.ended}</p>;
}
