/** The tab with the last proof that a session tried, or tries now: how far it is, where it got stuck, what came of it. */
import { ShieldCheck, Sigma } from 'lucide-react';
import { useMemo } from 'react';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { useEvaluation, useEvaluations } from '../bridge-queries';
import { ConditionView } from '../evaluations/condition-view';
import type { RowFilter } from '../evaluations/evaluation-list';
import { useProgress } from '../image-queries';
import { Button, Hint } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { LispBlock } from '../parts/lisp';
import { ScrollArea } from '../parts/scroll-area';
import { Sentence } from '../parts/sentence';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/time';
import { BooksOf } from '../proofs/books-of';
import { FinalCheckView } from '../proofs/final-check';
import { KeyCheckpointGroups } from '../proofs/key-checkpoints';
import { saysTrust } from '../proofs/proof-display';
import { ProofView } from '../proofs/proof-report';
import { TrustBadge } from '../proofs/trust-badge';
import { Steps } from '../proofs/verdict-mark';
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
        {proof && saysTrust(outcome, proof) && (
          <TrustBadge issues={proof.issues} subject={words.session.evaluation(id)} />
        )}
        <span className={styles.check}>
          <Hint text={words.session.finalCheckAbout}>
            <Button
              icon={ShieldCheck}
              isDisabled={busy}
              onPress={() => void actions.finalCheck(session, null)}
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

/** How far it is, if the prover tells: the goal that it works on, steps, the key checkpoints so far. */
function Progress({ row }: { row: HistoryRow }) {
  const words = useWords();
  const { data } = useProgress(row);
  // Of several books each says it by itself.
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
