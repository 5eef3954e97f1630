/** The live store: what events make of it. */
import { describe, expect, it } from 'vitest';
import {
  isWhole,
  KEPT_EVALUATIONS,
  KEPT_OUTPUT,
  LINE,
  lastLine,
  NOTHING_LIVE,
  withOutput,
  withRow,
} from './live';
import { historyRow as row } from './test-rows';

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
    expect(state.outputs.get(7)).toEqual([
      { stream: 'stdout', text: 'ab' },
      { stream: 'stderr', text: '!' },
      { stream: 'stdout', text: 'c' },
    ]);
  });

  it('leave the rows as they are while they print, so that who shows rows need not draw them again', () => {
    expect(withOutput(opened, said('a')).evaluations).toBe(opened.evaluations);
  });

  it('keep the end of very long output', () => {
    const state = withOutput(withOutput(opened, said('x'.repeat(KEPT_OUTPUT))), said('end', 'stderr'));
    const output = state.outputs.get(7) ?? [];
    expect(output.reduce((sum, { text }) => sum + text.length, 0)).toBe(KEPT_OUTPUT);
    expect(output.at(-1)).toEqual({ stream: 'stderr', text: 'end' });
  });

  it('keep their output when they close', () => {
    const state = withRow(withOutput(opened, said('a')), row(7, { output: 'a' }));
    expect(state.evaluations.get(7)).toEqual(row(7, { output: 'a' }));
    expect(state.outputs.get(7)).toEqual([{ stream: 'stdout', text: 'a' }]);
  });

  it('are not taken for whole by the beginning of what was printed that a row has', () => {
    const state = withRow(NOTHING_LIVE, row(7, { output: 'the beg…', cut: ['output'] }));
    expect(state.outputs.has(7)).toBe(false);
    expect(isWhole(state.outputs.get(7))).toBe(false);
    expect(isWhole(withOutput(opened, said('a')).outputs.get(7))).toBe(true);
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
    for (let id = 100; id < 101 + KEPT_EVALUATIONS; id += 1)
      for (const outcome of ['running', 'ok'] as const) state = withRow(state, row(id, { outcome }));
    expect(state.trims).toBe(1);
    expect(state.evaluations.size).toBeLessThanOrEqual(KEPT_EVALUATIONS);
    expect(state.evaluations.has(7)).toBe(true);
    expect([...state.outputs.keys()]).toEqual([...state.evaluations.keys()]);
    expect(state.evaluations.has(100)).toBe(false);
  });
});
