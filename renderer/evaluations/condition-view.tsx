/** An unhandled condition as the debugger shows it: what happened, the ways out, the frames. */
import type { Condition } from '../../electron/contract/model';
import { besideType } from '../parts/format';
import { useWords } from '../services';
import styles from './condition-view.module.css';

export function ConditionView({ condition }: { condition: Condition }) {
  const words = useWords();
  const { restarts, frames } = condition;
  return (
    <div className={styles.condition}>
      <ConditionLine type={condition.type} message={condition.message} />
      {restarts.length > 0 && (
        <>
          <h3>{words.evaluations.restarts}</h3>
          <ol className={styles.rows} aria-label={words.evaluations.restarts}>
            {restarts.map(({ index, name, description }) => (
              <li key={index}>
                <span className={styles.index}>{index}</span>
                <span>
                  <code>{name}</code>{' '}
                  <span className={styles.description} lang="en">
                    {description}
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      {frames.length > 0 && (
        <details>
          <summary>{words.evaluations.framesOf(frames.length)}</summary>
          <ol className={styles.rows} aria-label={words.evaluations.frames}>
            {frames.map(({ index, call }) => (
              <li key={index}>
                <span className={styles.index}>{index}</span>
                <code>{call}</code>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

/** Only its type and message. */
export function ConditionLine({ type, message }: { type: string; message: string }) {
  return (
    <p className={styles.line}>
      <code>{type}</code>{' '}
      <span className={styles.message} lang="en">
        {besideType(message, type)}
      </span>
    </p>
  );
}
