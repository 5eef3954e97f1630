/** How `npm test` counts, and what it may be asked for. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkout, emptyFolder, runEntry, setupModule, writeFiles } from './setup-checkout';

interface Test {
  file: string;
  title: string;
  outcome: string;
  why?: string;
}

interface Modules {
  readReport(report: string): Test[];
  readReports(folder: string): Test[];
  failures(tests: Test[]): string[];
  tally(tests: Test[]): { passed: number; failed: number; skipped: number };
  outcome(report: string, code: number): Test[];
  errorsFile(report: string): string;
  testArguments(argv: string[], known: string[]): { soak: boolean; only: string[] };
}

let setup: Modules;
beforeAll(async () => {
  const names = ['test-results', 'test-selection'];
  setup = Object.assign({}, ...(await Promise.all(names.map((name) => setupModule<Partial<Modules>>(name)))));
});

function report(content: unknown): string {
  const folder = emptyFolder();
  writeFiles(folder, { 'report.json': JSON.stringify(content) });
  return path.join(folder, 'report.json');
}

const file = (status: string, ...tests: [string, string][]) => ({
  name: '/r/test/unit/a.test.ts',
  status,
  assertionResults: tests.map(([title, outcome]) => ({ title, status: outcome })),
});

describe("vitest's report", () => {
  it('is counted test by test', () => {
    const tests: [string, string][] = [
      ['a', 'passed'],
      ['b', 'failed'],
      ['c', 'pending'],
      ['d', 'todo'],
    ];
    const at = report({ testResults: [file('failed', ...tests)] });
    expect(setup.tally(setup.outcome(at, 1))).toEqual({ passed: 1, failed: 1, skipped: 2 });
    expect(setup.readReport(at)[0]).toEqual({
      file: '/r/test/unit/a.test.ts',
      title: 'a',
      outcome: 'passed',
    });
  });

  it('tells its failed tests by what they said', () => {
    const failed = { title: 'b', status: 'failed', failureMessages: ['AssertionError: 1 is not 2'] };
    const at = report({ testResults: [{ ...file('failed', ['a', 'passed']), assertionResults: [failed] }] });
    expect(setup.failures(setup.readReports(path.dirname(at)))).toEqual([
      'a.test.ts › b',
      '  AssertionError: 1 is not 2',
    ]);
  });

  it('counts a file that does not load as a failure', () => {
    const at = report({ testResults: [file('failed'), file('passed', ['a', 'passed'])] });
    expect(setup.tally(setup.outcome(at, 1))).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });
});

describe("Playwright's report", () => {
  it('is counted through nested suites; a test that passed only when run again has failed', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'tray.spec.ts',
      tests: [{ status, results: [] }],
    });
    const inner = { specs: [spec('b', 'flaky'), spec('c', 'skipped'), spec('d', 'unexpected')] };
    const at = report({
      config: { rootDir: '/r/test/e2e' },
      suites: [{ specs: [spec('a', 'expected')], suites: [inner] }],
      errors: [],
    });
    expect(setup.tally(setup.outcome(at, 1))).toEqual({ passed: 1, failed: 2, skipped: 1 });
    expect(setup.readReport(at)[0]?.file).toBe('/r/test/e2e/tray.spec.ts');
  });

  it('tells a failed test by the beginning of its message, without colours', () => {
    const error = { message: `\u001b[31mexpected 1\u001b[39m\n\n${'more\n'.repeat(40)}` };
    const spec = {
      title: 'a',
      file: 'tray.spec.ts',
      tests: [{ status: 'unexpected', results: [{ error }] }],
    };
    const at = report({ config: { rootDir: '/r/test/e2e' }, suites: [{ specs: [spec] }] });
    expect(setup.failures(setup.readReports(path.dirname(at))).slice(0, 3)).toEqual([
      'tray.spec.ts › a',
      '  expected 1',
      '  more',
    ]);
    expect(setup.failures(setup.readReports(path.dirname(at)))).toHaveLength(13);
  });

  it('counts an error outside the tests as a failure', () => {
    const at = report({ config: { rootDir: '/r' }, suites: [], errors: [{ message: 'no tests' }] });
    expect(setup.tally(setup.outcome(at, 1))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('a runner', () => {
  it('that met an error outside of its tests has failed, whatever else failed', () => {
    const at = report({ testResults: [file('failed', ['a', 'failed'])] });
    writeFileSync(setup.errorsFile(at), `${JSON.stringify('Unhandled Rejection')}\n`);
    expect(setup.tally(setup.outcome(at, 1))).toEqual({ passed: 0, failed: 2, skipped: 0 });
    expect(setup.outcome(at, 1)[1]).toMatchObject({
      title: 'the run as a whole',
      why: 'Unhandled Rejection',
    });
  });

  it('that failed with every test passed has failed all the same', () => {
    const at = report({ testResults: [file('passed', ['a', 'passed'])] });
    expect(setup.tally(setup.outcome(at, 1))).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('that wrote no report has failed', () => {
    expect(setup.tally(setup.outcome(path.join(emptyFolder(), 'none.json'), 134))).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });
});

describe('the options', () => {
  const known = ['lint', 'unit', 'e2e'];

  it('ask for every step unless they name some', () => {
    expect(setup.testArguments([], known)).toEqual({ soak: false, only: known });
    expect(setup.testArguments(['--soak', '--only', 'unit,e2e', '--only=lint'], known)).toEqual({
      soak: true,
      only: ['unit', 'e2e', 'lint'],
    });
  });

  it('may name parts of paths, and what files are to have changed since', () => {
    expect(setup.testArguments(['asked', 'e2e/tray', '--soak'], known)).toEqual({
      soak: true,
      only: known,
      patterns: ['asked', 'e2e/tray'],
    });
    expect(setup.testArguments(['--attacks'], known)).toMatchObject({ patterns: ['attacks'] });
    for (const alone of [['--changed'], ['--changed', '--soak']]) {
      expect(setup.testArguments(alone, known)).toMatchObject({ only: known, changed: 'HEAD' });
    }
    expect(setup.testArguments(['--changed', 'main'], known)).toMatchObject({ changed: 'main' });
    expect(setup.testArguments(['tray', '--changed=main'], known)).toMatchObject({
      patterns: ['tray'],
      changed: 'main',
    });
  });

  it('that are unknown are refused by name, before anything is installed', async () => {
    expect(() => setup.testArguments(['--only', 'units'], known)).toThrow(/units.*lint, unit, e2e/);
    const { code, stdout, stderr } = await runEntry(checkout(), 'test', ['--fast']).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--fast');
  });
});
