/** One evaluation in a transcript: who asked, the code, what it printed and answered, what became of it. */
import type { HistoryRow } from '../../electron/contract/model';
import { ConditionLine } from '../evaluations/condition-view';
import { Output, Values } from '../evaluations/values-and-output';
import type { OutputPiece } from '../live';
import { count } from '../parts/format';
import { keyed } from '../parts/growing-list';
import { LispBlock } from '../parts/lisp';
import { OutcomeMark } from '../parts/state-mark';
import { Duration, RelativeTime } from '../parts/time';
import { Disclosure } from '../parts/view';
import { EventLine, WhyItFailed } from '../proofs/event-line';
import { onlyEvent, saysTrust, saysWhy } from '../proofs/proof-display';
import { TrustBadge } from '../proofs/trust-badge';
import { Steps, VerdictMark } from '../proofs/verdict-mark';
import { formatRoute, START_ROUTE } from '../route';
import { useLive } from '../services';
import styles from './transcript-tab.module.css';

/** So few printed lines are shown at once: a line that opens them would save no room. */
const FEW_LINES = 3;

export function TranscriptEntry({ row, now }: { row: HistoryRow; now: number }) {
  const { id, engine, client, outcome, conditionType, conditionMessage } = row;
  const live = useLive((state) => state.evaluations.get(id)?.output);
  const output = live ?? (row.output === '' ? [] : [{ stream: 'stdout' as const, text: row.output }]);
  return (
    <li className={styles.entry}>
      <p className={styles.who}>
        <span>{client}</span>
        <span className={styles.package}>{row.package}</span>
      </p>
      <div className={styles.body}>
        <LispBlock code={row.code} engine={engine} />
        <Printed row={row} pieces={output} />
        {outcome === 'ok' && <Values values={row.values} engine={engine} />}
        {conditionType !== null && !saysWhy(row) && (
          <ConditionLine type={conditionType} message={conditionMessage ?? ''} />
        )}
        <Events row={row} />
        <Foot row={row} now={now} />
      </div>
    </li>
  );
}

/** A prover fills pages about an event whose verdict says enough: its output stays closed until it is wanted. */
function Printed({ row: { proof }, pieces }: { row: HistoryRow; pieces: readonly OutputPiece[] }) {
  const lines = pieces.reduce((sum, { text }) => sum + text.trim().split('\n').length, 0);
  if (!proof || proof.total === 0 || lines <= FEW_LINES) return <Output pieces={pieces} />;
  return (
    <Disclosure title={`${count(lines, 'line')} printed`}>
      <Output pieces={pieces} />
    </Disclosure>
  );
}

/** What became of each event. The foot says it of an only one, so that there is just why it failed. */
function Events({ row }: { row: HistoryRow }) {
  const { proof, id, engine } = row;
  if (!proof || proof.total === 0) return null;
  const { events, total } = proof;
  const earlier = total - events.length;
  const located = keyed(events).map(({ key, item }, index) => ({
    key,
    event: item,
    location: { evaluation: id, engine, index: earlier + index },
  }));
  if (onlyEvent(row)) return located.map(({ key, ...only }) => <WhyItFailed key={key} {...only} />);
  return (
    <ol className={styles.events} aria-label="Events">
      {earlier > 0 && <li className={styles.earlier}>{count(earlier, 'event')} before</li>}
      {located.map(({ key, ...each }) => (
        <EventLine key={key} {...each} />
      ))}
    </ol>
  );
}

function Foot({ row, now }: { row: HistoryRow; now: number }) {
  const { id, outcome, startedAt, durationMs, proof } = row;
  const only = onlyEvent(row);
  return (
    <div className={styles.foot}>
      {only ? <VerdictMark verdict={only.verdict} /> : <OutcomeMark outcome={outcome} />}
      <Duration ms={durationMs} since={startedAt} />
      {only && <Steps steps={only.steps} />}
      {proof && saysTrust(outcome, proof) && (
        <TrustBadge issues={proof.issues} subject={`evaluation ${id}`} />
      )}
      <RelativeTime at={startedAt} now={now} />
      <a
        href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: id })}
        title={`Evaluation ${id} in the history`}
      >
        #{id}
      </a>
    </div>
  );
}
