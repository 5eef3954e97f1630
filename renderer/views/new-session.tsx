/** "New session": with the default engine at once, or with another one from the list beside it. */
import { ChevronDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { EngineFound, EngineName } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { useCommand, useLive, useServices } from '../services';
import styles from './new-session.module.css';

export function NewSession() {
  const { actions } = useServices();
  const { shortcut } = useCommand('session:open');
  const status = useLive((state) => state.status);
  const [opening, setOpening] = useState(false);
  const open = (engine?: EngineName) => {
    setOpening(true);
    void actions.openSession(engine).finally(() => setOpening(false));
  };
  const disabled = opening || status === null;
  return (
    <div className={styles.split}>
      <Button kind="primary" icon={Plus} shortcut={shortcut} isDisabled={disabled} onPress={() => open()}>
        New session
      </Button>
      <MenuTrigger>
        <AriaButton
          aria-label="New session with another engine"
          isDisabled={disabled}
          className={styles.more ?? ''}
        >
          <ChevronDown size={14} aria-hidden />
        </AriaButton>
        <EngineMenu
          engines={status?.engines.filter(({ servers }) => servers === undefined) ?? []}
          standard={status?.defaultEngine ?? null}
          onChoose={open}
        />
      </MenuTrigger>
    </div>
  );
}

interface EngineMenuProps {
  engines: readonly EngineFound[];
  standard: EngineName | null;
  onChoose: (engine: EngineName) => void;
}

function EngineMenu({ engines, standard, onChoose }: EngineMenuProps) {
  return (
    <Popover placement="bottom end" className={styles.popover ?? ''}>
      <Menu
        aria-label="Engines"
        className={styles.menu ?? ''}
        disabledKeys={engines.filter(({ available }) => !available).map(({ engine }) => engine)}
      >
        {engines.map(({ engine, available, version, reason }) => (
          <MenuItem
            key={engine}
            id={engine}
            textValue={engineTitle(engine)}
            className={styles.item ?? ''}
            onAction={() => onChoose(engine)}
          >
            <span>
              {engineTitle(engine)}
              {engine === standard && <span className={styles.standard}> default</span>}
            </span>
            <span className={styles.reason}>{available ? version : reason}</span>
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
