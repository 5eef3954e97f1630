/** One evaluation with everything that is known of it, also while it runs. */
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Evaluation } from '../../electron/contract/model';
import type { ProofReport } from '../../electron/contract/proof';
import { useEvaluation } from '../bridge-queries';
import { ConditionView } from '../evaluations/condition-view';
import { RunAgain } from '../evaluations/run-again';
import { Output, piecesOf, Values } from '../evaluations/values-and-output';
import type { OutputPiece } from '../live';
import { IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Problem } from '../parts/feedback';
import { engineTitle, shortenPath } from '../parts/format';
import { keyed } from '../parts/keyed';
import { LispBlock } from '../parts/lisp';
import { ScrollArea } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/time';
import { BooksOf } from '../proofs/books-of';
import { FinalCheckView } from '../proofs/final-check';
import { saysTrust } from '../proofs/proof-display';
import { ProofView } from '../proofs/proof-report';
import { TrustBadge } from '../proofs/trust-badge';
import { formatRoute, START_ROUTE } from '../route';
import { useCommand, useLive, useServices, useWords } from '../services';
import { CopyMenu } from './copy-menu';
import { Part } from './detail-part';
import styles from './evaluation-detail.module.css';
import { evalCall } from './mcp-call';
import { SamplerResult } from './sampler-result';

export function EvaluationDetail({ id }: { id: number }) {
  const words = useWords();
  const { data, error } = useEvaluation(id);
  const { route } = useServices();
  const close = useCommand('detail:close');
  return (
    <section className={styles.detail} aria-label={words.entry.evaluationOf(id)} data-code-of={data?.session}>
      <header className={styles.head}>
        <div className={styles.about}>
          <h2>{words.entry.evaluationOf(id)}</h2>
          {data && <OutcomeMark outcome={data.outcome} />}
          {data && (
            <span className={styles.took}>
              <Duration ms={data.durationMs} since={data.startedAt} />
            </span>
          )}
          {data?.report?.proof && saysTrust(data.outcome, data.report.proof) && (
            <TrustBadge issues={data.report.proof.issues} subject={words.entry.thisEvaluation} />
          )}
        </div>
        <div className={styles.tools}>
          {data && (
            <>
              <RunAgain
                evaluation={data}
                onBegun={(begun) => route.setState({ evaluation: begun, call: null })}
              />
              <CopyMenu form={data.code} call={evalCall(data)} />
            </>
          )}
          <IconButton icon={X} label={close.title} shortcut={close.shortcut} onPress={close.run} />
        </div>
      </header>
      {error && <Problem>{error.message}</Problem>}
      {data && <Body evaluation={data} />}
    </section>
  );
}

function Body({ evaluation }: { evaluation: Evaluation }) {
  const words = useWords();
  const { code, engine, forms, warnings, condition, notes, report } = evaluation;
  const manyForms = forms.length > 1;
  return (
    <ScrollArea label={words.entry.details} className={styles.body}>
      <Facts evaluation={evaluation} />
      <Part title={words.entry.code} tool={<CopyButton text={code} what={words.copying.code} />}>
        <LispBlock code={code} engine={engine} />
      </Part>
      <BooksOf row={evaluation} report={report?.proof} frame={BooksPart} />
      {report?.proof && saysMore(report.proof) && (
        <Part title={words.entry.proof}>
          <ProofView proof={report.proof} forms={forms} engine={engine} />
        </Part>
      )}
      {report?.finalCheck && (
        <Part title={words.entry.finalCheck}>
          <FinalCheckView report={report.finalCheck} evaluation={evaluation.id} engine={engine} />
        </Part>
      )}
      {condition && (
        <Part title={words.entry.condition}>
          <ConditionView condition={condition} />
        </Part>
      )}
      {forms.length > 0 && (
        <Part title={manyForms ? words.entry.valuesOf(forms.length) : words.entry.values}>
          {keyed(forms).map(({ key, item }) => (
            <div key={key} className={styles.form}>
              {manyForms && <LispBlock code={item.code} engine={engine} />}
              <Values form={item} place={{ id: evaluation.id, form: Number(key) }} engine={engine} />
            </div>
          ))}
        </Part>
      )}
      {report?.profile && (
        <Part
          title={words.entry.profiles[report.profile.mode]}
          tool={<CopyButton text={report.profile.folded} what={words.copying.stacks} />}
        >
          <SamplerResult profile={report.profile} />
        </Part>
      )}
      <Printed evaluation={evaluation} />
      {warnings.length > 0 && (
        <Part title={words.entry.warnings}>
          <ul className={styles.lines}>
            {keyed(warnings).map(({ key, item: { severity, message } }) => (
              <li key={key}>
                <span className={styles.severity}>{severity}</span> {message}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {notes.length > 0 && (
        <Part title={words.entry.notes}>
          <ul className={styles.lines}>
            {keyed(notes).map(({ key, item }) => (
              <li key={key}>{item}</li>
            ))}
          </ul>
        </Part>
      )}
    </ScrollArea>
  );
}

function BooksPart({ children }: { children: ReactNode }) {
  const words = useWords();
  return <Part title={words.books.title}>{children}</Part>;
}

/** Whether the report has more than the badge says. */
function saysMore({ events, issues, observation, builder, certification }: ProofReport): boolean {
  return events.length > 0 || issues.length > 0 || Boolean(observation ?? builder ?? certification);
}

function Facts({ evaluation }: { evaluation: Evaluation }) {
  const words = useWords();
  const { startedAt, client, session, engine, project, kind, cost } = evaluation;
  const name = useLive(({ sessions }) => sessions.get(session)?.name);
  const link = formatRoute({ ...START_ROUTE, view: 'sessions', session });
  return (
    <dl className={styles.facts}>
      <dt>{words.entry.askedBy}</dt>
      <dd>
        {words.common.client(client)}{' '}
        <span className={styles.aside} translate="no">
          ({kind})
        </span>
      </dd>
      <dt>{words.entry.started}</dt>
      <dd>{words.formats.exact(startedAt)}</dd>
      {cost && (
        <>
          <dt>{words.entry.cost}</dt>
          <dd title={words.entry.allocated(words.formats.number(cost.bytes))}>{words.formats.cost(cost)}</dd>
        </>
      )}
      <dt>{words.entry.session}</dt>
      <dd>{name === undefined ? session : <a href={link}>{name}</a>}</dd>
      <dt>{words.entry.engine}</dt>
      <dd>
        {engineTitle(engine)}, <code>{evaluation.package}</code>
      </dd>
      <dt>{words.entry.project}</dt>
      <dd title={project}>{shortenPath(project, 44)}</dd>
    </dl>
  );
}

/** What it printed. The history keeps the streams apart; while it runs, the page knows their order as well. */
function Printed({ evaluation }: { evaluation: Evaluation }) {
  const words = useWords();
  const { id, outcome, stdout, stderr, outputDropped } = evaluation;
  const live = useLive(({ outputs }) => outputs.get(id));
  const pieces: readonly OutputPiece[] = outcome === 'running' && live ? live : piecesOf(stdout, stderr);
  if (pieces.length === 0) return null;
  const text = pieces.map((piece) => piece.text).join('');
  return (
    <Part title={words.entry.output} tool={<CopyButton text={text} what={words.copying.output} />}>
      <Output pieces={pieces} />
      {outputDropped > 0 && <p className={styles.aside}>{words.entry.dropped(outputDropped)}</p>}
    </Part>
  );
}
