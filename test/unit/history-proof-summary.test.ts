/** What rows of the history show of a prover's report: the same whether told as it happens or read back. */
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryRow } from '../../electron/contract/model';
import type { EventReport, KeyCheckpoint, ProofReport } from '../../electron/contract/proof';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { historyRow } from '../../electron/history/pages';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

const GOAL: KeyCheckpoint = { goal: 'Goal', text: '(EQUAL X Y)', form: '(EQUAL X Y)', pushed: null };

function event(changes: Partial<EventReport> = {}): EventReport {
  return {
    form: 0,
    operator: 'DEFTHM',
    verdict: 'admitted',
    command: 1,
    events: [{ kind: 'DEFTHM', names: ['APP-ASSOC'], depth: 0, skipped: false }],
    eventCount: 1,
    figures: null,
    checkpoints: null,
    issues: [],
    ...changes,
  };
}

/** Closes a row with the report and answers it as a page has it, having seen that an event tells the same. */
function rowWith(proof: ProofReport): HistoryRow {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  const evaluations = new Evaluations(new Writer(database));
  const id = evaluations.open(opened({ engine: 'acl2' }));
  const evaluation = evaluations.close(id, closed({ report: { loaded: [], failures: [], runs: [], proof } }));
  const row = HistoryRow.parse(evaluations.page({ limit: 1 }).rows[0]);
  expect(historyRow(evaluation)).toEqual(row);
  return row;
}

describe('a row', () => {
  it('has the verdict of an event, its names, its figures and what it rests on', () => {
    const figures = {
      steps: 357,
      milliseconds: 10,
      rules: ['(:DEFINITION APP)'],
      hintEvents: [],
      splitterRules: [],
      warnings: [],
      abortCauses: [],
    };
    const issues = [{ kind: 'axiom' as const, about: ['AX'] }];
    expect(rowWith({ events: [event({ figures })], issues, command: 1 }).proof).toEqual({
      events: [
        {
          operator: 'DEFTHM',
          verdict: 'admitted',
          names: ['APP-ASSOC'],
          steps: 357,
          milliseconds: 10,
          checkpoints: 0,
        },
      ],
      total: 1,
      issues,
    });
  });

  it('counts the key checkpoints of a failure, but not those that were reverted', () => {
    const checkpoints = { top: [GOAL], induction: [GOAL], reverted: [GOAL], untold: 1, gaveUp: null };
    const failed = event({ verdict: 'failed', events: [], checkpoints });
    expect(rowWith({ events: [failed], issues: [], command: 1 }).proof?.events).toEqual([
      { operator: 'DEFTHM', verdict: 'failed', names: [], steps: null, milliseconds: null, checkpoints: 3 },
    ]);
  });

  it('has the last of many events in their order, and says how many there were', () => {
    const named = (name: string) =>
      event({ events: [{ kind: 'DEFTHM', names: [name], depth: 0, skipped: false }] });
    const events = Array.from({ length: 40 }, (_, n) => named(`L${n + 1}`));
    const { proof } = rowWith({ events, issues: [], command: 40 });
    expect(proof?.total).toBe(40);
    expect(proof?.events.map(({ names }) => names.join(' '))).toEqual([
      'L35',
      'L36',
      'L37',
      'L38',
      'L39',
      'L40',
    ]);
  });

  it('names what the form brought, not what it brought on the way, and few of many names', () => {
    const inner = { kind: 'DEFUN', names: ['HIDDEN'], depth: 1, skipped: false };
    const names = Array.from({ length: 50 }, (_, n) => `F${n}`);
    const outer = { kind: 'ENCAPSULATE', names, depth: 0, skipped: false };
    const { proof } = rowWith({
      events: [event({ events: [inner, outer] })],
      issues: [{ kind: 'program-mode', about: [...names, 'N'.repeat(5_000)] }],
      command: 1,
    });
    expect(proof?.events[0]?.names).toEqual(names.slice(0, 12));
    expect(proof?.issues[0]?.about).toEqual(names.slice(0, 12));
  });

  it('of an engine that proves nothing has no such summary', () => {
    const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
    onTestFinished(() => void database.close());
    const evaluations = new Evaluations(new Writer(database));
    evaluations.close(
      evaluations.open(opened()),
      closed({ report: { loaded: ['a'], failures: [], runs: [] } }),
    );
    evaluations.close(evaluations.open(opened()), closed());
    expect(evaluations.page({ limit: 9 }).rows.map((row) => 'proof' in row)).toEqual([false, false]);
  });
});
