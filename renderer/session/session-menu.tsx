/** Everything that can be done with a session, in one menu. */
import { Ellipsis } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useWords } from '../services';

interface SessionMenuProps {
  session: SessionView;
  /** The name of its button. */
  label: string;
}

export function SessionMenu({ session, label }: SessionMenuProps) {
  const words = useWords();
  const { acts } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} label={label} />
      <Menu label={label}>
        {acts
          .filter(({ offered }) => offered?.(session) ?? true)
          .map(({ id, title, about, enabled, run }) => (
            <MenuItem
              key={id}
              title={title(words, session)}
              about={about(words, session)}
              isDisabled={!enabled(session)}
              onChoose={() => void run(session)}
            />
          ))}
      </Menu>
    </MenuTrigger>
  );
}
