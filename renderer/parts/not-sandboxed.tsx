/** Says that nothing confines images, and why: as a warning until a person accepts that reason, quietly from then on. */
import { Check, ShieldAlert, ShieldOff } from 'lucide-react';
import type { SandboxReport } from '../../electron/contract/model';
import { useSettings } from '../bridge-queries';
import { useServices, useWords } from '../services';
import { Button } from './button';
import styles from './not-sandboxed.module.css';

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

/** The reason as results tell it, and as it is accepted. */
export function sandboxReason({ reason = 'no sandbox on this system' }: SandboxReport): string {
  return reason;
}
