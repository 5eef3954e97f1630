/** The tests of a project: a tree with the latest result of each, and the details of one. */

import { Bug, CircleStop, Eye, FlaskConical, Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { RecordedRun } from '../../electron/contract/tests';
import { Button } from '../parts/button';
import { Select } from '../parts/field';
import { engineTitle, shortenPath } from '../parts/format';
import { SplitPane } from '../parts/split-pane';
import { Duration } from '../parts/text';
import { Empty, Problem, View } from '../parts/view';
import { useLive, useServices, useViewState, useWords } from '../services';
import { TestDetail } from './test-detail';
import {
  type OpenRun,
  useGoing,
  useOpenRuns,
  useProjectTests,
  useRuns,
  useRunTests,
  useTestedSession,
} from './test-queries';
import {
  countsOf,
  failedChoices,
  type GoingRun,
  hasFailed,
  leavesOf,
  resultsByTest,
  shortName,
  type TestNode,
  testTree,
} from './test-tree';
import { TestTreeView } from './test-tree-view';
import styles from './tests.module.css';

/** Minimum width in pixels for details next to the tree. */
const COLUMNS_FROM = 760;

export function Tests() {
  const words = useWords();
  const { actions } = useServices();
  const session = useTestedSession();
  const opening = useLive((state) => state.opening !== null);
  if (session) return <TestsOf session={session} />;
  return (
    <View title={words.commands.titles['view:tests']}>
      <Empty
        icon={FlaskConical}
        title={words.tests.noSession}
        action={
          <Button kind="primary" isDisabled={opening} onPress={() => void actions.opener.open()}>
            {words.commands.titles['session:open']}
          </Button>
        }
      >
        {words.tests.noSessionAbout}
      </Empty>
    </View>
  );
}

function TestsOf({ session }: { session: SessionView }) {
  const words = useWords();
  const { viewState } = useServices();
  const { selected, watch } = useViewState(({ tests }) => tests);
  const { data: project, error } = useProjectTests(session);
  const { data: runs = [] } = useRuns(session);
  const open = useOpenRuns(session.project);
  const going = useGoing(open);
  const runTests = useRunTests();
  const tree = useMemo(
    () => testTree(project?.units ?? [], resultsByTest(runs, going)),
    [project, runs, going],
  );
  const nodes = tree.flatMap(nodesOf);
  const node = nodes.find(({ key }) => key === selected);
  const failed = failedChoices(tree);
  const units = tree.filter(({ key }) => key !== 'others');

  const setWatch = () =>
    viewState.setState(({ tests }) => ({ tests: { ...tests, watch: !tests.watch, session: session.id } }));
  const runAll = () => {
    // A system is loaded for its tests; the others find the tests of the whole project themselves.
    const isWhole = units.every(({ unit }) => unit.kind !== 'system');
    return runTests(session, isWhole ? [{}] : units.map(({ choice }) => choice));
  };
  const runFailed = () => runTests(session, failed);
  const run = (wanted: TestNode) => runTests(session, [wanted.choice]);
  const [debugged, setDebugged] = useState<number | undefined>();
  const debug = async (wanted: TestNode) => setDebugged(await runTests(session, [wanted.choice], true));
  useDebuggerOf(debugged, session.id);
  const goToNextFailure = () => {
    const leaves = tree.flatMap(leavesOf);
    const from = leaves.findIndex(({ key }) => key === selected) + 1;
    const next = [...leaves.slice(from), ...leaves].find(hasFailed);
    if (!next) return;
    const around = nodes
      .filter(({ children }) => children.length > 0)
      .filter((each) => leavesOf(each).includes(next));
    viewState.setState(({ tests }) => ({
      tests: {
        ...tests,
        selected: next.key,
        opened: { ...tests.opened, ...Object.fromEntries(around.map(({ key }) => [key, true])) },
      },
    }));
  };
  useLetters((key) => {
    const acts: Readonly<Record<string, (() => unknown) | false | undefined>> = {
      a: open.length === 0 && units.length > 0 && runAll,
      f: open.length === 0 && failed.length > 0 && runFailed,
      r: node && (() => run(node)),
      d: node && canDebug(node, session) && (() => debug(node)),
      n: goToNextFailure,
      w: setWatch,
    };
    const act = acts[key];
    if (act) void act();
    return Boolean(act);
  });

  const tools = (
    <>
      <SessionChoice session={session} />
      <Button icon={Eye} aria-pressed={watch} onPress={setWatch}>
        {words.tests.watch}
      </Button>
      <Button isDisabled={failed.length === 0 || open.length > 0} onPress={() => void runFailed()}>
        {words.tests.runFailed}
      </Button>
      <Button
        kind="primary"
        icon={Play}
        isDisabled={units.length === 0 || open.length > 0}
        onPress={() => void runAll()}
      >
        {words.tests.runAll}
      </Button>
    </>
  );
  return (
    <View title={words.commands.titles['view:tests']} tools={tools}>
      {error && <Problem>{error.message}</Problem>}
      <Summary tree={tree} open={open} going={going} runs={runs} session={session} />
      {tree.length === 0 ? (
        <Empty icon={FlaskConical} title={project ? words.tests.nothing : words.tests.reading}>
          {project ? words.tests.nothingAbout : shortenPath(session.project, 60)}
        </Empty>
      ) : (
        <SplitPane
          name="tests"
          columnsFrom={COLUMNS_FROM}
          initial={0.42}
          list={<TestTreeView tree={tree} onRun={(wanted) => void run(wanted)} />}
          detail={
            node ? (
              <TestDetail
                key={node.key}
                node={node}
                session={session}
                runs={runs}
                onRun={() => void run(node)}
                onDebug={canDebug(node, session) ? () => void debug(node) : undefined}
                onNext={tree.flatMap(leavesOf).some(hasFailed) ? goToNextFailure : undefined}
              />
            ) : (
              <Empty icon={FlaskConical} title={words.tests.choose}>
                {words.tests.chooseAbout}
              </Empty>
            )
          }
        />
      )}
      <footer className={styles.keys}>{words.tests.keys}</footer>
    </View>
  );
}

/** Shows the debugger when the evaluation is suspended. A test that fails without an error ends normally. */
function useDebuggerOf(evaluation: number | undefined, session: string): void {
  const { actions } = useServices();
  const isSuspended = useLive(
    ({ evaluations }) => evaluation !== undefined && evaluations.get(evaluation)?.outcome === 'debugger',
  );
  useEffect(() => {
    if (isSuspended) actions.openTab(session, 'debugger');
  }, [isSuspended, actions, session]);
}

function nodesOf(node: TestNode): TestNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

function canDebug({ kind, unit }: TestNode, { hold }: SessionView): boolean {
  return kind === 'test' && unit.kind === 'system' && hold !== null;
}

/** Calls `act` with single letters, except while a text field has the focus or a dialog or menu is open. */
function useLetters(act: (key: string) => boolean): void {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('[role=dialog], [role=menu]')) return;
      if (newest.current(event.key)) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, .cm-editor') !== null;
}

