/** Messages of late, read again. */
import { Button } from './parts/button';
import { Dialog } from './parts/dialog';
import { RelativeTime, useNow } from './parts/time';
import styles from './toast-list.module.css';
import type { Toast } from './toasts';

export function PastToasts({ past, onClose }: { past: readonly Toast[]; onClose: () => void }) {
  const now = useNow(10_000);
  const close = (
    <Button onPress={onClose} autoFocus>
      Close
    </Button>
  );
  return (
    <Dialog title="Earlier messages" onClose={onClose} buttons={close}>
      {past.length === 0 ? (
        <p>None since this window was opened.</p>
      ) : (
        <ul className={styles.past} aria-label="Earlier messages">
          {past.map(({ id, tone, text, at }) => (
            <li key={id} data-tone={tone}>
              <p>{text}</p>
              <RelativeTime at={at} now={now} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
