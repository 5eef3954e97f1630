/** The checklist: its rows as data, and when a row counts as covered. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { Program, ROOT } from './setup-checkout';

interface Row {
  id: string;
  promise: string;
  check: string;
  untested?: string;
  measured?: boolean;
}

interface Coverage {
  readSystems(folder: string): { system: string; rows: Row[] }[];
  coverage(
    row: Row,
    tests: { file: string; title: string; outcome: string }[],
    folder: string,
  ): { state: string; by: string };
}

const FOLDER = path.join(ROOT, 'test/checklist');

let checklist: Coverage;
beforeAll(async () => {
  checklist = (await import(pathToFileURL(path.join(FOLDER, 'coverage.mjs')).href)) as Coverage;
});

describe('the rows', () => {
  it('are those of five systems and of others, in full', () => {
    const counts = checklist.readSystems(FOLDER).map(({ system, rows }) => [system, rows.length]);
    expect(counts).toEqual([
      ['Lisply backend', 40],
      ['cl-mcp-server', 102],
      ['lisp-mcp-server', 85],
      ['ACL2 MCP Bridge', 47],
      ['MCP-nREPL server', 87],
      ['others', 7],
    ]);
  });

  it('have an id of their own and of their system, a promise and a check', () => {
    const ids = checklist.readSystems(FOLDER).flatMap(({ rows }, system) =>
      rows.map((row) => {
        expect(row.id).toMatch(new RegExp(`^S${system}-\\d+$`));
        expect(row.promise, row.id).not.toBe('');
        expect(row.check, row.id).not.toBe('');
        return row.id;
      }),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refer to conflicts that are decided', () => {
    const conflicts = JSON.parse(readFileSync(path.join(FOLDER, 'conflicts.json'), 'utf8')) as {
      id: string;
    }[];
    const decided = conflicts.map(({ id }) => id);
    const rows = checklist.readSystems(FOLDER).flatMap((system) => system.rows);
    const referred = rows.flatMap((row) => row.check.match(/\bC\d+\b/g) ?? []);
    expect(referred.length).toBeGreaterThan(0);
    expect(referred.filter((id) => !decided.includes(id))).toEqual([]);
  });
});

describe('a row', () => {
  const row = { id: 'S3-8', promise: 'DELETE ends the session', check: 'gone' };
  const test = (title: string, outcome = 'passed', file = '/r/test/checklist/s3.test.ts') => ({
    title,
    outcome,
    file,
  });
  const stateOf = (...tests: ReturnType<typeof test>[]) =>
    checklist.coverage(row, tests, '/r/test/checklist').state;

  it.each(['S3-8 DELETE ends the session', 'ends it (S3-8, S3-31)', 'S3-7 S3-8: gone'])(
    'is covered by "%s"',
    (title) => {
      expect(stateOf(test(title))).toBe('covered');
    },
  );

  it.each(['S3-80 stdio', 'XS3-8 no', 'S3-8x no', 'DELETE ends the session'])(
    'is not covered by "%s"',
    (title) => {
      expect(stateOf(test(title))).toBe('open');
    },
  );

  it('is not covered by a test that was skipped, or that lies elsewhere', () => {
    expect(stateOf(test('S3-8 a', 'skipped'))).toBe('open');
    expect(stateOf(test('S3-8 a', 'passed', '/r/test/unit/s3.test.ts'))).toBe('open');
    expect(stateOf(test('S3-8 a', 'passed', '/r/test/checklist-old/s3.test.ts'))).toBe('open');
  });

  it('fails when one of its tests fails', () => {
    expect(stateOf(test('S3-8 a'), test('S3-8 b', 'failed'))).toBe('failing');
  });

  it('needs no test where it promises documentation, or a time that is measured', () => {
    const state = (more: Partial<Row>) =>
      checklist.coverage({ ...row, ...more }, [], '/r/test/checklist').state;
    expect(state({ untested: 'documentation' })).toBe('untested');
    expect(state({ measured: true })).toBe('measured');
  });
});

describe('the report', () => {
  it('shows every row and a total for each system', async () => {
    const { code, stdout } = await new Program(process.execPath, ['test/checklist/report.mjs'], ROOT).ended;
    expect(code).toBe(0);
    const rows = checklist.readSystems(FOLDER).flatMap((system) => system.rows);
    for (const { id } of rows) expect(stdout).toMatch(new RegExp(`^. ${id} `, 'm'));
    expect(stdout).toMatch(new RegExp(`^all systems\\s+${rows.length} rows: \\d+ covered`, 'm'));
  });

  it('has no file beside it whose rows it does not read', () => {
    const data = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'conflicts.json');
    expect(data).toHaveLength(checklist.readSystems(FOLDER).length);
  });
});
