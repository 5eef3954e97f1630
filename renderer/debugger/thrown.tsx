/** What an evaluation has thrown that has ended: the chain of exceptions, each with its data, and the stack of the chosen one. */
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { ThrownView } from '../../electron/contract/thrown';
import { ValueLink } from '../inspector/value-link';
import { compactMessage } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { ThrownFrames } from './thrown-frames';

interface ThrownProps {
  session: SessionView;
  evaluation: number;
  /** The outermost first. */
  causes: readonly ThrownView[];
}

export function Thrown({ session, evaluation, causes }: ThrownProps) {
  const words = useWords();
  // The innermost says what went wrong; those around it are what others made of it.
  const [chosen, setChosen] = useState(causes.length - 1);
  const shown = causes[chosen];
  return (
    <>
      <section aria-label={words.debug.causes} className={styles.causes}>
        <ol>
          {causes.map((cause, place) => (
            <li key={cause.handle}>
              <button
                type="button"
                className={styles.cause}
                aria-pressed={place === chosen}
                title={words.debug.showStack}
                onClick={() => setChosen(place)}
              >
                <span className={styles.index}>{place + 1}</span>
                <span>
                  <Sentence
                    of={(place === 0 ? words.debug.thrown : words.debug.causedBy)(<code>{cause.type}</code>)}
                  />
                </span>
              </button>
              <Said session={session} cause={cause} />
            </li>
          ))}
        </ol>
      </section>
      {shown && (
        <ThrownFrames
          key={chosen}
          session={session}
          evaluation={evaluation}
          cause={chosen}
          frames={shown.frames}
          more={shown.more}
        />
      )}
    </>
  );
}

function Said({ session, cause }: { session: SessionView; cause: ThrownView }) {
  const words = useWords();
  const { handle, message, data, entries } = cause;
  return (
    <div className={styles.detail}>
      {message !== undefined && message !== '' && (
        <p className={styles.message} lang="en">
          {compactMessage(message)}
        </p>
      )}
      {data.length > 0 && (
        <dl className={styles.locals} aria-label={words.debug.data}>
          {data.map(({ index, name, text }) => (
            <div key={index}>
              <dt>{name}</dt>
              <dd>
                <ValueLink session={session} text={text} from={{ handle, path: ['data', index] }} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {entries > data.length && (
        <p className={styles.hint}>{words.debug.moreEntries(words.formats.number(entries - data.length))}</p>
      )}
      <p>
        <ValueLink session={session} text={words.debug.exception} from={{ handle }} />
      </p>
    </div>
  );
}
