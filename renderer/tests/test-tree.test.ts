/** The tree of tests with their latest results. */
import { describe, expect, it } from 'vitest';
import type { RecordedRun, TestedUnit } from '../../electron/contract/tests';
import { countsOf, failedChoices, resultsByTest, rowsOf, shortName, stateOf, testTree } from './test-tree';

const source = (name: string, path = 'tests/a.lisp') => ({
  name,
  suite: null,
  path,
  line: 1,
  form: `(deftest ${name})`,
});

const UNIT: TestedUnit = {
  kind: 'system',
  name: 'tide/tests',
  path: 'tide.asd',
  tests: [source('TIDE::A'), source('TIDE::B'), source('TIDE::C', 'tests/c.lisp')],
};

const failure = (test: string) => ({
  test,
  kind: 'failed' as const,
  reason: 'no',
  expected: '1',
  actual: '2',
});

function run(
  evaluation: number,
  tests: string[],
  failed: string[],
  more: Partial<RecordedRun> = {},
): RecordedRun {
  return {
    ...{ evaluation, session: 'sbcl-1', engine: 'sbcl', client: 'you', startedAt: evaluation, durationMs: 1 },
    ...{ outcome: 'ok', books: [], problem: null },
    runs: [{ framework: 'rt', tests, counts: null, failures: failed.map(failure) }],
    ...more,
  };
}

describe('the tree of tests', () => {
  it('shows the newest result of each test, whatever run it is of', () => {
    const runs = [run(9, ['TIDE:A'], []), run(8, ['TIDE::A', 'TIDE::B'], ['TIDE::A', 'TIDE::B'])];
    const [unit] = testTree([UNIT], resultsByTest(runs, []));
    expect(unit && countsOf([unit])).toEqual({ passed: 1, failed: 1, error: 0, running: 0, never: 1 });
    expect(unit && stateOf(unit)).toBe('failed');
    expect(unit?.children.map(({ title, kind }) => [title, kind])).toEqual([
      ['a', 'group'],
      ['c', 'group'],
    ]);
    expect(failedChoices(unit ? [unit] : [])).toEqual([{ system: 'tide/tests', tests: ['TIDE::B'] }]);
  });

  it('shows a run that goes on: what has passed, and the test that runs', () => {
    const soFar = {
      framework: 'rt',
      tests: ['TIDE::A', 'TIDE::B'],
      counts: null,
      failures: [],
      planned: 3,
      test: 'TIDE::B',
      since: 5,
    };
    const [unit] = testTree(
      [UNIT],
      resultsByTest([run(1, ['TIDE::A'], ['TIDE::A'])], [{ evaluation: 2, soFar }]),
    );
    expect(unit && countsOf([unit])).toEqual({ passed: 1, failed: 0, error: 0, running: 1, never: 1 });
  });

  it('has tests that only the newest run has, such as those of a macro or of a nicknamed package', () => {
    const runs = [run(2, ['TT::A', 'TIDE::MADE-BY-MACRO'], []), run(1, ['TIDE::GONE'], ['TIDE::GONE'])];
    const tree = testTree([UNIT], resultsByTest(runs, []));
    expect(tree.map(({ key }) => key)).toEqual(['system:tide/tests', 'others']);
    expect(tree[1]?.children.map(({ title }) => title)).toEqual(['a', 'made-by-macro']);
    expect(tree[0] && countsOf([tree[0]]).never).toBe(3);
  });

  it('has books, with the reason of one that is not certified', () => {
    const book: TestedUnit = { kind: 'book', name: 'src/leap', path: 'src/leap.lisp', tests: [] };
    const books = [{ book: 'src/leap', state: 'failed', because: 'a theorem fails' }];
    const [node] = testTree([book], resultsByTest([run(1, [], [], { runs: [], books })], []));
    expect(node).toMatchObject({
      choice: { path: 'src/leap.lisp' },
      result: { state: 'failed', because: 'a theorem fails' },
    });
    expect(failedChoices(node ? [node] : [])).toEqual([{ path: 'src/leap.lisp' }]);
  });

  it('opens where something failed, unless the user closed that', () => {
    const tree = testTree([UNIT], resultsByTest([run(1, ['TIDE::B'], ['TIDE::B'])], []));
    expect(rowsOf(tree, {}).map(({ node }) => node.title)).toEqual(['tide/tests', 'a', 'a', 'b', 'c', 'c']);
    expect(rowsOf(tree, { 'system:tide/tests': false }).map(({ open }) => open)).toEqual([false]);
  });
});

it.each([
  ['TIDE/TESTS::HIGH-WATER', 'HIGH-WATER'],
  ['TIDE:A', 'A'],
  ['berths.core-test/docks', 'docks'],
  ['plain', 'plain'],
])('%s is %s in short', (name, short) => {
  expect(shortName(name)).toBe(short);
});
