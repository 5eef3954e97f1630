/** The tab with a session's debugger: what is held there, or what ended the last evaluation that failed. */
import { Bug } from 'lucide-react';
import type { SessionView } from '../../electron/contract/model';
import { Empty } from '../parts/feedback';
import { engineTitle } from '../parts/format';
import { useWords } from '../services';
import { HeldDebugger } from './held-debugger';
import { LastError } from './last-error';

export function DebuggerTab({ session }: { session: SessionView }) {
  if (session.level !== undefined) return <HeldDebugger session={session} />;
  return <LastError session={session} nothing={<Nothing session={session} />} />;
}

function Nothing({ session: { engine, hold } }: { session: SessionView }) {
  const words = useWords();
  return (
    <Empty icon={Bug} title={words.debug.nothing}>
      {hold === null ? words.debug.nothingUnheld(engineTitle(engine)) : words.debug.nothingHeld}
    </Empty>
  );
}
