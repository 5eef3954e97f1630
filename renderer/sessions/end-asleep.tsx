/** Ends all sessions of the last time that nobody has woken, after a question: a person may want to start with none. */
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { count } from '../parts/format';
import { EndSessions } from '../session/end-sessions';

export function EndAsleep({ sessions }: { sessions: Iterable<SessionView> }) {
  const [ending, setEnding] = useState(false);
  const asleep = [...sessions].filter(({ state }) => state === 'asleep');
  if (asleep.length === 0) return null;
  return (
    <>
      <Button onPress={() => setEnding(true)}>End {count(asleep.length, 'sleeping session')}…</Button>
      {ending && <EndSessions sessions={asleep} onClose={() => setEnding(false)} />}
    </>
  );
}
