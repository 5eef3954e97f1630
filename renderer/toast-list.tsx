/** The messages at the lower edge of the window, announced to screen readers. */

import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useStore } from 'zustand';
import { Button, IconButton } from './parts/button';
import { Dialog } from './parts/dialog';
import { RelativeTime, useNow } from './parts/text';
import { useServices, useWords } from './services';
import styles from './toast-list.module.css';
import type { Toast } from './toasts';

/**
 * Reports whether a message is hovered or focused. Queries the document, because there is no leave event for
 * a removed element.
 */
export function isToastLookedAt(): boolean {
  return document.querySelector('[data-toast]:is(:hover, :focus-within)') !== null;
}

export function ToastList() {
  const words = useWords();
  const { toastList, toasts } = useServices();
  const { shown, past, isReading } = useStore(toastList);
  return (
    <section className={styles.toasts} aria-label={words.window.messages}>
      {isReading && <PastToasts past={past} onClose={() => toasts.showAll(false)} />}
      <div role="status">
        {shown.map(({ id, tone, text, action }) => (
          <div key={id} className={styles.toast} data-toast data-tone={tone}>
            {tone === 'done' ? (
              <CircleCheck size={14} aria-hidden />
            ) : (
              <TriangleAlert size={14} aria-hidden />
            )}
            <p>{text}</p>
            {action && (
              <Button
                onPress={() => {
                  toasts.dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton icon={X} label={words.window.dismiss} onPress={() => toasts.dismiss(id)} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The dialog with earlier messages. */
function PastToasts({ past, onClose }: { past: readonly Toast[]; onClose: () => void }) {
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
