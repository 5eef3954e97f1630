/** The tab with a session's debugger: what is held there, or what ended the last evaluation that failed. */
import { Bug } from 'lucide-react';
import type { SessionView } from '../../electron/contract/model';
import { Empty } from '../parts/feedback';
import { engineTitle } from '../parts/format';
import { HeldDebugger } from './held-debugger';
import { LastError } from './last-error';

export function DebuggerTab({ session }: { session: SessionView }) {
  if (session.level !== undefined) return <HeldDebugger session={session} />;
  return <LastError session={session} nothing={<Nothing session={session} />} />;
}

function Nothing({ session: { engine, hold } }: { session: SessionView }) {
  return (
    <Empty icon={Bug} title="Nothing has failed here">
      {hold === null
        ? `What goes wrong in this session is explained here. ${engineTitle(engine)} unwinds at once: nothing is held, and there are no restarts.`
        : 'An error that is held, of an agent’s evaluation as well as of yours, appears here with its restarts and frames.'}
    </Empty>
  );
}
