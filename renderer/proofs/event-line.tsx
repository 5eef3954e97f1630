/** One event in a line: what became of it, what it is, what it took. Opened, it says why it failed. */
import type { EngineName } from '../../electron/contract/model';
import type { EventSummary } from '../../electron/contract/proof';
import { useEvaluation } from '../bridge-queries';
import { Problem } from '../parts/feedback';
import { Disclosure } from '../parts/view';
import { useWords } from '../services';
import styles from './event-line.module.css';
import { KeyCheckpointGroups } from './key-checkpoints';
import { Figures, VerdictMark } from './verdict-mark';

/** Where the whole report of an event is: its evaluation, and its index there. */
export interface EventLocation {
  evaluation: number;
  engine: EngineName;
  index: number;
}

export function EventLine({ event, location }: { event: EventSummary; location: EventLocation }) {
  const words = useWords();
  const { operator, names } = event;
  return (
    <li>
      <p className={styles.line}>
        <VerdictMark verdict={event.verdict} />
        <code className={styles.what}>{[operator ?? words.proofs.form, ...names].join(' ')}</code>
        <Figures {...event} />
      </p>
      <WhyItFailed event={event} location={location} />
    </li>
  );
}

/** A line that opens the event's key checkpoints; nothing where it has none. */
export function WhyItFailed({
  event: { checkpoints },
  location,
}: {
  event: EventSummary;
  location: EventLocation;
}) {
  const words = useWords();
  if (checkpoints === 0) return null;
  return (
    <Disclosure title={words.proofs.keyCheckpoints(checkpoints)}>
      <LoadedCheckpoints {...location} />
    </Disclosure>
  );
}

function LoadedCheckpoints({ evaluation, engine, index }: EventLocation) {
  const { data, error } = useEvaluation(evaluation);
  if (error) return <Problem>{error.message}</Problem>;
  const checkpoints = data?.report?.proof?.events[index]?.checkpoints;
  return checkpoints ? <KeyCheckpointGroups checkpoints={checkpoints} engine={engine} /> : null;
}
