/** What holds a session: the levels from the outermost on, whose evaluation it is, the condition and its slots. */
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import type { HeldView } from '../../electron/contract/debugger';
import type { PERSON_KEY } from '../../electron/contract/known-clients';
import type { SessionView } from '../../electron/contract/model';
import { useInspection } from '../image-queries';
import { ValueLink } from '../inspector/value-link';
import { compactMessage } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { Disclosure } from '../parts/view';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './debugger.module.css';

/** Who the person at the window is in the history. */
const YOU: typeof PERSON_KEY = 'you';

type Level = HeldView['levels'][number];

interface ConditionHeadProps {
  session: SessionView;
  /** Innermost first. */
  levels: readonly Level[];
  /** Gives up what is inside a level; null while that cannot be asked for. */
  onReturnTo: ((level: number) => void) | null;
}

export function ConditionHead({ session, levels, onReturnTo }: ConditionHeadProps) {
  const words = useWords();
  const [innermost] = levels;
  if (!innermost) return null;
  return (
    <header className={styles.condition}>
      {levels.length > 1 && <Levels levels={levels} onReturnTo={onReturnTo} />}
      <p className={styles.type}>
        <code>{innermost.type}</code>
        <span>
          <Sentence of={words.debug.atLevel(innermost.level, <Whose level={innermost} />)} />
        </span>
      </p>
      <p className={styles.message} lang="en">
        {compactMessage(innermost.message)}
      </p>
      {innermost.handle !== undefined && <Slots session={session} handle={innermost.handle} />}
    </header>
  );
}

function Whose({ level: { client, evaluation } }: { level: Level }) {
  const words = useWords();
  const link = <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation })}>#{evaluation}</a>;
  return <Sentence of={client === YOU ? words.debug.yours(link) : words.debug.theirs(client, link)} />;
}

/** Breadcrumbs: one leads back to its level, which gives up what is held inside it. */
function Levels({ levels, onReturnTo }: Omit<ConditionHeadProps, 'session'>) {
  const words = useWords();
  return (
    <nav aria-label={words.debug.levels} className={styles.levels}>
      <ol>
        {levels.toReversed().map(({ level, type }) => (
          <Fragment key={level}>
            {level > 1 && <ChevronRight size={12} aria-hidden />}
            <li>
              {level === levels.length ? (
                <span aria-current="step">
                  {level} {type}
                </span>
              ) : (
                <button
                  type="button"
                  disabled={onReturnTo === null}
                  title={words.debug.giveUpInside(level)}
                  onClick={() => onReturnTo?.(level)}
                >
                  {level} {type}
                </button>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

const SLOTS = { path: [], offset: 0, limit: 50 };

function Slots({ session, handle }: { session: SessionView; handle: string }) {
  const words = useWords();
  const { data } = useInspection(session.id, handle, SLOTS);
  if (!data || data.parts.length === 0) return null;
  return (
    <Disclosure title={words.debug.slotsOf(data.total)}>
      <dl className={styles.locals} aria-label={words.debug.slots}>
        {data.parts.map(({ index, name, text, unbound, problem }) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              <ValueLink
                session={session}
                text={problem ?? (unbound ? words.debug.unbound : (text ?? ''))}
                from={problem === undefined && !unbound ? { handle, path: [index] } : null}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
