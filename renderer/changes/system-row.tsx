/** A system that the session loaded. */
import { Package } from 'lucide-react';
import type { SystemChange } from '../../electron/contract/changes';
import { Sentence } from '../parts/sentence';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useWords } from '../services';
import { ChangeRow, EvaluationLink } from './change-row';

export function SystemRow({ change, now }: { change: SystemChange; now: number }) {
  const words = useWords();
  const { name, client, evaluation, at } = change;
  return (
    <ChangeRow
      name={name}
      mark={<StateMark icon={Package} tone="quiet" word={words.changes.loaded} />}
      about={
        <>
          <span>
            <Sentence of={words.changes.by(client, <EvaluationLink evaluation={evaluation} />)} />
          </span>
          <RelativeTime at={at} now={now} />
        </>
      }
    />
  );
}
