/** What runs code while it is read is found wherever a reader reads, and nowhere else. */
import { describe, expect, it } from 'vitest';
import { readEvaluation } from '../../electron/source/reader';

describe('in Clojure', () => {
  it.each([
    '#=(f)',
    "[1 '#=(f)]",
    '#_#=(f) 1',
    '#_ (a #=(f)) 1',
    '#_#=x 1',
    '#?(:clj #=(f))',
    '"a" #=x',
    '^{:a #=(f)} x',
    '#=\n(f)',
    '#(inc #=(f))',
    '#_#_ a #=(f) 1',
  ])('%j evaluates', (code) => expect(readEvaluation(code, 'clojure')).toBe('#='));

  it.each(['"#=(f)"', ';#=(f)\n1', '\\#', 'a#=', '#"#=(f)"', '(= 1 1)'])('%j does not', (code) =>
    expect(readEvaluation(code, 'clojure')).toBeNull(),
  );
});

describe('in Common Lisp', () => {
  it.each(['#.(f)', "'(1 #1.(f))", '#+nil #.(f) 1', '`(a ,#.(f))', '#-sbcl (a #.(f)) 2', '#(#.(f))', '#.x'])(
    '%j evaluates',
    (code) => expect(readEvaluation(code, 'common-lisp')).toMatch(/^#\d*\.$/),
  );

  it.each(['"#.(f)"', '#|#.(f)|# 1', '; #.(f)', '#\\. 1', '|#.(f)|', '#(1 . 2)', 'a#.b'])(
    '%j does not',
    (code) => expect(readEvaluation(code, 'common-lisp')).toBeNull(),
  );
});
