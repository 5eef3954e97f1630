/** The tree of a project's tests with the latest result of each. Pure. */
import type { TestFailure } from '../../electron/contract/report';
import type {
  RecordedRun,
  SourceTest,
  TestChoice,
  TestedUnit,
  TestsSoFar,
} from '../../electron/contract/tests';

/** `never`: no run is known. */
export type TestState = 'passed' | 'failed' | 'error' | 'running' | 'never';

/** The result of a test in one run. */
export interface TestResult {
  state: TestState;
  failures: readonly TestFailure[];
  /** The run; null for one that goes on. */
  run: RecordedRun | null;
  /** When the test began, while it runs. */
  since?: number;
  /** Why a book was not certified. */
  because?: string;
}

export interface TestNode {
  /** Unique in the tree, and constant. */
  key: string;
  kind: 'unit' | 'group' | 'test';
  title: string;
  unit: TestedUnit;
  /** The tests that run if it is chosen. */
  choice: TestChoice;
  /** For a test: its source; absent if only results name it. */
  source?: SourceTest;
  /** For a test or book: the latest result. */
  result?: TestResult;
  children: readonly TestNode[];
}

/** A run that goes on. */
export interface GoingRun {
  evaluation: number;
  soFar: TestsSoFar;
}

/** Names are compared without regard to case and to the number of colons. */
function keyOf(name: string): string {
  return name.replace(/::?/, '::').toLowerCase();
}

/** Returns the name without package or namespace. */
export function shortName(name: string): string {
  return name.replace(/^.*?::?/, '').replace(/^[^/]+\/(?=.)/, '') || name;
}

/** The results of every test by its key, newest first. */
export function resultsByTest(
  runs: readonly RecordedRun[],
  going: readonly GoingRun[],
): ReadonlyMap<string, TestResult[]> {
  const results = new Map<string, TestResult[]>();
  const add = (name: string, result: TestResult) => {
    const key = keyOf(name);
    const known = results.get(key);
    if (known) known.push(result);
    else results.set(key, [result]);
  };
  for (const { soFar } of going)
    for (const name of new Set(soFar.tests))
      add(
        name,
        name === soFar.test
          ? { state: 'running', failures: failuresOf(name, soFar.failures), run: null, since: soFar.since }
          : { ...resultOf(failuresOf(name, soFar.failures)), run: null },
      );
  for (const run of runs) {
    for (const { tests, failures, alsoFailed = [] } of run.runs)
      for (const name of new Set(tests)) {
        const result = resultOf(failuresOf(name, failures));
        add(name, { ...result, ...(alsoFailed.includes(name) ? { state: 'failed' as const } : {}), run });
      }
    for (const { book, state, because } of run.books)
      if (state === 'certified' || state === 'unchanged' || state === 'failed')
        add(book, {
          state: state === 'failed' ? 'failed' : 'passed',
          failures: [],
          run,
          ...(because === undefined ? {} : { because }),
        });
  }
  return results;
}

function failuresOf(name: string, failures: readonly TestFailure[]): TestFailure[] {
  return failures.filter(({ test }) => test === name);
}

function resultOf(failures: readonly TestFailure[]): Pick<TestResult, 'state' | 'failures'> {
  if (failures.length === 0) return { state: 'passed', failures };
  return { state: failures.some(({ kind }) => kind === 'failed') ? 'failed' : 'error', failures };
}

/** Tests that the newest run has and no source defines. */
const OTHERS: Omit<TestedUnit, 'tests'> = { kind: 'system', name: '', path: '' };

/** @param results as `resultsByTest` returns them */
export function testTree(
  units: readonly TestedUnit[],
  results: ReadonlyMap<string, readonly TestResult[]>,
): TestNode[] {
  const unseen = new Set(results.keys());
  const latest = (name: string): TestResult | undefined => {
    const key = keyOf(name);
    unseen.delete(key);
    return results.get(key)?.[0];
  };
  const tree = units.map((unit) => unitNode(unit, latest));
  const newest = Math.max(0, ...[...results.values()].map(([result]) => result?.run?.evaluation ?? 0));
  const rest = [...unseen].flatMap((key) => {
    const [result] = results.get(key) ?? [];
    // A test that only an older run had is gone.
    const isCurrent = result && (result.run === null || result.run.evaluation === newest);
    return isCurrent && result.because === undefined ? [{ key, result }] : [];
  });
  if (rest.length === 0) return tree;
  const unit: TestedUnit = { ...OTHERS, tests: [] };
  const children = rest.map(({ key, result }): TestNode => {
    const name = result.failures[0]?.test ?? key;
    return { ...leaf(unit, `others/${key}`, name, { tests: [name] }), result };
  });
  return [...tree, { key: 'others', kind: 'unit', title: '', unit, choice: {}, children }];
}

