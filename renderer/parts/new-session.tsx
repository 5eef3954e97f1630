/** "New session": a button for the default engine, and a menu with other engines and checkpoints. */
import { ChevronDown, Plus } from 'lucide-react';
import { Button as AriaButton, MenuSection, MenuTrigger, VisuallyHidden } from 'react-aria-components';
import type { CheckpointView } from '../../electron/contract/changes';
import type { EngineFound, EngineName } from '../../electron/contract/model';
import { useCheckpoints } from '../bridge-queries';
import { useCommand, useLive, useServices, useWords } from '../services';
import { Button, HeadedSection, Menu, MenuItem } from './button';
import { engineTitle } from './format';
import styles from './new-session.module.css';

import { RelativeTime, Unavailable, useNow } from './text';

/** @param compact whether to show only the icon */
export function NewSession({ compact = false }: { compact?: boolean }) {
  const words = useWords();
  const { actions } = useServices();
  const { title, shortcut } = useCommand('session:open');
  const status = useLive((state) => state.status);
  const { data: checkpoints = [] } = useCheckpoints();
  const opening = useLive((state) => state.opening);
  const disabled = opening !== null || status === null;
  return (
    <div className={styles.split}>
      {!compact && <output className={styles.doing}>{opening && `${opening}…`}</output>}
      <Button
        kind="primary"
        icon={Plus}
        shortcut={shortcut}
        isDisabled={disabled}
        onPress={() => void actions.opener.open()}
      >
        {compact ? <VisuallyHidden>{title}</VisuallyHidden> : title}
      </Button>
      <MenuTrigger>
        <AriaButton
          aria-label={words.parts.newSessionOther}
          isDisabled={disabled}
          className={styles.more ?? ''}
        >
          <ChevronDown size={14} aria-hidden />
        </AriaButton>
        <Menu label={title}>
          <Engines
            engines={status?.engines.filter(({ servers }) => servers === undefined) ?? []}
            standard={status?.defaultEngine ?? null}
            onChoose={(engine) => void actions.opener.open(engine)}
          />
          <FromCheckpoint
            checkpoints={checkpoints.filter(({ project }) => project === status?.project)}
            onChoose={(id) => void actions.opener.openCheckpoint(id)}
          />
        </Menu>
      </MenuTrigger>
    </div>
  );
}

interface EnginesProps {
  engines: readonly EngineFound[];
  standard: EngineName | null;
  onChoose: (engine: EngineName) => void;
}

function Engines({ engines, standard, onChoose }: EnginesProps) {
  const words = useWords();
  return (
    <MenuSection aria-label={words.parts.engines}>
      {engines.map(({ engine, available, version, reason }) => (
        <MenuItem
          key={engine}
          title={engineTitle(engine)}
          mark={engine === standard && <span className={styles.standard}>{words.parts.defaultMark}</span>}
          about={available ? version : reason && <Unavailable reason={reason} />}
          isDisabled={!available}
          onChoose={() => onChoose(engine)}
        />
      ))}
    </MenuSection>
  );
}

interface FromCheckpointProps {
  /** Checkpoints of the current project, newest first. */
  checkpoints: readonly CheckpointView[];
  onChoose: (id: number) => void;
}

function FromCheckpoint({ checkpoints, onChoose }: FromCheckpointProps) {
  const words = useWords();
  if (checkpoints.length === 0) return null;
  return (
    <HeadedSection heading={words.parts.fromCheckpoint}>
      {checkpoints.map((checkpoint) => (
        <MenuItem
          key={checkpoint.id}
          title={checkpoint.name}
          about={<CheckpointFacts checkpoint={checkpoint} />}
          onChoose={() => onChoose(checkpoint.id)}
        />
      ))}
    </HeadedSection>
  );
}

function CheckpointFacts({ checkpoint: { engine, client, bytes, savedAt } }: { checkpoint: CheckpointView }) {
  const words = useWords();
  const now = useNow(10_000);
  return (
    <>
      {engineTitle(engine)} · {words.common.client(client)} · {words.formats.bytes(bytes)} ·{' '}
      <RelativeTime at={savedAt} now={now} />
    </>
  );
}
