/** The menu that copies what was asked, as a form or as the call that asks it. */
import { Copy } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useWords } from '../services';

interface CopyMenuProps {
  /** The code; absent for a call that has none. */
  form?: string;
  call: string;
}

export function CopyMenu({ form, call }: CopyMenuProps) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Copy} label={words.history.copy} />
      <Menu label={words.history.copy}>
        {form !== undefined && (
          <MenuItem
            title={words.history.copyForm}
            about={words.history.copyFormAbout}
            onChoose={() => void actions.copy(form, words.copying.form)}
          />
        )}
        <MenuItem
          title={words.history.copyCall}
          about={words.history.copyCallAbout}
          onChoose={() => void actions.copy(call, words.copying.call)}
        />
      </Menu>
    </MenuTrigger>
  );
}
