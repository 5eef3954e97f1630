/** What rules did in a proof that was observed: attempts of those that were watched, or what all of them have cost. */
import type { EngineName } from '../../electron/contract/model';
import type { RuleAttempt, RuleCost, RuleObservation } from '../../electron/contract/proof';
import { keyed } from '../parts/keyed';
import { LispLine } from '../parts/lisp';
import { useWords } from '../services';
import styles from './rule-observation.module.css';

interface RuleObservationViewProps {
  observation: RuleObservation;
  engine: EngineName;
}

export function RuleObservationView({
  observation: { attempts, attemptCount, costs, disabled = [] },
  engine,
}: RuleObservationViewProps) {
  const { proofs } = useWords();
  return (
    <section aria-label={proofs.observed}>
      {costs.length > 0 ? (
        <Costs costs={costs} />
      ) : (
        <>
          <h3>{attemptCount === 0 ? proofs.noAttempts : proofs.attempts(attemptCount)}</h3>
          <ol className={styles.attempts}>
            {keyed(attempts).map(({ key, item }) => (
              <li key={key} style={{ paddingLeft: 12 * (item.depth - 1) }}>
                <Attempt attempt={item} engine={engine} />
              </li>
            ))}
          </ol>
          {attemptCount > attempts.length && <p>{proofs.moreAttempts(attemptCount - attempts.length)}</p>}
        </>
      )}
      {disabled.map((rule) => (
        <p key={rule}>{proofs.disabledRule(rule)}</p>
      ))}
    </section>
  );
}

function Attempt({
  attempt: { rule, target, substitution, result, failure },
  engine,
}: {
  attempt: RuleAttempt;
  engine: EngineName;
}) {
  const { proofs } = useWords();
  return (
    <>
      <p className={styles.rule}>{rule}</p>
      <LispLine code={target} engine={engine} />
      {substitution.length > 0 && (
        <p className={styles.bound}>
          {substitution.map(({ variable, term }) => `${variable} = ${term}`).join(', ')}
        </p>
      )}
      {result === null ? (
        <p>{proofs.notApplied(failure)}</p>
      ) : (
        <p>
          {proofs.applied} <LispLine code={result} engine={engine} />
        </p>
      )}
    </>
  );
}

function Costs({ costs }: { costs: readonly RuleCost[] }) {
  const { proofs } = useWords();
  return (
    <table className={styles.costs} aria-label={proofs.costs}>
      <thead>
        <tr>
          {proofs.costColumns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {costs.map(({ rule, frames, usefulFrames, tries, usefulTries }) => (
          <tr key={rule}>
            <td>{rule}</td>
            <td>{frames}</td>
            <td>{usefulFrames}</td>
            <td>{tries}</td>
            <td>{usefulTries}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
