/** By what the list of sessions is sorted: chosen again, it is turned round. */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useViewState } from '../services';
import type { SessionColumn } from '../view-state';
import { sortedBy } from './session-list';

const COLUMNS: readonly { column: SessionColumn; title: string; about: string }[] = [
  { column: 'name', title: 'Name', about: 'In the order of the alphabet' },
  { column: 'age', title: 'Age', about: 'The youngest first' },
  { column: 'idle', title: 'Idle', about: 'What works now, then what was used last' },
  { column: 'memory', title: 'Memory', about: 'The largest first' },
  { column: 'state', title: 'State', about: 'What runs, what is held, what waits, together' },
  { column: 'engine', title: 'Engine', about: 'Engines together' },
  { column: 'client', title: 'Client', about: 'Those of a client together' },
  { column: 'trust', title: 'Trust', about: 'First what rests on most' },
];

export function SortMenu() {
  const { viewState } = useServices();
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const Arrow = sort.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <MenuTrigger>
      <IconButton icon={ArrowUpDown} label="Sort sessions" />
      <Menu label="Sort sessions">
        {COLUMNS.map(({ column, title, about }) => (
          <MenuItem
            key={column}
            title={title}
            mark={column === sort.column && <Arrow size={12} aria-label={sort.direction} />}
            about={about}
            onChoose={() => viewState.setState({ sessionSort: sortedBy(column, sort) })}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
