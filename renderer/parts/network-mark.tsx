/** Says of a confined session that its code may open network connections, which most may not: a shape and a word. */
import { Globe } from 'lucide-react';
import type { SessionView } from '../../electron/contract/model';
import styles from './network-mark.module.css';

export function NetworkMark({ sandbox }: Pick<SessionView, 'sandbox'>) {
  if (!sandbox.network) return null;
  return (
    <span className={styles.mark} title="Its code may open network connections">
      <Globe size={13} aria-hidden />
      network
    </span>
  );
}
