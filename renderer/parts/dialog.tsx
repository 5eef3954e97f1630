/** A dialog over the window: its title, its content, and its buttons at the lower right. */
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWords } from '../services';
import { Button } from './button';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
  buttons: ReactNode;
}

/** Open as long as it is rendered; Escape or a click beside it asks to close it. */
export function Dialog({ title, onClose, wide = false, children, buttons }: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className={styles.veil ?? ''}
    >
      <Modal className={styles.modal ?? ''} data-wide={wide || undefined}>
        <AriaDialog className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <div className={styles.content}>{children}</div>
          <div className={styles.buttons}>{buttons}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  title: string;
  /** The verb with the name of the thing, so that nobody acts on the wrong one. */
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
  /** What follows the sentence, such as a list. */
  details?: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, confirm, onConfirm, onClose, children, details }: ConfirmProps) {
  const words = useWords();
  const buttons = (
    <>
      <Button onPress={onClose} autoFocus>
        {words.common.cancel}
      </Button>
      <Button
        kind="danger"
        onPress={() => {
          onConfirm();
          onClose();
        }}
      >
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} buttons={buttons}>
      <p>{children}</p>
      {details}
    </Dialog>
  );
}
