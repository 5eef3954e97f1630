/** In place of what needs an image, while the session has none: it is asleep, and can be woken. */
import { Moon } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Empty } from '../parts/feedback';
import { useServices } from '../services';
import { asleepText } from './what-is-lost';

export function Asleep({ session }: { session: SessionView }) {
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
      title="This session is asleep"
      action={
        <Button isDisabled={waking} onPress={() => void wake()}>
          {waking ? 'Waking…' : 'Wake'}
        </Button>
      }
    >
      {asleepText(session)}
    </Empty>
  );
}
