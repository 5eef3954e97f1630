/** A definition that was added, redefined or removed; it can be written to a file, put back, and browsed. */
import { CircleDashed, type LucideIcon, Minus, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { nameInProject } from '../parts/format';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useServices } from '../services';
import { ChangeRow, EvaluationLink } from './change-row';

const MARKS: Readonly<Record<DefinitionChange['what'], { icon: LucideIcon; tone: 'good' | 'warn' | 'bad' }>> =
  {
    added: { icon: Plus, tone: 'good' },
    redefined: { icon: Pencil, tone: 'warn' },
    removed: { icon: Minus, tone: 'bad' },
  };

/** Whether no file holds it as it is, and one can. */
export function isWritable({ saved, writeAs }: DefinitionChange): boolean {
  return saved === false && writeAs !== null;
}

interface DefinitionRowProps {
  session: SessionView;
  change: DefinitionChange;
  since: string;
  now: number;
  isOpen: boolean;
  /** Asks which file it shall be written to. */
  onWrite: () => void;
}

export function DefinitionRow({ session, change, since, now, isOpen, onWrite }: DefinitionRowProps) {
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  const { title, what, file, saved, revertible, evaluation, client, at, diff } = change;
  const shown = file && nameInProject(file.path, session.project);
  return (
    <ChangeRow
      name={title}
      mark={
        <>
          <StateMark {...MARKS[what]} word={what} />
          {saved === false && (
            <StateMark icon={CircleDashed} tone="quiet" word={file ? 'not in its file' : 'in no file'} />
          )}
        </>
      }
      diff={diff}
      isOpen={isOpen}
      about={
        <>
          {file && <span title={file.path}>{`${shown}:${file.line}`}</span>}
          <span>
            {client}, <EvaluationLink evaluation={evaluation} />
          </span>
          <RelativeTime at={at} now={now} />
        </>
      }
    >
      {isWritable(change) && file && (
        <Button
          aria-label={`Write to ${shown?.slice(shown.lastIndexOf('/') + 1)}: ${title}`}
          onPress={() => void actions.changes.write(session, [{ path: file.path, definitions: [change] }])}
        >
          Write to {shown?.slice(shown.lastIndexOf('/') + 1)}
        </Button>
      )}
      {isWritable(change) && !file && (
        <Button aria-label={`Write ${title} to a file…`} onPress={onWrite}>
          Write…
        </Button>
      )}
      {revertible && (
        <Button aria-label={`Revert ${title}…`} onPress={() => setAsking(true)}>
          Revert…
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={what === 'added' ? `Take “${title}” away?` : `Put “${title}” back?`}
          confirm={`Revert ${title}`}
          onConfirm={() => void actions.changes.revert(session, change, since)}
          onClose={() => setAsking(false)}
        >
          {what === 'added'
            ? 'It is removed from the session, by an evaluation that the history has.'
            : 'What it was before is evaluated again in the session, and the history has both.'}{' '}
          {file && 'No file is changed.'}
        </ConfirmDialog>
      )}
    </ChangeRow>
  );
}
