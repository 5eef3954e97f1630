/** The live store. */

import { describe, expect, it } from 'vitest';
import {
  isWhole,
  LINE_LENGTH,
  lastLine,
  MAX_CLOSED_EVALUATIONS,
  MAX_OUTPUT,
  NOTHING_LIVE,
  type OutputPiece,
  ownOutput,
  withOutput,
  withRow,
} from './live';
import { historyRow as row } from './test-rows';

describe('live evaluations', () => {
  const opened = withRow(NOTHING_LIVE, row(7, { outcome: 'running', endedAt: null, durationMs: null }));
  const output = (text: string, stream: 'stdout' | 'stderr' = 'stdout') => ({
    evaluation: 7,
    session: 's1',
    stream,
    text,
  });

  it('collect output by stream in its order', () => {
    let state = opened;
    for (const piece of [output('a'), output('b'), output('!', 'stderr'), output('c')])
      state = withOutput(state, piece);
    expect(state.outputs.get(7)).toEqual([
      { stream: 'stdout', text: 'ab' },
      { stream: 'stderr', text: '!' },
      { stream: 'stdout', text: 'c' },
    ]);
  });

  it('leave the rows unchanged while they print, so that rows are not rendered again', () => {
    expect(withOutput(opened, output('a')).evaluations).toBe(opened.evaluations);
  });

  it('keep the end of very long output', () => {
    const state = withOutput(withOutput(opened, output('x'.repeat(MAX_OUTPUT))), output('end', 'stderr'));
    const pieces = state.outputs.get(7) ?? [];
    expect(pieces.reduce((sum, { text }) => sum + text.length, 0)).toBe(MAX_OUTPUT);
    expect(pieces.at(-1)).toEqual({ stream: 'stderr', text: 'end' });
  });

  it('keep their output when they close', () => {
    const state = withRow(withOutput(opened, output('a')), row(7, { output: 'a' }));
    expect(state.evaluations.get(7)).toEqual(row(7, { output: 'a' }));
    expect(state.outputs.get(7)).toEqual([{ stream: 'stdout', text: 'a' }]);
  });

  it('do not count the start of the output in a row as complete', () => {
    const state = withRow(NOTHING_LIVE, row(7, { output: 'the beg…', cut: ['output'] }));
    expect(state.outputs.has(7)).toBe(false);
    expect(isWhole(state.outputs.get(7))).toBe(false);
    expect(isWhole(withOutput(opened, output('a')).outputs.get(7))).toBe(true);
  });

  it('have a last line across streams and pieces', () => {
    const line = (...texts: string[]) =>
      lastLine(texts.map((text, at) => ({ stream: at % 2 ? 'stderr' : 'stdout', text })));
    expect(line()).toBe('');
    expect(line('one\ntwo\n', ' \n')).toBe('two');
    expect(line('one\ntwo, ', 'thr', 'ee\n')).toBe('two, three');
    expect(line('x'.repeat(2 * LINE_LENGTH))).toBe('x'.repeat(LINE_LENGTH));
  });

  it('ignore output of unknown evaluations', () => {
    expect(withOutput(NOTHING_LIVE, output('a'))).toBe(NOTHING_LIVE);
  });

  it('are dropped if they are old, but never while they run', () => {
    let state = opened;
    for (let id = 100; id < 101 + MAX_CLOSED_EVALUATIONS; id += 1)
      for (const outcome of ['running', 'ok'] as const) state = withRow(state, row(id, { outcome }));
    expect(state.trims).toBe(1);
    expect(state.evaluations.size).toBeLessThanOrEqual(MAX_CLOSED_EVALUATIONS);
    expect(state.evaluations.has(7)).toBe(true);
    expect([...state.outputs.keys()]).toEqual([...state.evaluations.keys()]);
    expect(state.evaluations.has(100)).toBe(false);
  });

  it('keep a suspended evaluation and its output', () => {
    let state = withRow(opened, row(7, { outcome: 'debugger', endedAt: null, durationMs: null }));
    for (let id = 100; id < 101 + MAX_CLOSED_EVALUATIONS; id += 1)
      state = withRow(state, row(id, { outcome: 'ok' }));
    expect(state.trims).toBe(1);
    expect([state.evaluations.has(7), state.outputs.has(7), state.evaluations.has(100)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

// Output as ACL2 and nREPL print it, next to the condition that a block shows.

const stdout = (text: string): OutputPiece => ({ stream: 'stdout', text });
const stderr = (text: string): OutputPiece => ({ stream: 'stderr', text });

const SOFT = 'ACL2 Error in TOP-LEVEL:  Global variables, such as UNDEFD, are not\nallowed.';

it.each([
  ['an error of ACL2', [stdout(`\n\n${SOFT}\n\n`)], SOFT, []],
  [
    'output before and after it is retained',
    [stdout(`tide\n\n${SOFT}\n\nhigh\n`)],
    SOFT,
    [stdout('tide\nhigh')],
  ],
  ['only its last occurrence is removed', [stdout(`${SOFT}\n`), stderr(SOFT)], SOFT, [stdout(`${SOFT}\n`)]],
  [
    'an error of Clojure',
    [stderr('Execution error (ArithmeticException) at user/eval178 (REPL:1).\nDivide by zero\n')],
    'Divide by zero',
    [],
  ],
  [
    'one with data after the message',
    [stdout('hey\n'), stderr('Execution error (ExceptionInfo) at user/eval197 (REPL:1).\nbad\n')],
    'bad {:a 1}',
    [stdout('hey\n')],
  ],
  [
    'one after other output',
    [stderr('careful\nSyntax error compiling at (evaluation 2:1:1).\nUnable to resolve symbol: foo\n')],
    'Unable to resolve symbol: foo\n  thrown as clojure.lang.Compiler$CompilerException',
    [stderr('careful')],
  ],
  [
    'output with another error text',
    [stdout('Execution error of mine\n7\n')],
    'bad',
    [stdout('Execution error of mine\n7\n')],
  ],
  ['no condition', [stdout(SOFT)], null, [stdout(SOFT)]],
])('%s', (_, pieces, message, expected) => {
  expect(ownOutput(pieces, message)).toEqual(expected);
});
