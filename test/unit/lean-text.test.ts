/** What a model is told in few words: what repeats is counted, and what is left out is counted and named where it is. */

import { expect, it } from 'vitest';
import { testedText } from '../../electron/compat/lisp-mcp-server/lisp-mcp-server-text';
import { OUR_NAMES } from '../../electron/contract/mention';
import type { Condition, Evaluation, Warning } from '../../electron/contract/model';
import { ConversationState } from '../../electron/tools/conversation-state';
import { answer } from '../../electron/tools/evaluation/evaluation-answer';
import { briefOutput, evaluationText } from '../../electron/tools/evaluation/evaluation-text';
import { recordOf } from '../../electron/tools/evaluation/record';
import { briefConditionText } from '../../electron/tools/evaluation/record-text';
import { runText } from '../../electron/tools/evaluation/report-text';
import { warningsText } from '../../electron/tools/evaluation/warnings-text';
import { resultText } from '../../electron/tools/rendering';
import { closed, opened } from './history-rows';

function row(kind: Evaluation['kind']): Evaluation {
  return { id: 7, ...opened(), ...closed(), stdout: '', stderr: '', outputDropped: 0, kind, project: '/p' };
}

it('equal lines are counted, and what a program prints is told whole', () => {
  expect(briefOutput(`a\n${'b\n'.repeat(1_000)}c\nc\nc\n`, row('eval'))).toBe(
    'a\nb\n… the same line 999 times more\nc\nc\nc\n',
  );
  const long = Array.from({ length: 5_000 }, (_, n) => `line ${n}`).join('\n');
  expect(briefOutput(long, row('eval'))).toBe(long);
});

it('of what tests print beside their report the end is told, without half a character', () => {
  const told = briefOutput(`; compiling x\n${'😀'.repeat(2_000)}.`, row('test'));
  expect(told).toBe(`… 3002 characters before: in the history, evaluation 7\n${'😀'.repeat(499)}.`);
  expect(briefOutput('\nfew words\n', row('load'))).toBe('few words');
});

it('frames of one endless call are counted', () => {
  const frames = [
    ...Array.from({ length: 9 }, (_, index) => ({ index, call: '(DOWN 0)' })),
    { index: 9, call: '(SB-INT:SIMPLE-EVAL 1)' },
    { index: 10, call: '(DOWN 0)' },
  ];
  const condition = { type: 'E', message: 'm', level: 1, restarts: [], frames, omitted: { frames: 3 } };
  expect(briefConditionText(condition, { engine: 'sbcl', outcome: 'error' })).toBe(
    '[E] m\n[backtrace]\n0: (DOWN 0)\n… the same in 8 more\n… 1 frame of sbcl\n10: (DOWN 0)\n… at least 3 more frames',
  );
});

const warning = (changes: Partial<Warning>): Warning => ({
  severity: 'style-warning',
  type: 'STYLE-WARNING',
  message: 'unused X',
  form: 0,
  ...changes,
});

it('warnings that repeat are one with a count, what nobody mends now is counted, and libraries have none', () => {
  const warnings = [
    warning({ file: '/p/a.lisp', line: 3 }),
    warning({ file: '/p/a.lisp', line: 3 }),
    warning({ file: '/usr/lib/b.lisp' }),
    warning({ file: '/p/a.lisp', severity: 'note', type: 'SB-EXT:COMPILER-NOTE' }),
    warning({}),
  ];
  expect(warningsText(warnings, row('test'))).toBe(
    '[warnings]\nSTYLE-WARNING: unused X at a.lisp:3 (2 times)\n; 2 more notes and warnings: in the history, evaluation 7',
  );
  // Who evaluates a definition wants to hear all of it.
  expect(
    warningsText([warning({}), warning({ severity: 'note', type: 'SB-EXT:COMPILER-NOTE' })], row('eval')),
  ).toBe('[warnings]\nSTYLE-WARNING: unused X\nNOTE: unused X');
  const many = Array.from({ length: 200 }, (_, n) => warning({ file: '/p/a.lisp', line: n }));
  const told = warningsText(many, row('load'));
  const [, left] = /; (\d+) more notes and warnings/.exec(told) ?? [];
  expect(told.match(/unused X/g)?.length).toBe(200 - Number(left));
  expect(told.length).toBeLessThan(2_100);
});

it('failing tests of one package are named without it, and two values need no reason of ours', () => {
  const failure = { kind: 'failed', expected: '1', actual: '2', reason: 'The values differ.' } as const;
  const run = {
    framework: 'rt',
    tests: ['P::A', 'Q::B'],
    counts: { passed: 0, failed: 1, errors: 0, skipped: 0 },
    failures: [{ ...failure, test: 'P::A' }],
  };
  expect(runText(run, 7, '/p')).toBe(
    'rt: 0 passed, 1 failed in 2 tests; names in P\nFAILED A\n    expected: 1\n    actual: 2',
  );
  const both = { ...run, failures: [...run.failures, { ...failure, test: 'Q::B', reason: 'No good.' }] };
  expect(runText(both, 7, '/p')).toContain('FAILED P::A');
  expect(runText(both, 7, '/p')).toContain('reason: No good.');
});

