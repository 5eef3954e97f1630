/** The menu that writes the evaluations of the list into a file. */
import { Download } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { ExportFormat, HistoryFilter } from '../../electron/contract/history';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useWords } from '../services';

const FORMATS: readonly ExportFormat[] = ['lisp', 'clj', 'ipynb', 'md'];

/** @param filter of the list; of many evaluations the newest 2,000 are written */
export function ExportMenu({ filter }: { filter: HistoryFilter }) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Download} label={words.history.export} />
      <Menu label={words.history.export}>
        {FORMATS.map((format) => (
          <MenuItem
            key={format}
            title={words.history.formats[format].title}
            about={words.history.formats[format].about}
            onChoose={() => void actions.exportHistory(filter, format)}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
