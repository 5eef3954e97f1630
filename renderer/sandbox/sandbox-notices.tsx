/**
 * A file access that was refused, with buttons to allow or dismiss it; and the warning about a missing
 * sandbox.
 */

import { Ban, Check, ShieldAlert, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import type { Refusal } from '../../electron/contract/approvals';
import type { SandboxReport } from '../../electron/contract/model';
import { useSettings } from '../bridge-queries';
import { Button } from '../parts/button';
import { shortenPath } from '../parts/format';
import { Row } from '../parts/list';
import { Outside, RelativeTime, Sentence } from '../parts/text';
import { useServices, useWords } from '../services';
import { AllowDialog } from './allow-dialog';
import styles from './sandbox-notices.module.css';

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
        onPress={() => void actions.harbor.needs.dismiss({ id })}
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

/** Warns that images are not sandboxed, until the user accepts the reason. */
export function NotSandboxed({ reason }: { reason: string }) {
  const words = useWords();
  const { actions } = useServices();
  const { data } = useSettings();
  if (!data) return null;
  const accepted = data.acceptedUnsandboxed;
  const others = accepted.filter((each) => each !== reason);
  const change = (next: string[]) => void actions.changeSettings({ acceptedUnsandboxed: next });
  return accepted.includes(reason) ? (
    <div className={styles.quiet}>
      <ShieldOff size={15} aria-hidden />
      <p>{words.parts.accepted(reason)}</p>
      <Button onPress={() => change(others)} aria-label={words.parts.warnAgainOf(reason)}>
        {words.parts.warnAgain}
      </Button>
    </div>
  ) : (
    <div className={styles.warning} role="note" aria-label={words.parts.notSandboxed}>
      <ShieldAlert size={15} aria-hidden />
      <p>{words.parts.notSandboxedFor(reason)}</p>
      <p className={styles.about}>{words.parts.notSandboxedAbout}</p>
      <Button
        icon={Check}
        onPress={() => change([...others, reason])}
        aria-label={words.parts.acceptOf(reason)}
      >
        {words.parts.accept}
      </Button>
    </div>
  );
}

/** The reason as shown in results and as accepted. */
export function sandboxReason({ reason = 'no sandbox on this system' }: SandboxReport): string {
  return reason;
}
