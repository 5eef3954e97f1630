import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Condition, Evaluation, type HistoryQuery, HistoryRow } from '../../electron/contract/model';
import { note } from '../../electron/contract/note';

import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { historyRow } from '../../electron/history/pages';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

function newEvaluations(): Evaluations {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  return new Evaluations(new Writer(database));
}

const condition: Condition = {
  type: 'COMMON-LISP:DIVISION-BY-ZERO',
  message: 'arithmetic error DIVISION-BY-ZERO signalled',
  level: 1,
  restarts: [{ index: 0, name: 'ABORT', description: 'Return to top level.', arguments: [] }],
  frames: [{ index: 0, call: '(/ 1 0)' }],
};

describe('Evaluations', () => {
  it('gives back what was opened and closed', () => {
    const evaluations = newEvaluations();
    const id = evaluations.open(opened({ kind: 'listener', code: '(/ 1 0)' }));
    expect(evaluations.find(id)).toMatchObject({ id, outcome: 'running', endedAt: null, durationMs: null });
    const close = closed({
      outcome: 'error',
      package: 'GEOMETRY',
      forms: [
        { code: '1', values: ['1'] },
        { code: '(values)', values: [] },
      ],
      warnings: [{ severity: 'style-warning', type: 'STYLE-WARNING', message: 'unused', form: 1 }],
      condition,
      notes: [note('weak_sandbox', 'fresh')],
    });
    const answered = evaluations.close(id, close);
    const found = Evaluation.parse(evaluations.find(id));
    expect(answered).toEqual(found);
    const { startedAt, ...rest } = opened({ kind: 'listener', code: '(/ 1 0)' });
    expect(found).toEqual({ ...rest, ...close, id, startedAt, stdout: '', stderr: '', outputDropped: 0 });
  });

  it('answers the closed row as it reads it back, whether or not it printed or was closed before', () => {
    const evaluations = newEvaluations();
    const [silent, printing] = [evaluations.open(opened()), evaluations.open(opened())];
    evaluations.appendOutput(printing, 'stderr', 'so far');
    for (const id of [silent, printing, silent, printing]) {
      expect(evaluations.close(id, closed({ notes: [note('weak_sandbox', 'fresh')] }))).toEqual(
        evaluations.find(id),
      );
    }
    expect(evaluations.find(printing)?.stderr).toBe('so far');
  });

  it('restores notes of earlier versions, which have texts only', () => {
    const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
    onTestFinished(() => void database.close());
    const evaluations = new Evaluations(new Writer(database));
    const id = evaluations.open(opened());
    evaluations.close(id, closed());
    database
      .prepare('update evaluations set notes = ? where id = ?')
      .run(JSON.stringify(['fresh', 'not sandboxed: none', { kind: 'of later', text: 'new' }]), id);
    expect(new Evaluations(new Writer(database)).find(id)?.notes).toEqual([
      note('recorded', 'fresh'),
      note('sandbox', 'not sandboxed: none'),
      note('recorded', 'new'),
    ]);
  });

  it('knows no evaluation that was never opened', () => {
    expect(newEvaluations().find(17)).toBeNull();
  });

  it('lists rows with long texts cut, the same as events tell them', () => {
    const evaluations = newEvaluations();
    const id = evaluations.open(opened({ code: 'c'.repeat(50_000) }));
    evaluations.appendOutput(id, 'stdout', 'o'.repeat(5_000));
    const message = 'm'.repeat(5_000);
    evaluations.close(
      id,
      closed({
        outcome: 'error',
        forms: [
          { code: 'a', values: ['not shown'] },
          { code: 'b', values: ['v'.repeat(5_000), '2'] },
        ],
        condition: { ...condition, message },
      }),
    );
    const { rows } = evaluations.page({ limit: 10 });
    const row = HistoryRow.parse(rows[0]);
    expect(row.code).toBe(`${'c'.repeat(19_999)}…`);
    expect(row.output).toBe(`${'o'.repeat(1_999)}…`);
    expect(row.values).toEqual([`${'v'.repeat(1_999)}…`, '2']);
    expect(row.conditionType).toBe(condition.type);
    expect(row.conditionMessage).toHaveLength(2_000);
    const evaluation = evaluations.find(id);
    expect(evaluation && historyRow(evaluation)).toEqual(row);
  });

  it('lists a running evaluation with its output so far', () => {
    const evaluations = newEvaluations();
    evaluations.appendOutput(evaluations.open(opened()), 'stdout', 'working');
    expect(evaluations.page({ limit: 1 }).rows[0]).toMatchObject({
      outcome: 'running',
      output: 'working',
      values: [],
    });
  });

  it('pages through 10,000 rows once each, newest first, while more come in', () => {
    const evaluations = newEvaluations();
    const ids = Array.from({ length: 10_000 }, () => evaluations.open(opened()));
    const seen: number[] = [];
    for (let before: number | null = null; ; ) {
      const page = evaluations.page({ limit: 137, ...(before === null ? {} : { before }) });
      seen.push(...page.rows.map(({ id }) => id));
      evaluations.open(opened());
      if (page.next === null) break;
      before = page.next;
    }
    expect(seen).toEqual(ids.reverse());
  });

  it('answers no next page where the rows end exactly at the limit', () => {
    const evaluations = newEvaluations();
    for (let i = 0; i < 4; i += 1) evaluations.open(opened());
    const page = evaluations.page({ limit: 2 });
    expect(page.next).toBe(3);
    expect(evaluations.page({ limit: 2, before: 3 })).toMatchObject({
      rows: [{ id: 2 }, { id: 1 }],
      next: null,
    });
  });

  it('filters by session, engine, outcome, client and project', () => {
    const evaluations = newEvaluations();
    const first = evaluations.open(
      opened({ session: 'nbb-1', engine: 'nbb', client: 'you', project: '/srv/shop' }),
    );
    const second = evaluations.open(opened());
    evaluations.close(second, closed());
    const found = (query: Partial<HistoryQuery>) =>
      evaluations.page({ limit: 9, ...query }).rows.map(({ id }) => id);
    expect(found({})).toEqual([second, first]);
    expect(found({ session: 'nbb-1' })).toEqual([first]);
    expect(found({ engine: 'sbcl' })).toEqual([second]);
    expect(found({ outcome: 'ok' })).toEqual([second]);
    expect(found({ outcome: 'running' })).toEqual([first]);
    expect(found({ client: 'you', project: '/srv/shop' })).toEqual([first]);
    expect(found({ client: 'you', project: '/home/ada/geometry' })).toEqual([]);
  });

  it('pages through what a client may see: the project’s rows, and its own anywhere, each once', () => {
    const evaluations = newEvaluations();
    const mine = { client: 'codex', project: '/srv/shop' };
    const row = (changes: Parameters<typeof opened>[0]) => {
      const id = evaluations.open(opened(changes));
      evaluations.close(id, closed());
      return id;
    };
    const here = row(mine);
    const elsewhere = row({ ...mine, project: '/srv/other' });
    const theirs = row({ ...mine, client: 'cursor' });
    row({ client: 'cursor', project: '/srv/other' });
    const last = row({ ...mine, code: '(needle 42)' });
    const found = (query: Partial<HistoryQuery>) => {
      const page = evaluations.page({ limit: 9, seenBy: mine, ...query });
      return [page.rows.map(({ id }) => id), page.next];
    };
    expect(found({})).toEqual([[last, theirs, elsewhere, here], null]);
    expect(found({ limit: 2 })).toEqual([[last, theirs], theirs]);
    expect(found({ limit: 2, before: theirs })).toEqual([[elsewhere, here], null]);
    for (const query of ['needle', '42']) expect(found({ query })).toEqual([[last], null]);
  });

  it('closes abandoned rows as crashed, with the note, and makes them searchable', () => {
    const evaluations = newEvaluations();
    const done = evaluations.open(opened());
    evaluations.close(done, closed());
    const abandoned = evaluations.open(opened({ code: '(loop-forever)' }));
    evaluations.appendOutput(abandoned, 'stdout', 'so far');
    expect(evaluations.closeAbandoned('the harbor ended')).toBe(1);
    expect(evaluations.closeAbandoned('the harbor ended')).toBe(0);
    const row = evaluations.find(abandoned);
    expect(row).toMatchObject({
      outcome: 'crashed',
      notes: [{ text: 'the harbor ended' }],
      stdout: 'so far',
      endedAt: null,
    });
    expect(evaluations.find(done)).toMatchObject({ outcome: 'ok', notes: [] });
    expect(evaluations.page({ query: 'loop-forever', limit: 5 }).rows.map(({ id }) => id)).toEqual([
      abandoned,
    ]);
  });
});
