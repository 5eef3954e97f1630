/** One event of a proof on a line: verdict, title, time and steps. It unfolds to the reason for a failure. */

import { Asterisk, Check, Equal, FastForward, Hand, History, Minus, Undo2, X } from 'lucide-react';
import { Group as AriaGroup } from 'react-aria-components';
import type { EngineName } from '../../electron/contract/model';
import type { EventSummary, KeyCheckpoint, KeyCheckpoints, Verdict } from '../../electron/contract/proof';
import type { Words } from '../../electron/words/words';
import { useEvaluation } from '../bridge-queries';
import { LispBlock } from '../parts/code';
import { type Mark, StateMark } from '../parts/state-mark';
import { Disclosure, keyed, Problem } from '../parts/view';
import { useWords } from '../services';
import styles from './proof-event.module.css';

/** Location of the full report of an event: evaluation and index. */
interface EventLocation {
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

/** A line that unfolds the key checkpoints of an event; nothing if it has none. */
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

// The goals where a proof is stuck, most useful first, and why ACL2 abandoned it.

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
            // Not a landmark, because a proof may be shown in two places.
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

// Verdicts of events, as an icon and a tone.

const VERDICTS: Readonly<Record<Verdict, Omit<Mark, 'word'>>> = {
  proved: { icon: Check, tone: 'good' },
  admitted: { icon: Check, tone: 'good' },
  redundant: { icon: Equal, tone: 'quiet' },
  skipped: { icon: FastForward, tone: 'warn' },
  axiom: { icon: Asterisk, tone: 'warn' },
  'no-effect': { icon: Minus, tone: 'quiet' },
  undone: { icon: Undo2, tone: 'quiet' },
  restored: { icon: History, tone: 'quiet' },
  failed: { icon: X, tone: 'bad' },
  interrupted: { icon: Hand, tone: 'warn' },
  'changed-then-interrupted': { icon: Hand, tone: 'warn' },
  refuted: { icon: X, tone: 'bad' },
  value: { icon: Check, tone: 'good' },
};

export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const words = useWords();
  return <StateMark {...VERDICTS[verdict]} word={words.proofs.verdicts[verdict]} />;
}

interface FiguresProps {
  milliseconds: number | null;
  steps: number | null;
}

/**
 * Time and prover steps. Unknown values are omitted, and so is a time of 0, because the clock of the prover
 * is coarse.
 */
export function Figures({ milliseconds, steps }: FiguresProps) {
  const words = useWords();
  return (
    <>
      {milliseconds !== null && milliseconds > 0 && <span>{words.formats.duration(milliseconds)}</span>}
      <Steps steps={steps} />
    </>
  );
}

export function Steps({ steps }: { steps: number | null }) {
  const words = useWords();
  return steps === null ? null : <span>{stepsText(steps, words)}</span>;
}

/** A negative count means that the limit of steps was reached. */
function stepsText(steps: number, { proofs }: Words): string {
  return steps < 0 ? proofs.moreSteps(-steps) : proofs.steps(steps);
}