type Latest = (name: string) => TestResult | undefined;

function unitNode(unit: TestedUnit, latest: Latest): TestNode {
  const { kind, name, tests } = unit;
  const key = `${kind}:${name}`;
  const choice = kind === 'book' ? { path: `${name}.lisp` } : { system: name };
  const result = kind === 'book' ? latest(name) : undefined;
  const nodes = tests.map((test): TestNode => {
    const its = latest(test.name);
    const node = leaf(unit, `${key}/${test.name}`, test.name, { ...choice, tests: [test.name] });
    return { ...node, source: test, ...(its ? { result: its } : {}) };
  });
  const groups = new Map<string, TestNode[]>();
  for (const node of nodes) {
    const group = groupOf(node.source);
    groups.set(group, [...(groups.get(group) ?? []), node]);
  }
  const children =
    groups.size < 2
      ? nodes
      : [...groups].map(
          ([title, members]): TestNode => ({
            ...{ key: `${key}#${title}`, kind: 'group', title, unit, children: members },
            choice: { ...choice, tests: members.flatMap(({ source }) => source?.name ?? []) },
          }),
        );
  return { key, kind: 'unit', title: name, unit, choice, children, ...(result ? { result } : {}) };
}

function leaf(unit: TestedUnit, key: string, name: string, choice: TestChoice): TestNode {
  const short = shortName(name);
  // Common Lisp prints names in upper case that people write in lower case.
  const title = unit.kind === 'system' && short === short.toUpperCase() ? short.toLowerCase() : short;
  return { key, kind: 'test', title, unit, choice, children: [] };
}

/** The suite, or else the file without folder and extension. */
function groupOf(test: SourceTest | undefined): string {
  return test?.suite?.toLowerCase() ?? test?.path.replace(/^.*\//, '').replace(/\.[^.]*$/, '') ?? '';
}

/** The tests and books in a part of the tree. */
export function leavesOf(node: TestNode): TestNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}

export type StateCounts = Readonly<Record<TestState, number>>;

export function countsOf(nodes: readonly TestNode[]): StateCounts {
  const counts = { passed: 0, failed: 0, error: 0, running: 0, never: 0 };
  for (const { result } of nodes.flatMap(leavesOf)) counts[result?.state ?? 'never'] += 1;
  return counts;
}

/** The state that sums up a part of the tree. */
export function stateOf(node: TestNode): TestState {
  const counts = countsOf([node]);
  if (counts.running > 0) return 'running';
  if (counts.failed > 0) return 'failed';
  if (counts.error > 0) return 'error';
  return counts.passed > 0 ? 'passed' : 'never';
}

export function hasFailed({ result }: TestNode): boolean {
  return result?.state === 'failed' || result?.state === 'error';
}

/** Runs of the failed tests, one for each unit. */
export function failedChoices(tree: readonly TestNode[]): TestChoice[] {
  return tree.flatMap((node) => {
    const failed = leavesOf(node).filter(hasFailed);
    if (failed.length === 0) return [];
    const tests = failed.flatMap(({ choice }) => choice.tests ?? []);
    return [tests.length === 0 ? node.choice : { ...node.choice, tests }];
  });
}

/** A visible row of the tree. */
export interface TestRow {
  node: TestNode;
  /** From 1. */
  level: number;
  place: number;
  count: number;
  /** Whether it is expanded; null if it has no children. */
  open: boolean | null;
  above: TestNode | null;
}

/** @param opened parts that the user expanded or collapsed, by key; others are open where something failed or runs */
export function rowsOf(tree: readonly TestNode[], opened: Readonly<Record<string, boolean>>): TestRow[] {
  const rows = (nodes: readonly TestNode[], level: number, above: TestNode | null): TestRow[] =>
    nodes.flatMap((node, index) => {
      const open = node.children.length === 0 ? null : (opened[node.key] ?? opensItself(node));
      const row = { node, level, place: index + 1, count: nodes.length, open, above };
      return [row, ...(open ? rows(node.children, level + 1, node) : [])];
    });
  return rows(tree, 1, null);
}

/** Number of tests up to which a part is open although nothing in it failed. */
const FEW = 30;

function opensItself(node: TestNode): boolean {
  const state = stateOf(node);
  return state === 'failed' || state === 'error' || state === 'running' || leavesOf(node).length <= FEW;
}
