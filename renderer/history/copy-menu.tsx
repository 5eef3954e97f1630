/** The menu that copies what was asked, as a form or as the call that asks it. */
import { Copy } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices } from '../services';

interface CopyMenuProps {
  /** The code; absent for a call that has none. */
  form?: string;
  call: string;
}

export function CopyMenu({ form, call }: CopyMenuProps) {
  const { actions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Copy} label="Copy" />
      <Menu label="Copy">
        {form !== undefined && (
          <MenuItem
            title="Copy as form"
            about="The code as it was evaluated"
            onChoose={() => void actions.copy(form, 'form')}
          />
        )}
        <MenuItem
          title="Copy as MCP call"
          about="The request that a client would send"
          onChoose={() => void actions.copy(call, 'call')}
        />
      </Menu>
    </MenuTrigger>
  );
}
