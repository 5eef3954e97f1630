/** What waits for a person here: questions of agents, which are answered in the lower corner, and files that were refused lately. */
import { MessageCircleQuestion } from 'lucide-react';
import { Outside } from '../parts/outside';
import { Row, Rows } from '../parts/rows';
import { RelativeTime, useNow } from '../parts/time';
import { useLive } from '../services';
import { RefusedFile } from './refused-file';
import styles from './sandbox-view.module.css';

export function Waiting() {
  const now = useNow(10_000);
  const needs = useLive((state) => state.needs.needs);
  const waiting = needs.filter(({ kind }) => kind === 'approval' || kind === 'refused');
  if (waiting.length === 0) return null;
  return (
    <div className={styles.waiting}>
      <Rows title="Needs you">
        <ul>
          {waiting.map((need) => {
            if (need.kind === 'refused')
              return <RefusedFile key={need.key} refusal={need.refusal} now={now} />;
            if (need.kind !== 'approval') return null;
            return (
              <Row
                key={need.key}
                icon={MessageCircleQuestion}
                tone="warn"
                title={
                  <>
                    <b>
                      <Outside>{need.client}</Outside>
                    </b>{' '}
                    wants {need.wish}
                  </>
                }
                about={<RelativeTime at={need.at} now={now} />}
              />
            );
          })}
        </ul>
      </Rows>
    </div>
  );
}
