/** "New session": with the default engine at once, or from the list beside it with another one or a checkpoint. */
import { ChevronDown, Plus } from 'lucide-react';
import { useState } from 'react';
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components';
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { EngineFound, EngineName } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { engineTitle, formatBytes } from '../parts/format';
import { RelativeTime, useNow } from '../parts/time';
import { useCheckpoints } from '../queries';
import { useCommand, useLive, useServices } from '../services';
import styles from './new-session.module.css';

export function NewSession() {
  const { actions } = useServices();
  const { shortcut } = useCommand('session:open');
  const status = useLive((state) => state.status);
  const { data: checkpoints = [] } = useCheckpoints();
  const [opening, setOpening] = useState(false);
  const show = (opened: Promise<void>) => {
    setOpening(true);
    void opened.finally(() => setOpening(false));
  };
  const disabled = opening || status === null;
  return (
    <div className={styles.split}>
      <Button
        kind="primary"
        icon={Plus}
        shortcut={shortcut}
        isDisabled={disabled}
        onPress={() => show(actions.openSession())}
      >
        New session
      </Button>
      <MenuTrigger>
        <AriaButton
          aria-label="New session with another engine or from a checkpoint"
          isDisabled={disabled}
          className={styles.more ?? ''}
        >
          <ChevronDown size={14} aria-hidden />
        </AriaButton>
        <Popover placement="bottom end" className={styles.popover ?? ''}>
          <Choices
            engines={status?.engines.filter(({ servers }) => servers === undefined) ?? []}
            standard={status?.defaultEngine ?? null}
            checkpoints={checkpoints.filter(({ project }) => project === status?.project)}
            onEngine={(engine) => show(actions.openSession(engine))}
            onCheckpoint={(id) => show(actions.openCheckpoint(id))}
          />
        </Popover>
      </MenuTrigger>
    </div>
  );
}

interface ChoicesProps {
  engines: readonly EngineFound[];
  standard: EngineName | null;
  /** Those of the project in which new sessions work, newest first. */
  checkpoints: readonly CheckpointView[];
  onEngine: (engine: EngineName) => void;
  onCheckpoint: (id: number) => void;
}

function Choices({ engines, standard, checkpoints, onEngine, onCheckpoint }: ChoicesProps) {
  return (
    <Menu
      aria-label="New session"
      className={styles.menu ?? ''}
      disabledKeys={engines.filter(({ available }) => !available).map(({ engine }) => engine)}
    >
      <MenuSection aria-label="Engines">
        {engines.map((found) => (
          <EngineItem
            key={found.engine}
            found={found}
            standard={found.engine === standard}
            onChoose={() => onEngine(found.engine)}
          />
        ))}
      </MenuSection>
      {checkpoints.length > 0 && (
        <MenuSection className={styles.section ?? ''}>
          <Header className={styles.heading ?? ''}>From a checkpoint</Header>
          {checkpoints.map((checkpoint) => (
            <CheckpointItem
              key={checkpoint.id}
              checkpoint={checkpoint}
              onChoose={() => onCheckpoint(checkpoint.id)}
            />
          ))}
        </MenuSection>
      )}
    </Menu>
  );
}

interface EngineItemProps {
  found: EngineFound;
  standard: boolean;
  onChoose: () => void;
}

function EngineItem({ found: { engine, available, version, reason }, standard, onChoose }: EngineItemProps) {
  return (
    <MenuItem id={engine} textValue={engineTitle(engine)} className={styles.item ?? ''} onAction={onChoose}>
      <span>
        {engineTitle(engine)}
        {standard && <span className={styles.standard}> default</span>}
      </span>
      <span className={styles.about}>{available ? version : reason}</span>
    </MenuItem>
  );
}

interface CheckpointItemProps {
  checkpoint: CheckpointView;
  onChoose: () => void;
}

function CheckpointItem({
  checkpoint: { id, name, engine, client, bytes, savedAt },
  onChoose,
}: CheckpointItemProps) {
  const now = useNow(10_000);
  return (
    <MenuItem id={id} textValue={name} className={styles.item ?? ''} onAction={onChoose}>
      <span>{name}</span>
      <span className={styles.about}>
        {engineTitle(engine)} · {client} · {formatBytes(bytes)} · <RelativeTime at={savedAt} now={now} />
      </span>
    </MenuItem>
  );
}
