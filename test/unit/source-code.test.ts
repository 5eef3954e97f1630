/** A caller's text in code that the harbor writes: one form, or as many as it says, and nothing that ends what it stands in. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { code, Forms, functionName, listForm, OneForm, SymbolName } from '../../electron/source/code';
import type { Dialect } from '../../electron/source/dialect';
import { ROOT } from '../started-harbor';

/** No form, more than one, or one that takes along or leaves out what stands around it. */
const NOT_ONE: Readonly<Record<Dialect, readonly string[]>> = {
  'common-lisp': [
    ...[
      '',
      ' ; nothing',
      '#| nothing |#',
      'a b',
      'a) (b',
      'a)',
      '(a',
      '(a))',
      ')(',
      '"a',
      '|a',
      '#|',
      '(a #|)',
      ';',
    ],
    ...[
      "'",
      '#',
      '`',
      ',@',
      '#+sbcl',
      '#+nil a',
      "'#-nil a",
      '#S',
      '#P',
      '#1=',
      'a\\',
      '#\\',
      '(a #\\)',
      '"a\\"',
    ],
    ...[
      '#.(f)',
      '(a #.(f))',
      '#,(f)',
      '(a #,(f))',
      "'(#1.(f))",
      '(#+nil #.(f) a)',
      '#{"""a"""}',
      '(a #{"""x" """} ) (f) (b ")',
      '#!a\n(b)',
      '#!a',
      '#Z',
      '(#z)',
      '#Y(a)',
      '#@a',
    ],
  ],
  clojure: [
    ...[
      '',
      '; nothing',
      '#_ a',
      'a b',
      'a) (b',
      'a]',
      '(a',
      '[a)',
      '{',
      '"a',
      "'",
      '#',
      '@',
      '^a',
      '#_',
      '\\',
      '#"a',
    ],
    ...['#?(:clj a)', '#?@(:clj [a b])', "'#?(:cljs a)", '#=(f)', '(a #=(f))', '#=', '#inst'],
  ],
};

const ONE: Readonly<Record<Dialect, readonly string[]>> = {
  'common-lisp': [
    ...[
      'a',
      '|a b|',
      '"a) (b"',
      '"a \\" b"',
      '(a ; ) (b\n c)',
      '(a #| ) |# b)',
      '#\\)',
      '(#\\( #\\))',
      "#'f",
      '`(a ,@b)',
    ],
    ...[
      '(a #+sbcl b)',
      '#(1 2)',
      '#:g',
      '#xFF',
      'p::q',
      '#1=(a . #1#)',
      '#P"x"',
      "''a",
      'a\\ b',
      '"#.(f)"',
      '(a ; #.(f)\n)',
    ],
  ],
  clojure: [
    ...[
      'a',
      ':k',
      '"a) (b"',
      '(a ; ) (b\n c)',
      '[a #_ b c]',
      '\\)',
      '#"a\\)"',
      '#{1 2}',
      '^:m a',
      '@a',
      '#inst "2020"',
    ],
    ...['(a #?(:clj b))', 'n/a', '#_ b a', '"#=(f)"', '\\newline'],
  ],
};

const DIALECTS = ['common-lisp', 'clojure'] as const;
const CASES = (table: Readonly<Record<Dialect, readonly string[]>>) =>
  DIALECTS.flatMap((dialect) => table[dialect].map((text) => [dialect, text] as const));

describe('exactly one form', () => {
  it.each(CASES(NOT_ONE))('%s: %j is refused by the name of its argument', (dialect, text) => {
    expect(() => OneForm.read(text, dialect, 'lambda_list')).toThrow(/^invalid lambda_list: /);
  });

  it.each(CASES(ONE))('%s: %j is taken as it is', (dialect, text) => {
    const form = OneForm.read(` ${text} ; after it`, dialect, 'x');
    expect(text.endsWith(String(form))).toBe(true);
    expect(JSON.stringify({ form })).toBe(JSON.stringify({ form: String(form) }));
  });

  it('has elements that are read in their turn', () => {
    const form = OneForm.read('(defthm a (p x) :hints "h")', 'common-lisp', 'code');
    expect(form.elements('code').map(String)).toEqual(['defthm', 'a', '(p x)', ':hints', '"h"']);
    expect(() => OneForm.read('(a #+nil b)', 'common-lisp', 'code').elements('code')).toThrow(
      /^invalid code/,
    );
  });
});

describe('others', () => {
  it('a name is one symbol', () => {
    for (const name of ['a', '|a b|', 'p::a', '#:a', 'a.b'])
      expect(String(SymbolName.read(name, 'common-lisp', 'name'))).toBe(name);
    for (const text of ['(a)', '"a"', "'a", '.', '...', '#\\a', '#xFF', 'a b', 'a)'])
      expect(() => SymbolName.read(text, 'common-lisp', 'name')).toThrow(/^invalid name: /);
  });

  it('a function is named by a symbol or by (setf symbol)', () => {
    for (const name of ['a', '(setf a)', '(cl:setf p::a)'])
      expect(String(functionName(name, 'name'))).toBe(name);
    for (const text of ['(a)', '(a b)', '(setf a b)', '(setf (a))', 'x () (f)) (g', '(setf)', '[a]  b'])
      expect(() => functionName(text, 'name')).toThrow(/^invalid name: /);
  });

  it('a list is one in parentheses', () => {
    expect(String(listForm('(x &key (y 1))', 'common-lisp', 'l'))).toBe('(x &key (y 1))');
    for (const text of ['x', "'(x)", '#(x)', '() (f)'])
      expect(() => listForm(text, 'common-lisp', 'l')).toThrow(/^invalid l: /);
  });

  it('forms may be any number, and end what they begin', () => {
    const body = Forms.read('(a) ; first\n(b) ; last', 'common-lisp', 'body');
    expect(String(code`(progn ${body})`)).toBe('(progn (a) ; first\n(b) ; last\n)');
    for (const text of ['(a)) (b', 'a\\', '#|', '#+nil', '#.(f)', "(a '"])
      expect(() => Forms.read(text, 'common-lisp', 'body')).toThrow(/^invalid body: /);
  });
});

it('no tool puts a text into code but by `code`', () => {
  const folder = path.join(ROOT, 'electron/tools');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const pasted = files.filter((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return /(?<!\bcode)`(?:\([\w:-]+ |:[a-z]+!? )[^`]*\$\{/.test(text);
  });
  expect(pasted).toEqual([]);
});
