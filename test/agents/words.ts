/**
 * What answers cost an agent, in characters: a fixed script of calls with a goal for the text of each. The calls are those of
 * ordinary work on a library of 95 tests and one of 6,000 checks: values, definitions, an error, loads, edits, red and green runs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { call } from '../evaluation.ts';
import { DESK, KNOWLEDGE } from './knowledge-words.ts';

export interface Call {
  what: string;
  tool: string;
  args: Record<string, unknown>;
  /** Characters of the answer's text. */
  goal: number;
  /** What the text must say all the same. */
  says: RegExp;
}

export interface Cost extends Pick<Call, 'what' | 'goal' | 'says'> {
  text: string;
}

const PRICE = '(defun price (each count) (* each count))';
const WRONG = '(defun price (each count) (if (= count 3) (error "three of ~a" each) (* each (1+ count))))';

const FILES = {
  'shop.asd': `(defsystem "shop" :depends-on ("alexandria") :components ((:file "shop")))
(defsystem "shop/tests" :depends-on ("shop" "fiveam") :components ((:file "tests")))
(defsystem "shop/checks" :depends-on ("shop" "fiveam") :components ((:file "checks")))`,
  'shop.lisp': `(defpackage :shop (:use :cl) (:export #:price #:total))
(in-package :shop)
${PRICE}
(defun total (lines)
  (reduce #'+ (mapcar (lambda (line) (price (car line) (cdr line))) lines)))
`,
  'tests.lisp': `(defpackage :shop-tests (:use :cl))
(in-package :shop-tests)
(5am:def-suite :shop)
(5am:in-suite :shop)
${Array.from({ length: 95 }, (_, n) => `(5am:test price-of-${n} (5am:is (= ${n} (shop:price 1 ${n}))))`).join('\n')}
`,
  'checks.lisp': `(defpackage :shop-checks (:use :cl))
(in-package :shop-checks)
(5am:def-suite :checks)
(5am:in-suite :checks)
(5am:test many (dotimes (n 6000) (5am:is (= n (shop:price 1 n)))))
`,
};

const EDIT = { path: 'shop.lisp', operation: 'replace', form_type: 'defun', form_name: 'price' };

/** Every failing test is named. */
const ALL_NAMED = new RegExp(Array.from({ length: 95 }, (_, n) => `PRICE-OF-${n}\\b`).join('[\\s\\S]*'));

const CALLS: readonly Call[] = [
  {
    what: 'the session’s first value',
    tool: 'eval',
    args: { code: '(+ 1 2)' },
    goal: 80,
    says: /^=> 3\n; session sbcl-/,
  },
  { what: 'a value', tool: 'eval', args: { code: '(+ 5 7)' }, goal: 40, says: /^=> 12$/ },
  {
    what: 'a definition',
    tool: 'eval',
    args: { code: '(defun square (x) (* x x))' },
    goal: 40,
    says: /^=> SQUARE$/,
  },
  {
    what: 'the same once more',
    tool: 'eval',
    args: { code: '(defun square (x) (* x x))' },
    goal: 40,
    says: /^=> SQUARE$/,
  },
  {
    what: 'an error',
    tool: 'eval',
    args: { code: '(mapcar #\'square \'(1 "two"))' },
    goal: 1_200,
    says: /TYPE-ERROR[\s\S]*\(SQUARE "two"\)/,
  },
  {
    what: 'code that does not end',
    tool: 'eval',
    args: { code: '(defun half (x)\n  (/ x 2)' },
    goal: 150,
    says: /^unbalanced_code: .*line 1, column 1.*Likely fix: add `\)` at the end of line 2/,
  },
  {
    what: 'an error that is held',
    tool: 'eval',
    args: { code: "(square 'two)", on_error: 'debug' },
    goal: 400,
    says: /TYPE-ERROR[\s\S]*ABORT[\s\S]*\(SQUARE TWO\)[\s\S]*suspended at debugger level 1/,
  },
  {
    what: 'giving it up',
    tool: 'debug',
    args: { action: 'abort' },
    goal: 120,
    says: /^; Aborted · evaluation \d+.*\n; idle · level 0$/,
  },
  {
    what: 'load of a system with its libraries',
    tool: 'load',
    args: { system: 'shop' },
    goal: 200,
    says: /loaded alexandria shop/,
  },
  {
    what: 'a green run of 95 tests',
    tool: 'run_tests',
    args: { system: 'shop/tests' },
    goal: 120,
    says: /95 passed in 95 tests/,
  },
  {
    what: 'the same again',
    tool: 'run_tests',
    args: { system: 'shop/tests' },
    goal: 120,
    says: /95 passed in 95 tests/,
  },
  {
    what: 'a green run of 6,000 checks',
    tool: 'run_tests',
    args: { system: 'shop/checks' },
    goal: 120,
    says: /6000 passed in 1 test\b/,
  },
  {
    what: 'an edit',
    tool: 'edit_form',
    args: { ...EDIT, content: WRONG },
    goal: 200,
    says: /Written.*hash [0-9a-f]{12}/,
  },
  {
    what: 'a red run of 95 tests',
    tool: 'run_tests',
    args: { system: 'shop/tests' },
    goal: 6_000,
    says: ALL_NAMED,
  },
  {
    what: 'a red run of 6,000 checks',
    tool: 'run_tests',
    args: { system: 'shop/checks' },
    goal: 1_200,
    says: /MANY[\s\S]*three of 1/,
  },
  { what: 'load of what was edited', tool: 'load', args: { system: 'shop' }, goal: 200, says: /shop/ },
  {
    what: 'engines and sessions',
    tool: 'images',
    args: {},
    goal: 800,
    says: /sbcl .*\(default\)[\s\S]*Your sessions:\n- sbcl-/,
  },
];

/** What took how long depends on the machine. */
const TIMES = / · [\d.]+ m?s · .* allocated|; [\d.]+ m?s · .* allocated/g;

/** Performs the script in the client's default session, which is to be of SBCL and not to have begun. */
export async function wordsOf(client: Client, project: string): Promise<Cost[]> {
  mkdirSync(project, { recursive: true });
  for (const [name, text] of Object.entries({ ...FILES, ...DESK }))
    writeFileSync(path.join(project, name), text);
  const costs: Cost[] = [];
  for (const { tool, args, ...rest } of [...CALLS, ...KNOWLEDGE])
    costs.push({ ...rest, text: (await call(client, tool, args)).text.replace(TIMES, '') });
  return costs;
}
