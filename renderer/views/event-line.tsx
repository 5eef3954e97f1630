/** One event in a line: what became of it, what it is, what it took, and why it failed when that is asked for. */
import type { EngineName } from '../../electron/contract/model';
import type { EventSummary } from '../../electron/contract/proof';
import { Disclosure } from '../parts/disclosure';
import { Problem } from '../parts/feedback';
import { count } from '../parts/format';
import { Figures, VerdictMark } from '../parts/verdict-mark';
import { useEvaluation } from '../queries';
import styles from './event-line.module.css';
import { KeyCheckpointGroups } from './key-checkpoints';

/** Where the whole report of an event is: its evaluation, and its place there. */
export interface EventPlace {
  evaluation: number;
  engine: EngineName;
  index: number;
}

export function EventLine({ event, place }: { event: EventSummary; place: EventPlace }) {
  const { operator, names } = event;
  return (
    <li>
      <p className={styles.line}>
        <VerdictMark verdict={event.verdict} />
        <code className={styles.what}>{[operator ?? 'form', ...names].join(' ')}</code>
        <Figures {...event} />
      </p>
      <WhyItFailed event={event} place={place} />
    </li>
  );
}

/** Opens the event's key checkpoints in place; nothing where it has none. */
export function WhyItFailed({ event: { checkpoints }, place }: { event: EventSummary; place: EventPlace }) {
  if (checkpoints === 0) return null;
  return (
    <Disclosure title={count(checkpoints, 'key checkpoint')}>
      <LoadedCheckpoints {...place} />
    </Disclosure>
  );
}

function LoadedCheckpoints({ evaluation, engine, index }: EventPlace) {
  const { data, error } = useEvaluation(evaluation);
  if (error) return <Problem>{error.message}</Problem>;
  const checkpoints = data?.report?.proof?.events[index]?.checkpoints;
  return checkpoints ? <KeyCheckpointGroups checkpoints={checkpoints} engine={engine} /> : null;
}
