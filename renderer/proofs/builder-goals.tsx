/** The goals that instructions to the proof-builder have left, the present one first. */
import type { EngineName } from '../../electron/contract/model';
import type { BuilderGoal } from '../../electron/contract/proof';
import { keyed } from '../parts/keyed';
import { LispBlock } from '../parts/lisp';
import { useWords } from '../services';
import styles from './builder-goals.module.css';

export function BuilderGoals({ goals, engine }: { goals: readonly BuilderGoal[]; engine: EngineName }) {
  const { proofs } = useWords();
  return (
    <section aria-label={proofs.goals}>
      <h3>{goals.length === 0 ? proofs.noGoals : proofs.goalsAbout(goals.length)}</h3>
      <ol className={styles.goals}>
        {keyed(goals).map(({ key, item }) => (
          <li key={key}>
            <Goal goal={item} engine={engine} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Goal({
  goal: { name, hypotheses, conclusion, address },
  engine,
}: {
  goal: BuilderGoal;
  engine: EngineName;
}) {
  const { proofs } = useWords();
  return (
    <>
      <h4>
        <span translate="no">{name}</span>
        {address.length > 0 && <span className={styles.address}>{proofs.divedTo(address.join(' '))}</span>}
      </h4>
      {hypotheses.length > 0 && (
        <ol className={styles.hypotheses} aria-label={proofs.hypotheses}>
          {keyed(hypotheses).map(({ key, item }) => (
            <li key={key}>
              <LispBlock code={item} engine={engine} />
            </li>
          ))}
        </ol>
      )}
      <p className={styles.toProve}>{proofs.toProve}</p>
      <LispBlock code={conclusion} engine={engine} />
    </>
  );
}
