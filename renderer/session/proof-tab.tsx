/** The tab with the last proof that a session tried, or tries now: how far it is, where it got stuck, what came of it. */
import { Sigma } from 'lucide-react';
import { useMemo } from 'react';
import type { EngineName, HistoryRow, SessionId, SessionView } from '../../electron/contract/model';
import { useEvaluation, useEvaluations, useProgress } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Empty, Problem } from '../parts/feedback';
import { LispBlock } from '../parts/lisp';
import { ScrollArea } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/time';
import { KeyCheckpointGroups } from '../proofs/key-checkpoints';
import { saysTrust } from '../proofs/proof-display';
import { ProofView } from '../proofs/proof-report';
import { TrustBadge } from '../proofs/trust-badge';
import { Steps } from '../proofs/verdict-mark';
import { formatRoute, START_ROUTE } from '../route';
import styles from './proof-tab.module.css';

export function ProofTab({ session }: { session: SessionView }) {
  const filter = useMemo<RowFilter>(
    () => ({ query: '', engine: null, outcome: null, session: session.id }),
    [session.id],
  );
  const { rows, loading, error } = useEvaluations(filter);
  if (error) return <Problem>{error.message}</Problem>;
  const row = rows.find(isProof);
  if (row) return <LastProof key={row.id} row={row} />;
  return loading ? null : (
    <Empty icon={Sigma} title="Nothing was proved here yet">
      The last event or conjecture that was tried appears here, an agent’s as well as yours: how far it is,
      and where it got stuck.
    </Empty>
  );
}

function isProof({ outcome, proof }: HistoryRow): boolean {
  return outcome === 'running' || (proof !== undefined && proof.total > 0);
}

function LastProof({
  row: { id, session, engine, code, outcome, startedAt, durationMs, proof },
}: {
  row: HistoryRow;
}) {
  const { data } = useEvaluation(id);
  const report = data?.report?.proof;
  return (
    <ScrollArea label="Proof" className={styles.area}>
      <header className={styles.head}>
        <OutcomeMark outcome={outcome} />
        <Duration ms={durationMs} since={startedAt} />
        {proof && saysTrust(outcome, proof) && (
          <TrustBadge issues={proof.issues} subject={`evaluation ${id}`} />
        )}
        <a
          href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: id })}
          title={`Evaluation ${id} in the history`}
        >
          #{id}
        </a>
      </header>
      <LispBlock code={code} engine={engine} />
      {outcome === 'running' && <Progress session={session} engine={engine} />}
      {data && report && <ProofView proof={report} forms={data.forms} engine={engine} />}
    </ScrollArea>
  );
}

/** How far it is, if the prover tells: the goal that it works on, steps, the key checkpoints so far. */
function Progress({ session, engine }: { session: SessionId; engine: EngineName }) {
  const { data } = useProgress(session);
  if (!data) return null;
  const { goal, steps, checkpoints } = data;
  return (
    <>
      <p className={styles.progress}>
        {goal !== null && (
          <span>
            Working on <code>{goal}</code>
          </span>
        )}
        <Steps steps={steps} />
      </p>
      {checkpoints && <KeyCheckpointGroups checkpoints={checkpoints} engine={engine} />}
    </>
  );
}
