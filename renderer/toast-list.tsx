/** The messages at the window's lower edge, read out as they come. */
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useStore } from 'zustand';
import { IconButton } from './parts/button';
import { PastToasts } from './past-toasts';
import { useServices, useWords } from './services';
import styles from './toast-list.module.css';

/** Whether the pointer or the keyboard is on a message. Asked of the page, which tells of no leaving where one is taken away. */
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
        {shown.map(({ id, tone, text }) => (
          <div key={id} className={styles.toast} data-toast data-tone={tone}>
            {tone === 'done' ? (
              <CircleCheck size={14} aria-hidden />
            ) : (
              <TriangleAlert size={14} aria-hidden />
            )}
            <p>{text}</p>
            <IconButton icon={X} label={words.window.dismiss} onPress={() => toasts.dismiss(id)} />
          </div>
        ))}
      </div>
    </section>
  );
}
