/** What a second run of a failed test file changes. */
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, setupModule, writeFiles } from './setup-checkout';

interface Test {
  file: string;
  title: string;
  outcome: string;
  why?: string;
}

interface Modules {
  flakyFiles(first: Test[], again: Test[]): { file: string; failed: Test[] }[];
  verdict(first: Test[], again: Test[]): Test[];
  readReports(folder: string): Test[];
}

let setup: Modules;
beforeAll(async () => {
  setup = await setupModule<Modules>('test-results');
});

const FILE = '/r/test/unit/a.test.ts';

/** Tests of one file, by title and outcome. */
const tests = (outcomes: Readonly<Record<string, string>>, file = FILE): Test[] =>
  Object.entries(outcomes).map(([title, outcome]) => ({ file, title, outcome }));

const first = [...tests({ a: 'passed', b: 'failed', c: 'skipped' }), ...tests({ d: 'passed' }, '/r/other')];

describe('a file that failed', () => {
  it('is flaky when all of it passes the second time, and then that counts', () => {
    const again = tests({ a: 'passed', b: 'passed', c: 'skipped' });
    expect(setup.flakyFiles(first, again)).toEqual([{ file: FILE, failed: tests({ b: 'failed' }) }]);
    expect(setup.verdict(first, again)).toEqual([...tests({ d: 'passed' }, '/r/other'), ...again]);
  });

  it.each<[string, Test[]]>([
    ['the same test fails again', tests({ a: 'passed', b: 'failed', c: 'skipped' })],
    ['another test fails', tests({ a: 'failed', b: 'passed', c: 'skipped' })],
    ['the test is skipped now', tests({ a: 'passed', b: 'skipped', c: 'skipped' })],
    ['a test is missing now', tests({ b: 'passed' })],
    ['nothing is reported of it', []],
    [
      'an error outside of the tests comes with it',
      [
        ...tests({ a: 'passed', b: 'passed' }),
        ...tests({ 'the run as a whole': 'failed' }, '/r/report.json'),
      ],
    ],
  ])('has failed when %s', (_, again) => {
    expect(setup.flakyFiles(first, again)).toEqual([]);
    expect(setup.verdict(first, again)).toEqual(first);
  });

  it('is flaky too when it could not be loaded at first', () => {
    const unloaded = tests({ 'the file as a whole': 'failed' });
    expect(setup.verdict(unloaded, tests({ a: 'passed' }))).toEqual(tests({ a: 'passed' }));
  });

  it('is flaky although another one fails again', () => {
    const both = [...first, ...tests({ e: 'failed' }, '/r/e')];
    const again = [...tests({ a: 'passed', b: 'passed' }), ...tests({ e: 'failed' }, '/r/e')];
    expect(setup.flakyFiles(both, again).map(({ file }) => file)).toEqual([FILE]);
    expect(setup.verdict(both, again)).toContainEqual({ file: '/r/e', title: 'e', outcome: 'failed' });
  });
});

describe('an error outside of the tests', () => {
  it('is made up for by nothing', () => {
    const whole = tests({ 'the run as a whole': 'failed' }, '/r/report.json');
    const again = tests({ a: 'passed', b: 'passed' });
    expect(setup.verdict([...first, ...whole], again)).toEqual(expect.arrayContaining(whole));
  });
});

describe('the reports on disk', () => {
  it('tell the second run of a file that passed in it', () => {
    const folder = emptyFolder();
    const report = (status: string) => {
      const assertionResults = [{ title: 'a', status }];
      return JSON.stringify({ testResults: [{ name: FILE, status, assertionResults }] });
    };
    writeFiles(folder, { 'unit.json': report('failed'), 'unit-again.json': report('passed') });
    expect(setup.readReports(folder)).toMatchObject([{ file: path.normalize(FILE), outcome: 'passed' }]);
  });
});
