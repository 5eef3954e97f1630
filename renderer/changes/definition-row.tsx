/** A definition that was added, redefined or removed; it can be written to a file, put back, and browsed. */
import { CircleDashed, type LucideIcon, Minus, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { nameInProject } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useServices, useWords } from '../services';
import { ChangeRow, Difference, EvaluationLink } from './change-row';
import type { Fold, PlacedRow } from './row-group';

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
  onFold: Fold['onFold'];
  placed: PlacedRow;
  /** Asks which file it shall be written to. */
  onWrite: () => void;
}

export function DefinitionRow({
  session,
  change,
  since,
  now,
  isOpen,
  onFold,
  placed,
  onWrite,
}: DefinitionRowProps) {
  const words = useWords();
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  const { title, what, file, saved, revertible, evaluation, client, at, diff } = change;
  const shown = file && nameInProject(file.path, session.project);
  return (
    <ChangeRow
      name={title}
      mark={
        <>
          <StateMark {...MARKS[what]} word={words.changes.marks[what]} />
          {saved === false && (
            <StateMark
              icon={CircleDashed}
              tone="quiet"
              word={file ? words.changes.notInItsFile : words.changes.inNoFile}
            />
          )}
        </>
      }
      below={<Difference name={title} diff={diff} />}
      isOpen={isOpen}
      onFold={onFold}
      placed={placed}
      about={
        <>
          {file && <span title={file.path}>{`${shown}:${file.line}`}</span>}
          <span>
            <Sentence
              of={words.changes.by(words.common.client(client), <EvaluationLink evaluation={evaluation} />)}
            />
          </span>
          <RelativeTime at={at} now={now} />
        </>
      }
    >
      {isWritable(change) && file && shown && (
        <Button
          aria-label={words.changes.writeToOf(shown.slice(shown.lastIndexOf('/') + 1), title)}
          onPress={() => void actions.changes.write(session, [{ path: file.path, definitions: [change] }])}
        >
          {words.changes.writeTo(shown.slice(shown.lastIndexOf('/') + 1))}
        </Button>
      )}
      {isWritable(change) && !file && (
        <Button aria-label={words.changes.writeOf(title)} onPress={onWrite}>
          {words.changes.write}
        </Button>
      )}
      {revertible && (
        <Button aria-label={words.changes.revertOf(title)} onPress={() => setAsking(true)}>
          {words.changes.revert}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={(what === 'added' ? words.changes.takeAwayAsked : words.changes.putBackAsked)(title)}
          confirm={words.changes.revertNow(title)}
          onConfirm={() => void actions.changes.revert(session, change, since)}
          onClose={() => setAsking(false)}
        >
          {what === 'added' ? words.changes.takeAwayAbout : words.changes.putBackAbout}
          {file && words.changes.noFileChanged}
        </ConfirmDialog>
      )}
    </ChangeRow>
  );
}
