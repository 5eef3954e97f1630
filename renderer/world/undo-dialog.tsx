/** Asks before commands of a world are undone, naming each. */
import type { SessionView } from '../../electron/contract/model';
import type { WorldCommand } from '../../electron/contract/world';
import { ConfirmDialog } from '../parts/dialog';
import { useServices, useWords } from '../services';
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
  const words = useWords();
  const { actions } = useServices();
  const { number } = command;
  return (
    <ConfirmDialog
      title={words.world.undoToAsked(number)}
      confirm={words.world.undoNow(later.length)}
      onConfirm={() => void actions.undoTo(session, number, later.length)}
      onClose={onClose}
      details={<Commands label={words.world.wouldBeUndone} commands={later} />}
    >
      {words.world.undoToAbout(session.name, titleOf(command, words))}
    </ConfirmDialog>
  );
}

function TakeOut({ session, command, later, onClose }: UndoDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const { number } = command;
  return (
    <ConfirmDialog
      title={words.world.takeOutAsked(number)}
      confirm={words.world.takeOutNow(number)}
      onConfirm={() => void actions.takeOut(session, number)}
      onClose={onClose}
      details={later.length > 0 && <Commands label={words.world.wouldBeProved} commands={later} />}
    >
      {words.world.takeOutAbout(titleOf(command, words), session.name)}
      {later.length > 0 && words.world.takeOutFollows}
    </ConfirmDialog>
  );
}

function Commands({ label, commands }: { label: string; commands: readonly WorldCommand[] }) {
  const words = useWords();
  return (
    <ol className={styles.commands} aria-label={label}>
      {commands.map((command) => (
        <li key={command.number}>
          <span>{command.number}</span> <code>{titleOf(command, words)}</code>
        </li>
      ))}
    </ol>
  );
}
