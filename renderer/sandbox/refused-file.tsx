/** A file that was refused to a client: told, and allowed or not. */
import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Refusal } from '../../electron/contract/needs';
import { Button } from '../parts/button';
import { count, shortenPath } from '../parts/format';
import { Outside } from '../parts/outside';
import { Row } from '../parts/rows';
import { RelativeTime } from '../parts/time';
import { useServices } from '../services';
import { AllowDialog } from './allow-dialog';

export function RefusedFile({ refusal, now }: { refusal: Refusal; now: number }) {
  const { actions } = useServices();
  const [isAllowing, setAllowing] = useState(false);
  const { id, client, path, use, tool, times, at } = refusal;
  const short = shortenPath(path, 56);
  return (
    <Row
      icon={Ban}
      tone="bad"
      title={
        <>
          <b>
            <Outside>{client}</Outside>
          </b>{' '}
          was refused <code title={path}>{short}</code>
        </>
      }
      about={
        <>
          to {use} it, by {tool} · {count(times, 'call')} · <RelativeTime at={at} now={now} /> · no entry of
          the allow-list lets it
        </>
      }
    >
      <Button
        onPress={() => void actions.sandbox.dismissRefusal(id)}
        aria-label={`No, ${client} is not to ${use} ${short}`}
      >
        No
      </Button>
      <Button onPress={() => setAllowing(true)} aria-label={`Allow… ${short}`}>
        Allow…
      </Button>
      {isAllowing && <AllowDialog refusal={refusal} onClose={() => setAllowing(false)} />}
    </Row>
  );
}
