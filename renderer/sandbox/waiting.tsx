/** What waits for a person here: questions of agents, which are answered in the lower corner, and files that were refused lately. */
import { MessageCircleQuestion } from 'lucide-react';
import { Outside } from '../parts/outside';
import { Row, Rows } from '../parts/rows';
import { Sentence } from '../parts/sentence';
import { RelativeTime, useNow } from '../parts/time';
import { useLive, useWords } from '../services';
import { RefusedFile } from './refused-file';
import styles from './sandbox-view.module.css';

export function Waiting() {
  const words = useWords();
  const now = useNow(10_000);
  const needs = useLive((state) => state.needs.needs);
  const waiting = needs.filter(({ kind }) => kind === 'approval' || kind === 'refused');
  if (waiting.length === 0) return null;
  return (
    <div className={styles.waiting}>
      <Rows title={words.sandbox.needsYou}>
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
                  <Sentence
                    of={words.sandbox.wants(
                      <b>
                        <Outside>{need.client}</Outside>
                      </b>,
                      words.approvals.wish(need.tool, need.wish),
                    )}
                  />
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
