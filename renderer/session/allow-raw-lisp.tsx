/** Asks a person before code of a prover's session may go below the logic, and says what that means. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { useServices, useWords } from '../services';
import styles from './session-menu.module.css';

interface AllowRawLispProps {
  session: SessionView;
  onClose: () => void;
}

export function AllowRawLisp({ session: { id, name }, onClose }: AllowRawLispProps) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <ConfirmDialog
      title={words.session.rawLispAsked(name)}
      confirm={words.session.rawLispNow(name)}
      onConfirm={() => void actions.allowRawLisp(id)}
      onClose={onClose}
      details={
        <ul className={styles.meanings}>
          {words.session.rawLispMeans.map((meaning) => (
            <li key={meaning}>{meaning}</li>
          ))}
        </ul>
      }
    >
      {words.session.rawLispAbout}
    </ConfirmDialog>
  );
}
