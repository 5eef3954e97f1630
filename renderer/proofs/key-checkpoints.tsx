/** The goals at which a proof got stuck, the most telling first, and why it was given up. */
import { Group as AriaGroup } from 'react-aria-components';
import type { EngineName } from '../../electron/contract/model';
import type { KeyCheckpoint, KeyCheckpoints } from '../../electron/contract/proof';
import { keyed } from '../parts/growing-list';
import { LispBlock } from '../parts/lisp';
import styles from './key-checkpoints.module.css';

type Group = Exclude<keyof KeyCheckpoints, 'untold' | 'gaveUp'>;

const GROUPS: readonly { group: Group; title: string }[] = [
  { group: 'top', title: 'At the top level, before any induction' },
  { group: 'induction', title: 'Under an induction' },
  { group: 'reverted', title: 'Given up in favour of an induction' },
];

/** A sentence for each of ACL2's words for why it gave a proof up. */
const GAVE_UP: Readonly<Record<string, string>> = {
  'EMPTY-CLAUSE':
    'A goal came down to NIL, which cannot be proved: the conjecture may be false, a hypothesis may be missing, or the induction may be the wrong one.',
  'DO-NOT-INDUCT': 'An induction would have been next, but a :DO-NOT-INDUCT hint forbids it.',
  'INDUCTION-DEPTH-LIMIT-EXCEEDED':
    'An induction would have been next, but inductions are nested as deeply as is allowed.',
};

interface KeyCheckpointGroupsProps {
  checkpoints: KeyCheckpoints;
  engine: EngineName;
}

export function KeyCheckpointGroups({ checkpoints, engine }: KeyCheckpointGroupsProps) {
  const { untold = 0, gaveUp } = checkpoints;
  return (
    <div className={styles.groups}>
      {gaveUp !== null && (
        <p className={styles.gaveUp}>{GAVE_UP[gaveUp] ?? `The proof was given up: ${gaveUp}.`}</p>
      )}
      {GROUPS.map(
        ({ group, title }) =>
          checkpoints[group].length > 0 && (
            // No landmark: a proof may be shown in two places.
            <AriaGroup key={group} aria-label={title}>
              <h3>{title}</h3>
              <ol>
                {keyed(checkpoints[group]).map(({ key, item }) => (
                  <Goal key={key} checkpoint={item} engine={engine} />
                ))}
              </ol>
            </AriaGroup>
          ),
      )}
      {untold > 0 && (
        <p className={styles.untold}>
          {untold === 1 ? 'One more is' : `${untold} more are`} in what the prover printed.
        </p>
      )}
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
  return (
    <li>
      <p className={styles.goal}>
        <span>{goal}</span>
        {pushed !== null && <span className={styles.pushed}>then tried by induction, as {pushed}</span>}
      </p>
      <LispBlock code={text} engine={engine} />
    </li>
  );
}
