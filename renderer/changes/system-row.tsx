/** A system that the session loaded. */
import { Package } from 'lucide-react';
import type { SystemChange } from '../../electron/contract/changes';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { ChangeRow, EvaluationLink } from './change-row';

export function SystemRow({ change, now }: { change: SystemChange; now: number }) {
  const { name, client, evaluation, at } = change;
  return (
    <ChangeRow
      name={name}
      mark={<StateMark icon={Package} tone="quiet" word="loaded" />}
      about={
        <>
          <span>
            {client}, <EvaluationLink evaluation={evaluation} />
          </span>
          <RelativeTime at={at} now={now} />
        </>
      }
    />
  );
}
