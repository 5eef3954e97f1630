/** The live store: what events make of it, and how evaluations of the past and of now become one list. */
import { describe, expect, it } from 'vitest';
import type { HistoryRow, SessionView } from '../electron/contract/model';
import { mergeRows, type RowFilter } from './evaluations/evaluation-list';
import {
  KEPT_EVALUATIONS,
  KEPT_OUTPUT,
  LINE,
  lastLine,
  NOTHING_LIVE,
  withEnded,
  withOutput,
  withRow,
  withSession,
} from './live';
import { reliefOf, sessionRows } from './sessions/session-list';

function row(id: number, part: Partial<HistoryRow> = {}): HistoryRow {
  return {
    id,
    kind: 'eval',
    session: 's1',
    engine: 'sbcl',
    client: 'codex',
    project: '/p',
    package: 'CL-USER',
    code: `(f ${id})`,
    outcome: 'ok',
    startedAt: id,
    endedAt: id + 1,
    durationMs: 1,
    values: [],
    output: '',
    conditionType: null,
    conditionMessage: null,
    ...part,
  };
}

function session(id: string, part: Partial<SessionView> = {}): SessionView {
  return {
    id,
    engine: 'sbcl',
    name: id,
    state: 'idle',
    package: 'CL-USER',
    client: 'codex',
    project: '/p',
    pid: 1,
    memoryBytes: 1,
    startedAt: 0,
    lastUsedAt: 0,
    generation: 1,
    sandbox: { confined: true, launcher: 'bubblewrap' },
    runningEvaluation: null,
    limits: { heapMiB: 2048, cpuSeconds: null, outputChars: 4_194_304 },
    hold: false,
    checkpoints: true,
    comesBack: { checkpoint: null, definitions: true },
    slime: true,
    world: false,
    trust: null,
    ...part,
  };
}

const ALL: RowFilter = { query: '', engine: null, outcome: null, session: null };

describe('live evaluations', () => {
  const opened = withRow(NOTHING_LIVE, row(7, { outcome: 'running', endedAt: null, durationMs: null }));
  const said = (text: string, stream: 'stdout' | 'stderr' = 'stdout') => ({
    evaluation: 7,
    session: 's1',
    stream,
    text,
  });

  it('collect output by stream in its order', () => {
    let state = opened;
    for (const output of [said('a'), said('b'), said('!', 'stderr'), said('c')])
      state = withOutput(state, output);
    expect(state.evaluations.get(7)?.output).toEqual([
      { stream: 'stdout', text: 'ab' },
      { stream: 'stderr', text: '!' },
      { stream: 'stdout', text: 'c' },
    ]);
  });

  it('keep the end of very long output', () => {
    const state = withOutput(withOutput(opened, said('x'.repeat(KEPT_OUTPUT))), said('end', 'stderr'));
    const output = state.evaluations.get(7)?.output ?? [];
    expect(output.reduce((sum, { text }) => sum + text.length, 0)).toBe(KEPT_OUTPUT);
    expect(output.at(-1)).toEqual({ stream: 'stderr', text: 'end' });
  });

  it('keep their output when they close', () => {
    const state = withRow(withOutput(opened, said('a')), row(7, { output: 'a' }));
    expect(state.evaluations.get(7)).toEqual({
      row: row(7, { output: 'a' }),
      output: [{ stream: 'stdout', text: 'a' }],
    });
  });

  it('end with a line, whatever streams it came by in whatever pieces', () => {
    const line = (...texts: string[]) =>
      lastLine(texts.map((text, at) => ({ stream: at % 2 ? 'stderr' : 'stdout', text })));
    expect(line()).toBe('');
    expect(line('one\ntwo\n', ' \n')).toBe('two');
    expect(line('one\ntwo, ', 'thr', 'ee\n')).toBe('two, three');
    expect(line('x'.repeat(2 * LINE))).toBe('x'.repeat(LINE));
  });

  it('ignore output of one that is not known', () => {
    expect(withOutput(NOTHING_LIVE, said('a'))).toBe(NOTHING_LIVE);
  });

  it('let old ones go but never one that runs', () => {
    let state = opened;
    for (let id = 100; id < 101 + KEPT_EVALUATIONS; id += 1) state = withRow(state, row(id));
    expect(state.trims).toBe(1);
    expect(state.evaluations.size).toBeLessThanOrEqual(KEPT_EVALUATIONS);
    expect(state.evaluations.has(7)).toBe(true);
    expect(state.evaluations.has(100)).toBe(false);
  });
});

