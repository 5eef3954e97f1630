/** Values of ACL2's as the Bridge's JSON: the examples of its documentation (topic JSON-ENCODING), and what has none. */
import { describe, expect, it } from 'vitest';
import { jsonOf, readObject } from '../../electron/compat/acl2-bridge/bridge-reply';

const json = (text: string) => jsonOf(readObject(text));

describe('atoms are strings', () => {
  it.each([
    ['NIL', 'NIL'],
    ['T', 'T'],
    ['FOO', 'FOO'],
    [':FOO', ':FOO'],
    ['"foo"', 'foo'],
    ['#\\f', 'f'],
    ['123', '123'],
    ['-123', '-123'],
    ['-1/2', '-1/2'],
    ['#C(17/2 -3/8)', '#C(17/2 -3/8)'],
    ['VL::FOO', 'FOO'],
    ['|a b|', 'a b'],
    ['PKG::|a\\|b:c|', 'a|b:c'],
    ['|Pkg x|::FOO', 'FOO'],
    [':|k k|', ':k k'],
    ['|a:b|', 'a:b'],
    ['A\\:B', 'A:B'],
    ['|.|', '.'],
    ['||', ''],
    ['ACL2_INVISIBLE::|The Live State Itself|', 'The Live State Itself'],
    ['""', ''],
    ['"a \\"b\\" \\\\c"', 'a "b" \\c'],
    ['"two\nlines"', 'two\nlines'],
    ['"λ→😀"', 'λ→😀'],
  ])('%s', (text, expected) => {
    expect(JSON.parse(json(text))).toBe(expected);
  });

  it.each([
    ['#\\Space', ' '],
    ['#\\ ', ' '],
    ['#\\Newline', '\n'],
    ['#\\Tab', '\t'],
    ['#\\Page', '\f'],
    ['#\\Rubout', '\x7f'],
    ['#\\(', '('],
    ['#\\^A', '\x01'],
    ['#\\^', '^'],
    ['#\\\\310', '\xc8'],
    ['#\\\\', '\\'],
  ])('a character as either host prints it: %s', (text, expected) => {
    expect(JSON.parse(json(`(A ${text})`))).toEqual(['A', expected]);
  });

  it('are written in ASCII, in the form that the Bridge writes', () => {
    expect(json('"a\n\x7fé→"')).toBe('"a\\u000A\\u007F\\u00E9\\u2192"');
    expect(json('"\\"\\\\/"')).toBe('"\\"\\\\/"');
  });
});

describe('lists', () => {
  it.each([
    ['(A)', '["A"]'],
    ['(A . B)', '["A","B"]'],
    ['(A B)', '["A","B"]'],
    ['(A B . C)', '["A","B","C"]'],
    ['((A . B) (C . D) . E)', '[["A","B"],\n["C","D"],\n"E"]'],
    ['((A . B))', '{"A":"B"}'],
    ['((A . B) (C . D))', '{"A":"B","C":"D"}'],
    ['(A . "NIL")', '["A","NIL"]'],
    ['((A B) (C))', '{"A":["B"],\n"C":"NIL"}'],
    ['((A (B . C)))', '{"A":{"B":"C"}}'],
    ['((A B . C))', '{"A":["B","C"]}'],
    ['(((A) . B))', '[[["A"],\n"B"]]'],
    ['((A . B) NIL)', '[["A","B"],\n"NIL"]'],
    ["('A #\\( B)", '[["QUOTE","A"],\n"(","B"]'],
    [
      '(A ((1 . :FOO) (2 :FOO :BAR :BAZ) (3 (:FOO . A) (:BAR . B) (:BAZ . C))) 15 17/2 . :END)',
      '["A",{"1":":FOO","2":[":FOO",":BAR",":BAZ"],\n"3":{":FOO":"A",":BAR":"B",":BAZ":"C"}},\n"15","17/2",":END"]',
    ],
  ])('%s', (text, expected) => {
    expect(json(text)).toBe(expected);
  });

  it('may be long and deep', () => {
    expect(JSON.parse(json(`(${'X '.repeat(100_000)})`))).toHaveLength(100_000);
    expect(json(`${'(X '.repeat(1000)}${')'.repeat(1000)}`)).toMatch(/^\["X",\["X"/);
  });
});

describe('what has no JSON', () => {
  it.each([
    ['#<hash-table>', /no object of ACL2's/],
    ['#(1 2)', /no object of ACL2's/],
    ['#\\LATIN_SMALL_LETTER_E', /the host's own/],
    ['(A', /ends inside/],
    ['"a', /ends inside/],
    ['|a', /ends inside/],
    ['A B', /more than one object/],
    ['(A . B C)', /after a dot/],
    ['(A . B . C)', /misplaced dot/],
    ['( . B)', /misplaced dot/],
    [')', /unmatched closing parenthesis/],
    [`${'('.repeat(1001)}`, /more than 1000 nested lists/],
  ])('is an error, and no wrong value: %s', (text, problem) => {
    expect(() => json(text)).toThrow(problem);
  });
});
