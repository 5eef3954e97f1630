/** Asks before commands of a world are undone, naming each. */
import type { SessionView } from '../../electron/contract/model';
import type { WorldCommand } from '../../electron/contract/world';
import { ConfirmDialog } from '../parts/dialog';
import { count } from '../parts/format';
import { useServices } from '../services';
import { titleOf } from './command-title';
import styles from './undo-dialog.module.css';

/** `to`: everything after the command goes. `alone`: it goes, and those after it are submitted again. */
export type UndoKind = 'to' | 'alone';

interface UndoDialogProps {
  session: SessionView;
  command: WorldCommand;
  later: readonly WorldCommand[];
  kind: UndoKind;
  onClose: () => void;
}

export function UndoDialog(props: UndoDialogProps) {
  return props.kind === 'to' ? <UndoTo {...props} /> : <TakeOut {...props} />;
}

function UndoTo({ session, command, later, onClose }: UndoDialogProps) {
  const { actions } = useServices();
  const { number } = command;
  return (
    <ConfirmDialog
      title={`Undo to command ${number}?`}
      confirm={`Undo ${count(later.length, 'command')}`}
      onConfirm={() => void actions.undoTo(session, number, later.length)}
      onClose={onClose}
      details={<Commands label="What would be undone" commands={later} />}
    >
      The world of “{session.name}” goes back to just after {titleOf(command)}. The history keeps what is
      undone.
    </ConfirmDialog>
  );
}

function TakeOut({ session, command, later, onClose }: UndoDialogProps) {
  const { actions } = useServices();
  const { number } = command;
  return (
    <ConfirmDialog
      title={`Take out command ${number}?`}
      confirm={`Take out ${number}`}
      onConfirm={() => void actions.takeOut(session, number)}
      onClose={onClose}
      details={later.length > 0 && <Commands label="What would be proved again" commands={later} />}
    >
      {titleOf(command)} goes from the world of “{session.name}”.{' '}
      {later.length > 0 &&
        'What follows is submitted again, its proofs included; what does not stand without it goes as well and is told.'}
    </ConfirmDialog>
  );
}

function Commands({ label, commands }: { label: string; commands: readonly WorldCommand[] }) {
  return (
    <ol className={styles.commands} aria-label={label}>
      {commands.map((command) => (
        <li key={command.number}>
          <span>{command.number}</span> <code>{titleOf(command)}</code>
        </li>
      ))}
    </ol>
  );
}
