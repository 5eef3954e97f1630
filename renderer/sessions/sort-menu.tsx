/** By what the list of sessions is sorted: chosen again, it is turned round. */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useViewState, useWords } from '../services';
import type { SessionColumn } from '../view-state';
import { sortedBy } from './session-list';

const COLUMNS: readonly SessionColumn[] = [
  'name',
  'age',
  'idle',
  'memory',
  'state',
  'engine',
  'client',
  'trust',
];

export function SortMenu() {
  const words = useWords();
  const { viewState } = useServices();
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const Arrow = sort.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <MenuTrigger>
      <IconButton icon={ArrowUpDown} label={words.sessions.sort} />
      <Menu label={words.sessions.sort}>
        {COLUMNS.map((column) => (
          <MenuItem
            key={column}
            title={words.sessions.columns[column].title}
            mark={
              column === sort.column && (
                <Arrow size={12} aria-label={words.sessions.directions[sort.direction]} />
              )
            }
            about={words.sessions.columns[column].about}
            onChoose={() => viewState.setState({ sessionSort: sortedBy(column, sort) })}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
