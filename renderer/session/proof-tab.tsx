/** The session's current or last proof attempt: progress, open subgoals and result. */
import { ShieldCheck, Sigma } from 'lucide-react';
import { useMemo } from 'react';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { useEvaluation, useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { ConditionView } from '../evaluations/evaluation-result';
import { useProgress } from '../image-queries';
import { Button, Hint } from '../parts/button';
import { LispBlock } from '../parts/code';
import { ScrollArea } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import { Duration, Sentence } from '../parts/text';
import { Empty, Problem } from '../parts/view';

import { BooksOf } from '../proofs/certified-books';
import { FinalCheckView } from '../proofs/final-check';
import { showsTrust } from '../proofs/proof-display';
import { KeyCheckpointGroups, Steps } from '../proofs/proof-event';
import { ProofView } from '../proofs/proof-report';
import { TrustBadge } from '../proofs/trust-badge';

import { formatRoute, START_ROUTE } from '../route';
import { useServices, useWords } from '../services';
import styles from './proof-tab.module.css';

export function ProofTab({ session }: { session: SessionView }) {
  const words = useWords();
  const filter = useMemo<RowFilter>(
    () => ({ query: '', engine: null, outcome: null, session: session.id }),
    [session.id],
  );
  const { rows, loading, error } = useEvaluations(filter);
  if (error) return <Problem>{error.message}</Problem>;
  const row = rows.find(isProof);
  if (row) return <LastProof key={row.id} row={row} busy={session.state !== 'idle'} />;
  return loading ? null : (
    <Empty icon={Sigma} title={words.session.noProof}>
      {words.session.noProofAbout}
    </Empty>
  );
}

function isProof({ outcome, kind, proof }: HistoryRow): boolean {
  return outcome === 'running' || kind === 'test' || (proof !== undefined && proof.total > 0);
}

function LastProof({ row, busy }: { row: HistoryRow; busy: boolean }) {
  const { id, session, engine, code, outcome, startedAt, durationMs, proof } = row;
  const words = useWords();
  const { actions } = useServices();
  const { data } = useEvaluation(id);
  const report = data?.report?.proof;
  return (
    <ScrollArea label={words.session.tabs.proof} className={styles.area}>
      <header className={styles.head}>
        <OutcomeMark outcome={outcome} />
        <Duration ms={durationMs} since={startedAt} />
        {proof && showsTrust(outcome, proof) && (
          <TrustBadge issues={proof.issues} subject={words.session.evaluation(id)} />
        )}
        <span className={styles.check}>
          <Hint text={words.session.finalCheckAbout}>
            <Button
              icon={ShieldCheck}
              isDisabled={busy}
              onPress={() => void actions.harbor.world.check({ session, claim: null })}
            >
              {words.session.finalCheck}
            </Button>
          </Hint>
        </span>
        <a
          href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: id })}
          title={words.session.inHistory(id)}
        >
          #{id}
        </a>
      </header>
      <LispBlock code={code} engine={engine} />
      {outcome === 'running' && <Progress row={row} />}
      <BooksOf row={row} report={report} />
      {data?.condition && data.kind === 'test' && <ConditionView condition={data.condition} />}
      {data?.report?.finalCheck && (
        <FinalCheckView report={data.report.finalCheck} evaluation={id} engine={engine} />
      )}
      {data && report && <ProofView proof={report} forms={data.forms} engine={engine} />}
    </ScrollArea>
  );
}

/** The progress as the prover reports it: current goal, steps and key checkpoints. */
function Progress({ row }: { row: HistoryRow }) {
  const words = useWords();
  const { data } = useProgress(row);
  // With several books, each reports its own progress.
  if (!data || (data.books?.length ?? 0) > 1) return null;
  const { goal, steps, checkpoints } = data;
  return (
    <>
      <p className={styles.progress}>
        {goal !== null && (
          <span>
            <Sentence of={words.session.workingOn(<code>{goal}</code>)} />
          </span>
        )}
        <Steps steps={steps} />
      </p>
      {checkpoints && <KeyCheckpointGroups checkpoints={checkpoints} engine={row.engine} />}
    </>
  );
}
