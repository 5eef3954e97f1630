/** Messages of late, read again. */

import { Button } from './parts/button';
import { Dialog } from './parts/dialog';
import { RelativeTime, useNow } from './parts/time';
import { useWords } from './services';
import styles from './toast-list.module.css';
import type { Toast } from './toasts';

export function PastToasts({ past, onClose }: { past: readonly Toast[]; onClose: () => void }) {
  const words = useWords();
  const now = useNow(10_000);
  const close = (
    <Button onPress={onClose} autoFocus>
      {words.common.close}
    </Button>
  );
  return (
    <Dialog title={words.window.earlierMessages} onClose={onClose} buttons={close}>
      {past.length === 0 ? (
        <p>{words.window.noEarlierMessages}</p>
      ) : (
        <ul className={styles.past} aria-label={words.window.earlierMessages}>
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
