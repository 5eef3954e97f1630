/** Says that nothing confines images, and why: as a warning until a person accepts that reason, quietly from then on. */
import { Check, ShieldAlert, ShieldOff } from 'lucide-react';
import type { SandboxReport } from '../../electron/contract/model';
import { useSettings } from '../bridge-queries';
import { useServices } from '../services';
import { Button } from './button';
import styles from './not-sandboxed.module.css';

export function NotSandboxed({ reason }: { reason: string }) {
  const { actions } = useServices();
  const { data } = useSettings();
  if (!data) return null;
  const accepted = data.acceptedUnsandboxed;
  const others = accepted.filter((each) => each !== reason);
  const change = (next: string[]) => void actions.changeSettings({ acceptedUnsandboxed: next });
  return accepted.includes(reason) ? (
    <div className={styles.quiet}>
      <ShieldOff size={15} aria-hidden />
      <p>Not sandboxed: {reason}. You have accepted that.</p>
      <Button onPress={() => change(others)} aria-label={`Warn again: ${reason}`}>
        Warn again
      </Button>
    </div>
  ) : (
    <div className={styles.warning} role="note" aria-label="Not sandboxed">
      <ShieldAlert size={15} aria-hidden />
      <p>Not sandboxed: {reason}.</p>
      <p className={styles.about}>
        Nothing confines what is evaluated: it can read and change every file that its process may, start
        programs and use the network. Each result says “not sandboxed” until you accept that. Should the
        reason change, you will be asked anew.
      </p>
      <Button icon={Check} onPress={() => change([...others, reason])} aria-label={`Accept: ${reason}`}>
        Accept
      </Button>
    </div>
  );
}

/** The reason as results tell it, and as it is accepted. */
export function sandboxReason({ reason = 'no sandbox on this system' }: SandboxReport): string {
  return reason;
}
