/** The goals at which a proof got stuck, the most telling first, and why it was given up. */
import { Group as AriaGroup } from 'react-aria-components';
import type { EngineName } from '../../electron/contract/model';
import type { KeyCheckpoint, KeyCheckpoints } from '../../electron/contract/proof';
import { keyed } from '../parts/keyed';
import { LispBlock } from '../parts/lisp';
import { useWords } from '../services';
import styles from './key-checkpoints.module.css';

type Group = Exclude<keyof KeyCheckpoints, 'untold' | 'gaveUp'>;

const GROUPS: readonly Group[] = ['top', 'induction', 'reverted'];

interface KeyCheckpointGroupsProps {
  checkpoints: KeyCheckpoints;
  engine: EngineName;
}

export function KeyCheckpointGroups({ checkpoints, engine }: KeyCheckpointGroupsProps) {
  const words = useWords();
  const { untold = 0, gaveUp } = checkpoints;
  return (
    <div className={styles.groups}>
      {gaveUp !== null && (
        <p className={styles.gaveUp}>{words.proofs.gaveUp[gaveUp] ?? words.proofs.gaveUpFor(gaveUp)}</p>
      )}
      {GROUPS.map(
        (group) =>
          checkpoints[group].length > 0 && (
            // No landmark: a proof may be shown in two places.
            <AriaGroup key={group} aria-label={words.proofs.groups[group]}>
              <h3>{words.proofs.groups[group]}</h3>
              <ol>
                {keyed(checkpoints[group]).map(({ key, item }) => (
                  <Goal key={key} checkpoint={item} engine={engine} />
                ))}
              </ol>
            </AriaGroup>
          ),
      )}
      {untold > 0 && <p className={styles.untold}>{words.proofs.untold(untold)}</p>}
    </div>
  );
}

function Goal({
  checkpoint: { goal, text, pushed },
  engine,
}: {
  checkpoint: KeyCheckpoint;
  engine: EngineName;
}) {
  const words = useWords();
  return (
    <li>
      <p className={styles.goal}>
        <span translate="no">{goal}</span>
        {pushed !== null && <span className={styles.pushed}>{words.proofs.pushed(pushed)}</span>}
      </p>
      <LispBlock code={text} engine={engine} />
    </li>
  );
}
