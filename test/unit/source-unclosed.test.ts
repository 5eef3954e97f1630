/** Which code is known not to end before an engine has read it, and which only the engine can tell of. */
import { describe, expect, it } from 'vitest';
import { findUnbalanced } from '../../electron/source/diagnosis';
import type { Dialect } from '../../electron/source/dialect';

const BOTH: readonly Dialect[] = ['common-lisp', 'clojure'];

describe.each(BOTH)('code in %s', (dialect) => {
  it.each([
    ['(list 1', 1, 1],
    ['(list 1)\n  (list (2)', 2, 3],
    ['(list 1))', 1, 9],
    ['(list "1)', 1, 7],
    ["(list 1) '", 1, 10],
  ])('that does not end is known: %j', (code, line, column) => {
    expect(findUnbalanced(code, dialect)).toMatchObject({ line, column });
  });

  it.each(['', '; only a comment (', '(list 1) 2', '(a "(" ; (\n b)'])('that ends is none: %j', (code) => {
    expect(findUnbalanced(code, dialect)).toBeNull();
  });
});

it('knows the brackets of Clojure', () => {
  expect(findUnbalanced('(let [a 1) a]', 'clojure')).toMatchObject({ line: 1, column: 10 });
  expect(findUnbalanced('#{1 2', 'clojure')).toMatchObject({ line: 1, column: 2 });
});

it.each([
  '#| a',
  '(a |b)',
  "#'(a",
  '#2A((1)',
  '(f #\\( (g)',
  '#+sbcl (a',
  '(<= %x *y* &rest',
  'λ (é',
  '`(a ,@(b)',
])('knows what the standard readtable reads: %j', (code) => {
  expect(findUnbalanced(code, 'common-lisp')).not.toBeNull();
});

it.each([
  ['read evaluation may change the readtable', '#.(enable) (a'],
  ['a form before may do so', '(in-readtable :mine) (a'],
  ['a form before may do so', '(enable-interpol-syntax) (a "b)'],
  ['a form before may do so', "(set-macro-character #\\! 'r) (a !(b)"],
  ['somebody has defined it', '(f #?"a (")'],
  ['somebody has defined it', '(f #/(/)'],
  ['somebody has defined it', '#[a (b]'],
  ['somebody has defined it', '{a (b}'],
  ['somebody has defined it', '(f $"(a")"'],
  ['somebody has defined it', '(f @(a)'],
  ['somebody has defined it', '(f «(»'],
  ['somebody has defined it', '(f """a " (""" '],
  ['ACL2 has it', '(f #{"""(" """})'],
])('leaves it to the engine where %s: %s', (_why, code) => {
  expect(findUnbalanced(code, 'common-lisp')).toBeNull();
});
