/** Definitions that have changed. */
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { useWords } from '../services';
import { DefinitionRow } from './definition-row';
import { CHANGE_HEIGHT, RowGroup } from './row-group';

/** So many changes are shown with their differences; of more the differences are asked for one by one. */
const SHOWN_OPEN = 12;

interface DefinitionRowsProps {
  session: SessionView;
  definitions: readonly DefinitionChange[];
  since: string;
  now: number;
  onWrite: (definition: DefinitionChange) => void;
}

export function DefinitionRows({ definitions, onWrite, ...shared }: DefinitionRowsProps) {
  const words = useWords();
  const isOpenAtFirst = ({ what }: DefinitionChange) =>
    what === 'redefined' && definitions.length <= SHOWN_OPEN;
  return (
    <RowGroup
      title={words.changes.definitions}
      items={definitions}
      keyOf={({ key }) => key}
      usualHeight={CHANGE_HEIGHT}
    >
      {(change, placed, { isOpen = isOpenAtFirst(change), onFold }) => (
        <DefinitionRow
          {...shared}
          change={change}
          isOpen={isOpen}
          onFold={onFold}
          placed={placed}
          onWrite={() => onWrite(change)}
        />
      )}
    </RowGroup>
  );
}
