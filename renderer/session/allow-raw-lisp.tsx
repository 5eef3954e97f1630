/** Asks a person before code of a prover's session may go below the logic, and says what that means. */
import type { SessionView } from '../../electron/contract/model';
import { ConfirmDialog } from '../parts/dialog';
import { useServices } from '../services';
import styles from './session-menu.module.css';

interface AllowRawLispProps {
  session: SessionView;
  onClose: () => void;
}

export function AllowRawLisp({ session: { id, name }, onClose }: AllowRawLispProps) {
  const { actions } = useServices();
  return (
    <ConfirmDialog
      title={`Allow raw Lisp in “${name}”?`}
      confirm={`Allow raw Lisp in ${name}`}
      onConfirm={() => void actions.allowRawLisp(id)}
      onClose={onClose}
      details={
        <ul className={styles.meanings}>
          <li>Every result from now on, and the session itself, is marked “raw Lisp allowed”.</li>
          <li>
            Books of the project are then included with their compiled files, which are raw Lisp as well.
          </li>
          <li>It cannot be taken back: it holds until the image of this session ends.</li>
          <li>Proofs that have to be believed are to be done again in another session.</li>
        </ul>
      }
    >
      Code can then use trust tags, and through them change the prover itself: it may say “proved” of what is
      false, and nobody could tell. Whoever sends code to this session, agents included, gets that power.
    </ConfirmDialog>
  );
}