it('of a test several failures are told, for each may have a reason of its own', () => {
  const failures = [1, 2, 3, 4, 5].map((n) => ({
    ...{ kind: 'failed' as const, test: 'P::A', expected: `${n}`, actual: '0', reason: 'The values differ.' },
  }));
  const run = {
    framework: 'rt',
    tests: ['P::A'],
    counts: { passed: 0, failed: 5, errors: 0, skipped: 0 },
    failures,
  };
  const text = runText(run, 7, '/p');
  expect(text.match(/expected: \d/g)).toEqual(['expected: 1', 'expected: 2', 'expected: 3']);
  expect(text).toContain('and 2 more failures of this test');
});

it('tests that check nothing have not passed', () => {
  const run = {
    framework: 'fiveam',
    tests: ['P::A', 'P::B'],
    counts: { passed: 0, failed: 0, errors: 0, skipped: 1 },
    failures: [],
  };
  expect(runText(run, 7, '/p')).toBe('fiveam: no check ran, 1 skipped in 2 tests');
  const record = recordOf({ ...row('test'), report: { loaded: [], failures: [], runs: [run] } });
  expect(testedText(record, 'ours')).toMatch(
    /^No check ran: .*\nPassed: 0, Failed: 0, Pending: 1\n[^✓]*\nours$/s,
  );
});

/** The text of a row, to a conversation that knows its session. */
function told(changes: Partial<Evaluation>): string {
  const known = new ConversationState();
  known.reportSessionOnce('sbcl-1');
  known.reportOnce('sbcl-1', 'package', 'CL-USER');
  const evaluation = { ...row('eval'), durationMs: 5, ...changes };
  return evaluationText(recordOf(evaluation), evaluation, known, { names: OUR_NAMES });
}

const failing = (type: string, message: string, calls: string[]): Partial<Evaluation> => {
  const frames = calls.map((call, index) => ({ index, call }));
  return {
    outcome: 'error',
    forms: [],
    condition: { type, message, level: 1, restarts: [], frames } as Condition,
  };
};

it('what loads the caller’s code is no place where it went wrong', () => {
  const calls = [
    '(LISP-HARBOR:LOAD-SYSTEM "nosuch")',
    '((FLET CALL :IN ASDF/OPERATE:OPERATE))',
    '(LOAD #P"/p/a.fasl")',
  ];
  expect(told({ ...failing('E', 'm', calls), kind: 'load' })).toBe('[E] m\n; error · evaluation 7');
  expect(told({ ...failing('E', 'm', ['(F 1)', ...calls]), kind: 'load' })).toBe(
    '[E] m\n[backtrace]\n0: (F 1)\n… 3 frames of sbcl\n; error · evaluation 7',
  );
  const agent = failing('LISP-HARBOR-AGENT:COMPILATION-FAILED', '/p/a.lisp did not compile.', calls);
  expect(told({ ...agent, kind: 'load' })).toBe('a.lisp did not compile.\n; error · evaluation 7');
});

it('an error is told once: by its failure, or without what its server or compiler prints of it', () => {
  const clojure = failing('java.lang.ArithmeticException', 'Divide by zero', ['user/eval16 (serve.clj:1)']);
  const stderr = 'Execution error (ArithmeticException) at user/eval16 (serve.clj:1).\nDivide by zero\n';
  const error = '[java.lang.ArithmeticException] Divide by zero\n; error · evaluation 7';
  expect(told({ ...clojure, engine: 'clojure', stderr })).toBe(error);
  expect(told({ ...clojure, engine: 'clojure', stderr: `mine\n${stderr}` })).toContain('[stderr]\nmine\n');
  const failures = [{ type: 'E', message: 'm', file: '/p/a.lisp', line: 3 }];
  const report = { loaded: [], failures, runs: [] };
  const printed = 'mine\n; caught ERROR:\n;   m\n';
  expect(told({ ...failing('E', 'm', ['(F 1)']), kind: 'load', report, stderr: printed })).toBe(
    '[stderr]\nmine\nERROR E: m at a.lisp:3\n[backtrace]\n0: (F 1)\n; error · evaluation 7',
  );
});

it('what a program prints is its own, also where its error says the same', () => {
  const stderr = 'm';
  expect(told({ ...failing('E', 'm', []), stdout: 'm', stderr })).toBe(
    '[stdout]\nm\n[stderr]\nm\n[E] m\n; error · evaluation 7',
  );
});

it('what holds an evaluation is told once', () => {
  const held = { ...failing('E', 'm', ['(F 1)']), outcome: 'debugger', stdout: 'a' } as const;
  const evaluation = { ...row('eval'), durationMs: 5, ...held };
  const known = new ConversationState();
  known.reportSessionOnce('sbcl-1');
  known.reportOnce('sbcl-1', 'package', 'CL-USER');
  const say = (now: Evaluation) => resultText(answer(now, { conversation: known, names: OUR_NAMES }));
  expect(say(evaluation)).toBe(
    '[stdout]\na\n[E] m\n[restarts]\n[backtrace]\n0: (F 1)\n; suspended at debugger level 1 as job-7\n; note: `debug` shows the suspended level and resumes it.',
  );
  expect(say(evaluation)).toBe('; suspended as job-7');
  const ended = { ...evaluation, outcome: 'error', stdout: 'ab' } as const;
  expect(say(ended)).toBe('[stdout]\nb\n; error · evaluation 7');
  // Its end was told: whoever asks again wants all of it.
  expect(say(ended)).toBe('[stdout]\nab\n[E] m\n[backtrace]\n0: (F 1)\n; error · evaluation 7');
});