function SessionChoice({ session }: { session: SessionView }) {
  const words = useWords();
  const { viewState } = useServices();
  const sessions = useLive((state) => state.sessions);
  const open = [...sessions.values()].filter(({ state }) => state !== 'ended');
  return (
    <Select
      label={words.tests.session}
      value={session.id}
      options={open.map(({ id, name, engine }) => ({
        value: id,
        title: `${name} · ${engineTitle(engine)}`,
      }))}
      onChange={(id) => viewState.setState(({ tests }) => ({ tests: { ...tests, session: id } }))}
    />
  );
}

interface SummaryProps {
  tree: readonly TestNode[];
  open: readonly OpenRun[];
  going: readonly GoingRun[];
  runs: readonly RecordedRun[];
  session: SessionView;
}

/** The counts of the tree, and the run that goes on, with its progress and the buttons that stop it. */
function Summary({ tree, open, going, runs, session }: SummaryProps) {
  const words = useWords();
  const { actions } = useServices();
  const counts = countsOf(tree);
  const failures = counts.failed + counts.error;
  const [run] = open;
  const current = going.find(({ evaluation }) => evaluation === run?.id)?.soFar;
  const done = current ? current.tests.length - 1 : 0;
  return (
    <section className={styles.summary} aria-label={words.tests.progress}>
      {run && (
        <>
          <progress
            aria-label={words.tests.progress}
            max={Math.max(1, current?.planned ?? 1)}
            value={done}
            aria-valuetext={words.tests.done(done, current?.planned ?? 0)}
          />
          {current && (
            <span>
              {words.tests.done(done, current.planned)}{' '}
              <span className={styles.where} title={current.test}>
                {words.tests.runsIn(shortName(current.test))}
                <Duration ms={null} since={current.since} before=" · " />
              </span>
            </span>
          )}
          {session.measures?.break && (
            <Button icon={Pause} onPress={() => void actions.breakIn(run.session, run.id)}>
              {words.tests.breakIn}
            </Button>
          )}
          <Button
            icon={CircleStop}
            onPress={() =>
              void actions.harbor.sessions.stop({ session: run.session, evaluation: run.id, byForce: false })
            }
          >
            {words.tests.stop}
          </Button>
        </>
      )}
      <p className={styles.counts} role="status">
        {counts.passed > 0 && <span data-state="passed">{words.tests.passed(counts.passed)}</span>}
        {failures > 0 && <span data-state="failed">{words.tests.failed(failures)}</span>}
        {counts.never > 0 && <span data-state="never">{words.tests.notRun(counts.never)}</span>}
      </p>
      {!run && <EndedEarly run={runs[0]} />}
    </section>
  );
}

/** How the newest run ended, if not after its last test. */
function EndedEarly({ run }: { run: RecordedRun | undefined }) {
  const words = useWords();
  if (!run) return null;
  const early = run.runs.find(({ endedIn }) => endedIn !== undefined);
  if (early?.endedIn !== undefined)
    return <p className={styles.early}>{words.tests.endedIn(shortName(early.endedIn), early.notRun ?? 0)}</p>;
  return run.problem === null ? null : (
    <p className={styles.early}>
      <Bug size={12} aria-hidden /> {words.tests.notBegun(run.problem)}
    </p>
  );
}
