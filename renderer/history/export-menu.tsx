/** The menu that writes the evaluations of the list into a file. */
import { Download } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { ExportFormat, HistoryFilter } from '../../electron/contract/history';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices } from '../services';

const FORMATS: readonly { format: ExportFormat; title: string; about: string }[] = [
  {
    format: 'lisp',
    title: 'As Lisp source…',
    about: 'What went well can be loaded; the rest is in comments',
  },
  { format: 'clj', title: 'As Clojure source…', about: 'The same for Clojure’s engines' },
  { format: 'ipynb', title: 'As a notebook…', about: 'For Jupyter, with values and output' },
  { format: 'md', title: 'As Markdown…', about: 'To be read, with values and output' },
];

/** @param filter of the list; of many evaluations the newest 2,000 are written */
export function ExportMenu({ filter }: { filter: HistoryFilter }) {
  const { actions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Download} label="Export evaluations" />
      <Menu label="Export evaluations">
        {FORMATS.map(({ format, title, about }) => (
          <MenuItem
            key={format}
            title={title}
            about={about}
            onChoose={() => void actions.exportHistory(filter, format)}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