describe('one list of two sources', () => {
  const live = (...rows: HistoryRow[]) => rows.map((item) => ({ row: item, output: [] }));
  const ids = (rows: readonly HistoryRow[]) => rows.map(({ id }) => id);

  it('is newest first, with live rows in the place of their older selves', () => {
    const merged = mergeRows([row(5, { outcome: 'running' }), row(4)], live(row(6), row(5)), ALL, false);
    expect(ids(merged)).toEqual([6, 5, 4]);
    expect(merged[1]?.outcome).toBe('ok');
  });

  it('shows only live rows that fit', () => {
    const rows = live(row(9, { engine: 'nbb' }), row(8, { values: ['Forty-Two'] }), row(7));
    expect(ids(mergeRows([], rows, { ...ALL, engine: 'nbb' }, false))).toEqual([9]);
    expect(ids(mergeRows([], rows, { ...ALL, query: 'forty' }, false))).toEqual([8]);
    expect(ids(mergeRows([], rows, { ...ALL, session: 'other' }, false))).toEqual([]);
  });

  it('drops a row whose outcome fits no more', () => {
    const filter: RowFilter = { ...ALL, outcome: 'running' };
    expect(mergeRows([row(5, { outcome: 'running' })], live(row(5)), filter, false)).toEqual([]);
  });

  it('leaves rows older than the last page to the next one', () => {
    expect(ids(mergeRows([row(5), row(4)], live(row(2)), ALL, true))).toEqual([5, 4]);
  });
});

describe('sessions', () => {
  const sort = { column: 'age', direction: 'ascending' } as const;

  it('stay known after they ended, but are listed no more', () => {
    const state = withEnded(withSession(NOTHING_LIVE, session('a')), 'a');
    expect(state.sessions.get('a')?.state).toBe('ended');
    expect(sessionRows(state.sessions.values(), '', sort)).toEqual([]);
  });

  it('are listed youngest first, and sorted by any column', () => {
    const rows = [
      session('b', { startedAt: 1, memoryBytes: 5 }),
      session('a', { startedAt: 2, memoryBytes: null }),
    ];
    const names = (...[filter, by]: [string, Parameters<typeof sessionRows>[2]]) =>
      sessionRows(rows, filter, by).map(({ id }) => id);
    expect(names('', sort)).toEqual(['a', 'b']);
    expect(names('', { column: 'memory', direction: 'descending' })).toEqual(['b', 'a']);
    expect(names('', { column: 'name', direction: 'ascending' })).toEqual(['a', 'b']);
  });

  it('are sorted by how long they have been idle; what works or is held is not', () => {
    const rows = [
      session('old', { lastUsedAt: 1 }),
      session('running', { lastUsedAt: 0, state: 'running' }),
      session('new', { lastUsedAt: 5 }),
      session('held', { lastUsedAt: 2, state: 'debugger', startedAt: -1 }),
    ];
    const names = (direction: 'ascending' | 'descending') =>
      sessionRows(rows, '', { column: 'idle', direction }).map(({ id }) => id);
    expect(names('ascending')).toEqual(['running', 'held', 'new', 'old']);
    expect(names('descending')).toEqual(['old', 'new', 'running', 'held']);
  });

  it('that could give memory back are the largest, and those idle for longest', () => {
    const rows = [
      session('small', { memoryBytes: 1, lastUsedAt: 3 }),
      session('large', { memoryBytes: 9, lastUsedAt: 4, state: 'running' }),
      session('middle', { memoryBytes: 5, lastUsedAt: 2 }),
      session('elsewhere', { memoryBytes: null, lastUsedAt: 1 }),
      session('ended', { memoryBytes: 99, lastUsedAt: 0, state: 'ended' }),
    ];
    const { largest, longestIdle } = reliefOf(rows, 2);
    expect(largest.map(({ id }) => id)).toEqual(['large', 'middle']);
    expect(longestIdle.map(({ id }) => id)).toEqual(['elsewhere', 'middle']);
  });

  it('are found by every word of the filter', () => {
    const rows = [session('a', { client: 'codex' }), session('b', { engine: 'nbb', client: 'codex' })];
    expect(sessionRows(rows, 'codex NBB', sort).map(({ id }) => id)).toEqual(['b']);
  });
});
