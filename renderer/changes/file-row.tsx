/** A file that tools wrote for the session. */
import { FilePlus, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FileChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { nameInProject } from '../parts/format';
import { type Mark, StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useServices, useWords } from '../services';
import { ChangeRow, Difference } from './change-row';
import type { Fold, PlacedRow } from './row-group';

interface FileRowProps {
  session: SessionView;
  change: FileChange;
  now: number;
  placed: PlacedRow;
  fold: Fold;
}

export function FileRow({ session, change, now, placed, fold }: FileRowProps) {
  const words = useWords();
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  const { path, client, at, writes, kept, hash, diff } = change;
  const shown = nameInProject(path, session.project);
  return (
    <ChangeRow
      {...fold}
      placed={placed}
      name={shown}
      mark={<StateMark {...markOf(change, words)} />}
      below={<Difference name={shown} diff={diff} />}
      about={
        <>
          <span title={path}>{words.changes.writes(writes)}</span>
          <span>{words.common.client(client)}</span>
          <RelativeTime at={at} now={now} />
        </>
      }
    >
      {hash !== null && (
        <Button
          aria-label={kept === null ? words.changes.deleteOf(shown) : words.changes.revertOf(shown)}
          onPress={() => setAsking(true)}
        >
          {kept === null ? words.changes.delete : words.changes.revert}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={kept === null ? words.changes.deleteAsked(shown) : words.changes.putBackAsked(shown)}
          confirm={kept === null ? words.changes.deleteNow(shown) : words.changes.revertNow(shown)}
          onConfirm={() => void actions.changes.revertFile(session, change)}
          onClose={() => setAsking(false)}
        >
          {kept === null ? words.changes.deleteAbout : words.changes.putFileBackAbout}
        </ConfirmDialog>
      )}
    </ChangeRow>
  );
}

function markOf({ kept, hash }: FileChange, { changes: { fileMarks } }: Words): Mark {
  const mark = (icon: LucideIcon, tone: Mark['tone'], word: string): Mark => ({ icon, tone, word });
  if (hash === null) return mark(Trash2, 'bad', fileMarks.gone);
  return kept === null ? mark(FilePlus, 'good', fileMarks.new) : mark(Pencil, 'warn', fileMarks.edited);
}
