/** A file that was refused to a client: told, and allowed or not. */
import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Refusal } from '../../electron/contract/needs';
import { Button } from '../parts/button';
import { shortenPath } from '../parts/format';
import { Outside } from '../parts/outside';
import { Row } from '../parts/rows';
import { Sentence } from '../parts/sentence';
import { RelativeTime } from '../parts/time';
import { useServices, useWords } from '../services';
import { AllowDialog } from './allow-dialog';

export function RefusedFile({ refusal, now }: { refusal: Refusal; now: number }) {
  const words = useWords();
  const { actions } = useServices();
  const [isAllowing, setAllowing] = useState(false);
  const { id, client, path, use, tool, times, at } = refusal;
  const short = shortenPath(path, 56);
  return (
    <Row
      icon={Ban}
      tone="bad"
      title={
        <Sentence
          of={words.sandbox.refused(
            <b>
              <Outside>{client}</Outside>
            </b>,
            <code title={path}>{short}</code>,
          )}
        />
      }
      about={
        <Sentence of={words.sandbox.refusedAbout(use, tool, times, <RelativeTime at={at} now={now} />)} />
      }
    >
      <Button
        onPress={() => void actions.sandbox.dismissRefusal(id)}
        aria-label={words.sandbox.noOf(client, use, short)}
      >
        {words.sandbox.no}
      </Button>
      <Button onPress={() => setAllowing(true)} aria-label={words.sandbox.allowOf(short)}>
        {words.sandbox.allowMore}
      </Button>
      {isAllowing && <AllowDialog refusal={refusal} onClose={() => setAllowing(false)} />}
    </Row>
  );
}
