/** A test or a part of the tree: its failures with form, expected and actual value, its runs and its source. */

import { ArrowDown, Bug, Play } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { EngineName, SessionView } from '../../electron/contract/model';
import type { TestFailure } from '../../electron/contract/report';
import type { RecordedRun } from '../../electron/contract/tests';
import { Button } from '../parts/button';
import { LispBlock } from '../parts/code';
import { nameInProject } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { keyed } from '../parts/view';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import { differenceOf } from './difference';
import { hasFailed, leavesOf, resultsByTest, stateOf, type TestNode } from './test-tree';
import { TEST_ICONS } from './test-tree-view';
import styles from './tests.module.css';

interface TestDetailProps {
  node: TestNode;
  session: SessionView;
  runs: readonly RecordedRun[];
  onRun: () => void;
  /** Absent if it cannot be debugged. */
  onDebug: (() => void) | undefined;
  /** Absent if nothing has failed. */
  onNext: (() => void) | undefined;
}

export function TestDetail({ node, session, runs, onRun, onDebug, onNext }: TestDetailProps) {
  const words = useWords();
  const state = stateOf(node);
  const Icon = TEST_ICONS[state];
  const title = node.title || words.tests.others;
  const { source, result } = node;
  const engine = result?.run?.engine ?? session.engine;
  const place = source ? `${source.path}:${source.line}` : node.unit.path;
  return (
    <section className={styles.detail} aria-label={title} data-code-of={session.id}>
      <header className={styles.detailHead}>
        <h2 translate="no">
          <Icon size={14} strokeWidth={2.4} data-state={state} className={styles.state} aria-hidden />
          {title}
        </h2>
        <span data-state={state} className={styles.word}>
          {words.tests.states[state]}
        </span>
        <div className={styles.tools}>
          {onDebug && (
            <Button kind="primary" icon={Bug} onPress={onDebug}>
              {words.tests.debug}
            </Button>
          )}
          <Button icon={Play} onPress={onRun}>
            {words.tests.run}
          </Button>
          {onNext && (
            <Button icon={ArrowDown} onPress={onNext}>
              {words.tests.nextFailure}
            </Button>
          )}
        </div>
        <p className={styles.place} translate="no">
          {place}
        </p>
      </header>
      <ScrollArea label={words.tests.result} className={styles.detailBody}>
        {result?.because !== undefined && <Part title={words.tests.reason}>{result.because}</Part>}
        {keyed(result?.failures ?? []).map(({ key, item }) => (
          <Failure key={key} failure={item} engine={engine} project={session.project} shownPlace={place} />
        ))}
        {node.children.length > 0 && <FailedInside node={node} />}
        <LastRuns node={node} runs={runs} />
        {source && (
          <Part title={words.tests.definition}>
            <LispBlock code={source.form} engine={session.engine} />
          </Part>
        )}
      </ScrollArea>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface FailureProps {
  failure: TestFailure;
  engine: EngineName;
  project: string;
  /** The place in the heading, which is not repeated. */
  shownPlace: string;
}

function Failure({ failure, engine, project, shownPlace }: FailureProps) {
  const words = useWords();
  const { form, expected, actual, reason, file, line } = failure;
  const place =
    file === undefined || line === undefined ? shownPlace : `${nameInProject(file, project)}:${line}`;
  const isCompared = expected !== undefined && actual !== undefined;
  return (
    <div className={styles.failure}>
      {form !== undefined && (
        <Part title={words.tests.form}>
          <div className={styles.framed}>
            <LispBlock code={form} engine={engine} />
          </div>
        </Part>
      )}
      {(expected !== undefined || actual !== undefined) && (
        <div className={styles.compared}>
          {expected !== undefined && (
            <Part title={words.tests.expected}>
              <LispBlock code={expected} engine={engine} />
            </Part>
          )}
          {actual !== undefined && (
            <Part title={words.tests.actual}>
              <LispBlock code={actual} engine={engine} />
            </Part>
          )}
        </div>
      )}
      {isCompared && <Difference expected={expected} actual={actual} />}
      {(!isCompared || form === undefined) && reason !== '' && (
        <Part title={words.tests.reason}>
          <p className={styles.reason} lang="en">
            {reason}
          </p>
        </Part>
      )}
      {place !== shownPlace && (
        <p className={styles.place} translate="no">
          {place}
        </p>
      )}
    </div>
  );
}

function Difference({ expected, actual }: { expected: string; actual: string }) {
  const words = useWords();
  const parts = useMemo(() => differenceOf(expected, actual), [expected, actual]);
  if (!parts) return null;
  return (
    <Part title={words.tests.difference}>
      <pre className={styles.difference}>
        {keyed(parts).map(({ key, item: { kind, text } }) =>
          kind === 'same' ? (
            text
          ) : kind === 'removed' ? (
            <del key={key}>{text}</del>
          ) : (
            <ins key={key}>{text}</ins>
          ),
        )}
      </pre>
    </Part>
  );
}

/** The first failures in a part of the tree. */
function FailedInside({ node }: { node: TestNode }) {
  const failed = leavesOf(node).filter(hasFailed).slice(0, 50);
  return (
    <ul className={styles.inside}>
      {failed.map(({ key, title, result }) => (
        <li key={key}>
          <b translate="no">{title}</b>{' '}
          <span lang="en">{result?.failures[0]?.reason ?? result?.because}</span>
        </li>
      ))}
    </ul>
  );
}

/** Number of earlier runs shown. */
const SHOWN_RUNS = 12;

function LastRuns({ node, runs }: { node: TestNode; runs: readonly RecordedRun[] }) {
  const words = useWords();
  const name =
    node.source?.name ?? node.choice.tests?.[0] ?? (node.unit.kind === 'book' ? node.unit.name : null);
  const results = useMemo(() => {
    const all = resultsByTest(runs, []);
    const own = name === null ? undefined : all.get(name.replace(/::?/, '::').toLowerCase());
    return (own ?? []).slice(0, SHOWN_RUNS).toReversed();
  }, [name, runs]);
  if (node.kind === 'group' || results.length === 0) return null;
  return (
    <Part title={words.tests.lastRuns}>
      <p className={styles.runs}>
        {results.map(({ run, state }) => {
          if (!run) return null;
          const Icon = TEST_ICONS[state];
          const at = words.formats.exact(run.startedAt);
          const label = words.tests.runOf(
            words.tests.states[state],
            run.evaluation,
            words.common.client(run.client),
            at,
          );
          return (
            <a
              key={run.evaluation}
              href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: run.evaluation })}
              title={label}
              aria-label={label}
              data-state={state}
            >
              <Icon size={13} strokeWidth={2.4} className={styles.state} aria-hidden />
            </a>
          );
        })}
      </p>
    </Part>
  );
}
