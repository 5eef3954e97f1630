/** Details of a history entry: an evaluation, which may be running, or a tool call. */

import { Copy, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { CallRecord } from '../../electron/contract/history';
import type { Evaluation } from '../../electron/contract/model';
import type { ProofReport } from '../../electron/contract/proof';
import { useCall, useEvaluation } from '../bridge-queries';
import { ConditionView, Output, piecesOf, Values } from '../evaluations/evaluation-result';
import { SamplerResult } from '../evaluations/flame-graph';
import { RunAgain } from '../evaluations/run-again';
import type { OutputPiece } from '../live';
import { CopyButton, IconButton, Menu, MenuItem } from '../parts/button';
import { LispBlock } from '../parts/code';
import { engineTitle, shortenPath } from '../parts/format';
import { noteFacts } from '../parts/note-facts';
import { ScrollArea } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/text';
import { keyed, Problem } from '../parts/view';
import { BooksOf } from '../proofs/certified-books';
import { FinalCheckView } from '../proofs/final-check';
import { showsTrust } from '../proofs/proof-display';
import { ProofView } from '../proofs/proof-report';
import { TrustBadge } from '../proofs/trust-badge';
import { formatRoute, START_ROUTE } from '../route';
import { useCommand, useLive, useServices, useWords } from '../services';
import styles from './entry-detail.module.css';

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
          {data && <OutcomeMark outcome={data.outcome} tests={data.tests} />}
          {data && (
            <span className={styles.took}>
              <Duration ms={data.durationMs} since={data.startedAt} />
            </span>
          )}
          {data?.report?.proof && showsTrust(data.outcome, data.report.proof) && (
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
      {report?.proof && hasDetails(report.proof) && (
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
            {keyed(noteFacts(notes)).map(({ key, item }) => (
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

/** Reports whether the report contains more than the badge shows. */
function hasDetails({ events, issues, observation, builder, certification }: ProofReport): boolean {
  return events.length > 0 || issues.length > 0 || Boolean(observation ?? builder ?? certification);
}

function Facts({ evaluation }: { evaluation: Evaluation }) {
  const words = useWords();
  const { startedAt, client, session, engine, project, kind, cost } = evaluation;
  const name = useLive(({ sessions }) => sessions.get(session)?.name);
  const link = formatRoute({ ...START_ROUTE, view: 'sessions', session });
  return (
    <dl className={styles.facts}>
      <dt>{words.entry.requestedBy}</dt>
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

/**
 * The output. The history saves the streams separately; while the evaluation runs, their order is known too.
 */
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

/** A tool call that evaluated nothing. */
export function CallDetail({ id }: { id: number }) {
  const words = useWords();
  const { data, error } = useCall(id);
  const close = useCommand('detail:close');
  return (
    <section className={styles.detail} aria-label={words.entry.callOf(id)}>
      <header className={styles.head}>
        <div className={styles.about}>
          <h2>{data?.tool ?? words.entry.call}</h2>
          {data && <OutcomeMark outcome={data.outcome} />}
          <span className={styles.took}>
            {data && data.durationMs !== null && <Duration ms={data.durationMs} since={data.startedAt} />}
          </span>
        </div>
        <div className={styles.tools}>
          {data && <CopyMenu call={mcpCall(data.tool, data.arguments)} />}
          <IconButton icon={X} label={close.title} shortcut={close.shortcut} onPress={close.run} />
        </div>
      </header>
      {error && <Problem>{error.message}</Problem>}
      {data && <CallBody record={data} />}
    </section>
  );
}

function CallBody({ record }: { record: CallRecord }) {
  const words = useWords();
  const { client, endpoint, startedAt, session, answer, errorCode } = record;
  return (
    <ScrollArea label={words.entry.details} className={styles.body}>
      <dl className={styles.facts}>
        <dt>{words.entry.requestedBy}</dt>
        <dd>
          {words.common.client(client)} <span className={styles.aside}>({endpoint})</span>
        </dd>
        <dt>{words.entry.started}</dt>
        <dd>{words.formats.exact(startedAt)}</dd>
        {session !== null && (
          <>
            <dt>{words.entry.session}</dt>
            <dd>{session}</dd>
          </>
        )}
        {errorCode !== null && (
          <>
            <dt>{words.entry.code}</dt>
            <dd>
              <code>{errorCode}</code>
            </dd>
          </>
        )}
      </dl>
      {argumentTexts(record.arguments).map(({ name, text }) => (
        <Part key={name} title={name} tool={<CopyButton text={text} what={name} />}>
          <pre className={styles.text}>{text}</pre>
        </Part>
      ))}
      {answer !== null && (
        <Part
          title={errorCode === null ? words.entry.answer : words.entry.reason}
          tool={<CopyButton text={answer} what={words.copying.answer} />}
        >
          <pre className={styles.text}>{answer}</pre>
        </Part>
      )}
    </ScrollArea>
  );
}

/** A titled part of the details. */
function Part({ title, tool, children }: { title: string; tool?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {tool}
      </header>
      {children}
    </section>
  );
}

interface CopyMenuProps {
  /** The code; absent for a call without code. */
  form?: string;
  call: string;
}

function CopyMenu({ form, call }: CopyMenuProps) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Copy} label={words.history.copy} />
      <Menu label={words.history.copy}>
        {form !== undefined && (
          <MenuItem
            title={words.history.copyForm}
            about={words.history.copyFormAbout}
            onChoose={() => void actions.copy(form, words.copying.form)}
          />
        )}
        <MenuItem
          title={words.history.copyCall}
          about={words.history.copyCallAbout}
          onChoose={() => void actions.copy(call, words.copying.call)}
        />
      </Menu>
    </MenuTrigger>
  );
}

/**
 * Returns the arguments as text, in order. Returns none if the JSON is not an object. @param json as saved in
 * the history
 */
function argumentTexts(json: string): { name: string; text: string }[] {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, each]) => ({
    name,
    text: typeof each === 'string' ? each : JSON.stringify(each, null, 2),
  }));
}

/** Returns the MCP request of a tool call. @param json its arguments */
export function mcpCall(tool: string, json: string): string {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: JSON.parse(json) as unknown },
  };
  return JSON.stringify(request, null, 2);
}

/** Returns the MCP request that evaluates this code in this session. */
export function evalCall({ code, session }: { code: string; session: string }): string {
  return mcpCall('eval', JSON.stringify({ code, session }));
}
