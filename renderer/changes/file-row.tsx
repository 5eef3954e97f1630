/** A file that tools wrote for the session. */
import { FilePlus, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FileChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { count, nameInProject } from '../parts/format';
import { type Mark, StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useServices } from '../services';
import { ChangeRow } from './change-row';

interface FileRowProps {
  session: SessionView;
  change: FileChange;
  now: number;
}

export function FileRow({ session, change, now }: FileRowProps) {
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  const { path, client, at, writes, kept, hash, diff } = change;
  const shown = nameInProject(path, session.project);
  return (
    <ChangeRow
      name={shown}
      mark={<StateMark {...markOf(change)} />}
      diff={diff}
      about={
        <>
          <span title={path}>{count(writes, 'write')}</span>
          <span>{client}</span>
          <RelativeTime at={at} now={now} />
        </>
      }
    >
      {kept !== null && hash !== null && (
        <Button aria-label={`Revert ${shown}…`} onPress={() => setAsking(true)}>
          Revert…
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={`Put “${shown}” back?`}
          confirm={`Revert ${shown}`}
          onConfirm={() => void actions.changes.revertFile(session, change)}
          onClose={() => setAsking(false)}
        >
          It is written as it was before. What it holds now is kept in the history, and sessions that have
          loaded it stay as they are.
        </ConfirmDialog>
      )}
    </ChangeRow>
  );
}

function markOf({ kept, hash }: FileChange): Mark {
  const mark = (icon: LucideIcon, tone: Mark['tone'], word: string): Mark => ({ icon, tone, word });
  if (hash === null) return mark(Trash2, 'bad', 'gone');
  return kept === null ? mark(FilePlus, 'good', 'new') : mark(Pencil, 'warn', 'edited');
}
