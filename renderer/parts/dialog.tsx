/** A modal dialog: title, content, and buttons at the lower right. */
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

/** Open while it is rendered. Escape and a click outside call `onClose`. */
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
  /** Label of the confirming button: verb and object. */
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
  /** Content after the sentence, such as a list. */
  details?: ReactNode;
}

/** Confirms an action that cannot be undone. */
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
