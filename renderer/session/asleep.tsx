/** In place of what needs an image, while the session has none: it is asleep, and can be woken. */
import { Moon } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Empty } from '../parts/feedback';
import { useServices, useWords } from '../services';
import { asleepText } from './what-is-lost';

export function Asleep({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions } = useServices();
  const [waking, setWaking] = useState(false);
  const wake = async () => {
    setWaking(true);
    await actions.wake(session.id);
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
