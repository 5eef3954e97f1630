/** The tools that cl-mcp-server got after its document: systems, measuring, methods, parentheses. */
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { writeFiles } from '../integration/loading-fixture';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

const SYSTEMS = `# project system-file system-name [dependency1..dependencyN]
lamp lamp lamp alexandria
lamp lamp lamp/tests
buoy buoy red-lamp
`;

let home: string;
let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  home = temporaryFolder('home');
  writeFiles(home, {
    'quicklisp/setup.lisp': '',
    'quicklisp/dists/quicklisp/systems.txt': SYSTEMS,
    'quicklisp/local-projects/mine/mine.asd': `(defsystem "mine"
  :depends-on ("alexandria" (:version "sb-posix" "0.1") (:feature :no-such-feature "gone") "missing"))`,
  });
  harbor = await StartedHarbor.start({ env: { HOME: home } });
  writeFiles(harbor.project, {
    'shop.asd': `(defsystem "shop" :version "1.2" :description "Sells ~a" :license "MIT" :depends-on ("mine")
  :components ((:module "src" :components ((:file "buy")))))`,
    'src/buy.lisp': '(defun buy () :bought)',
  });
  client = await harbor.over('stdio', 'cl-mcp-server');
  await call(client, 'evaluate-lisp', {
    code: `(defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(defvar *depth* 3)
(defun twice () (list (fib *depth*) (fib 2)))
(defun fill-up () (loop repeat 100000 collect (make-array 10)) nil)
(defclass shape () ())
(defclass square (shape) ((side :reader side)))
(defgeneric area (shape))
(defmethod area ((square square)) 1)
(defmethod area :around ((shape shape)) (call-next-method))`,
  });
});
afterAll(async () => {
  await harbor.stop();
  rmSync(home, { recursive: true, force: true });
});

const first = async (name: string, args: Record<string, unknown> = {}) =>
  (await call(client, name, args)).first;

describe('cl-mcp-server: all tools of 0.3', () => {
  it('S1-86 has each of them, by its name', async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(
        `get-usage-guide evaluate-lisp compile-form time-execution validate-syntax match-paren describe-symbol
        apropos-search who-calls who-references macroexpand-form class-info find-methods describe-last-error
        get-backtrace describe-system system-dependencies list-local-systems find-system-file load-system load-file
        quickload quicklisp-search profile-code profile-functions memory-report allocation-profile list-definitions
        reset-session configure-limits telos-list-features telos-feature-intent telos-get-intent telos-intent-chain
        telos-feature-members telos-feature-decisions telos-list-decisions`.split(/\s+/),
      ),
    );
  });

  it('S1-87 says how to work, with tools that are there', async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const told = await first('get-usage-guide');
    for (const [, name] of told.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)) expect(names).toContain(name);
    expect(told).toContain('`validate-syntax`');
  });
});

describe('cl-mcp-server: systems', () => {
  it('S1-88 describes a system that is not loaded', async () => {
    expect(await first('describe-system', { system: 'shop' })).toBe(
      `System: shop (1.2)

Sells ~a

License: MIT
Source: ${harbor.project}/shop.asd

Dependencies (1): mine

Components (1):
  src [module]
    buy`,
    );
    expect(await first('evaluate-lisp', { code: "(fboundp 'buy)" })).toBe('=> NIL');
  });

  it('S1-88 names the systems of the project in place of one that is not there', async () => {
    const { isError, text } = await call(client, 'describe-system', { system: 'shopp' });
    expect(isError).toBe(true);
    expect(text).toContain('[ERROR] ASDF/FIND-COMPONENT:MISSING-COMPONENT\nComponent "shopp" not found');
    expect(text).toContain('In the project there are: shop.');
    // Of our tools none is named that this profile does not have.
    expect(text).not.toMatch(/`(?:load|find|eval)`|`reset-session`/);
    expect(text).not.toContain('Backtrace');
  });

  it('S1-88 takes a name for a name, whatever is in it', async () => {
    const system = '") (defparameter cl-user::*run* t) ("';
    for (const name of ['describe-system', 'system-dependencies', 'find-system-file'])
      expect((await call(client, name, { system })).isError, name).toBe(true);
    await call(client, 'quicklisp-search', { pattern: system });
    expect(await first('evaluate-lisp', { code: "(boundp 'cl-user::*run*)" })).toBe('=> NIL');
  });

  it('S1-89 tells what a system needs here, and which of it is missing', async () => {
    expect(await first('system-dependencies', { system: 'mine' })).toBe(
      'Dependencies for mine:\n\nDirect (3):\n  alexandria\n  sb-posix\n  missing',
    );
    const all = await first('system-dependencies', { system: 'shop', transitive: true });
    expect(all).toMatch(
      /\n\nAll \(4\):\n {2}alexandria\n {2}sb-posix\n {2}missing\n {2}mine\n\nMissing \(1\):\n {2}missing$/,
    );
    expect(await first('system-dependencies', { system: 'rt' })).toMatch(/\n\nNo direct dependencies$/);
  });

  it('S1-90 lists local systems with their files, and libraries by name', async () => {
    const told = await first('list-local-systems');
    expect(told).toContain(`  mine\n    ${home}/quicklisp/local-projects/mine/mine.asd\n`);
    expect(told).toContain(`  shop\n    ${harbor.project}/shop.asd\n`);
    expect(told).toMatch(/\n\nLibraries \(\d+\): .*\balexandria\b/);
  });

  it('S1-91 finds the file of a system', async () => {
    expect(await first('find-system-file', { system: 'shop/tests' })).toBe(
      `System: shop/tests\nLocation: ${harbor.project}/shop.asd`,
    );
    expect((await call(client, 'find-system-file', { system: 'nowhere' })).isError).toBe(true);
  });

  it('S1-92 searches the index of Quicklisp', async () => {
    expect(await first('quicklisp-search', { pattern: 'LAMP' })).toBe(
      "Found 3 systems matching 'LAMP':\n\n  lamp\n  lamp/tests\n  red-lamp",
    );
    expect(await first('quicklisp-search', { pattern: 'lamp', limit: 1 })).toMatch(
      /\n {2}lamp\n {2}… 2 more$/,
    );
    expect(await first('quicklisp-search', { pattern: 'ship' })).toBe("No systems found matching 'ship'");
  });

  it('S1-93 asks a person before quickload fetches what is missing', async () => {
    const { isError, text } = await call(client, 'quickload', { system: 'shop' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^not_approved: [\s\S]*quickload needs the user’s approval \(network: /);
  });

  it('S1-94 loads a file, and says that it needs no package', async () => {
    const { text, isError } = await call(client, 'load-file', { path: 'src/buy.lisp', package: 'CL-USER' });
    expect(isError).toBe(false);
    expect(text).toContain('\nnote: package is ignored: ');
    expect(await first('evaluate-lisp', { code: '(buy)' })).toBe('=> :BOUGHT');
  });
});

describe('cl-mcp-server: measuring', () => {
  it('S1-95 tells what code costs', async () => {
    expect(await first('time-execution', { code: '(progn (print 1) (fib 20))' })).toMatch(
      /^Timing:\n {2}Real time: +[\d.]+ ms\n {2}Run time: +[\d.]+ ms\n {2}GC time: +[\d.]+ ms\n {2}Bytes consed: +[\d,]+\n\nResult:\n {2}6765\n\nOutput:\n\n1/,
    );
    expect(await first('time-execution', { code: '(/ 1 0)' })).toMatch(/^\[ERROR\] DIVISION-BY-ZERO\n/);
    expect(await first('evaluate-lisp', { code: '(fib 2)', 'capture-time': true })).toMatch(
      /^=> 1\n; Timing: [\d.]+ms real, [\d.]+ms run, [\d.]+ms GC, [\d,]+ bytes consed$/,
    );
  });

  it('S1-96 samples where time and memory go', async () => {
    const code = '(loop repeat 20 do (fill-up))';
    const alloc = await call(client, 'profile-code', { code, mode: 'alloc', 'max-samples': 10 });
    expect(alloc.text).toMatch(
      /^Profiling completed \(mode: ALLOC\)\n\nResult: NIL\n\n +self +total +function\n/,
    );
    expect(alloc.text).toMatch(/ FILL-UP\n/);
    expect(alloc.text).not.toContain('folded');
    expect(alloc.text).toContain('\nnote: A sample is taken ');
    const graph = await first('profile-code', { code, mode: 'alloc', 'report-type': 'graph' });
    expect(graph).toMatch(/\n\d+ folded stacks \(none left out\):\n.*FILL-UP/);
    expect(await first('allocation-profile', { code })).toMatch(
      /^Allocation profiling completed\n\nResult: NIL\n\nApproximate bytes allocated: [\d,]{9,}\n\nAllocation Report:\n +self[\s\S]*FILL-UP/,
    );
  });

  it('S1-97 counts calls exactly while it is started', async () => {
    const act = (action: string, more = {}) => first('profile-functions', { action, ...more });
    expect(await act('report')).toBe('No functions are being profiled.');
    expect(await act('start', { functions: ['fib', 'cl-user::twice', 'nobody'] })).toBe(
      'Started profiling 2 functions:\n  FIB\n  TWICE\nignoring undefined function NOBODY',
    );
    expect(await act('status')).toBe('Currently profiling:\n  FIB\n  TWICE');
    await call(client, 'evaluate-lisp', { code: '(twice)' });
    expect(await act('report')).toMatch(/\| +8 \|.*\| FIB\n/);
    expect(await act('reset')).toBe('Profiling statistics reset.');
    expect(await act('report')).not.toMatch(/\| FIB\n/);
    expect(await act('stop')).toBe('Stopped profiling.\nPreviously profiled:\n  FIB\n  TWICE');
    expect(await act('start', { package: 'cl-user' })).toMatch(
      /^Started profiling \d+ functions:\n[\s\S]* {2}FIB\n/,
    );
    await act('stop');
  });

  it('S1-97 takes only names of functions', async () => {
    for (const given of [
      ['fib) (defparameter *run* t'],
      ['#.(defparameter *run* t)'],
      ['(list fib)'],
      ['"CL"'],
    ])
      expect(await first('profile-functions', { action: 'start', functions: given })).toMatch(
        /^bad_arguments: /,
      );
    expect(await first('profile-functions', { action: 'start' })).toMatch(/^bad_arguments: .*start/);
    expect(await first('evaluate-lisp', { code: "(boundp '*run*)" })).toBe('=> NIL');
  });

  it('S1-98 reports what fills the memory, also after a collection', async () => {
    const whole = await first('memory-report', { 'gc-first': true });
    expect(whole).toMatch(/^Memory: \d+ of \d+ bytes [\s\S]*\nObjects by type/);
    expect(whole).not.toContain('Engines:');
    expect(await first('memory-report', { verbosity: 'minimal' })).not.toContain('Objects by type');
  });
});

describe('cl-mcp-server: code', () => {
  it('S1-99 finds the methods on a class, and on those that it inherits from', async () => {
    expect(await first('find-methods', { class: 'square' })).toBe(
      '2 methods specialized on SQUARE:\n\n  AREA (SQUARE)\n  SIDE (SQUARE)',
    );
    const all = await call(client, 'find-methods', { class: 'square', 'include-inherited': true });
    expect(all.first).toBe(
      '3 methods specialized on SQUARE:\n\n  AREA (SQUARE)\n  AREA :AROUND (SHAPE)\n  SIDE (SQUARE)',
    );
    expect(all.text).toContain('\nnote: Methods on STANDARD-OBJECT');
    expect((await call(client, 'find-methods', { class: 'car' })).text).toMatch(
      /^bad_arguments: CAR is not a class/,
    );
    expect((await call(client, 'find-methods', { class: 'cl-user::nobody' })).text).toMatch(
      /^unknown_symbol: /,
    );
  });

  it('S1-100 tells who uses a name, each once', async () => {
    expect(await first('who-calls', { name: 'fib' })).toMatch(
      /^2 callers of fib:\n\n {2}FIB\n {4}at evaluation \d+, line 1\n {2}TWICE\n {4}at evaluation \d+, line 3$/,
    );
    expect(await first('who-references', { name: '*depth*' })).toMatch(
      /^\d references? to \*depth\*:\n[\s\S]*TWICE/,
    );
    expect(await first('who-calls', { name: 'fill-up' })).toBe('No callers found for fill-up');
    expect(await first('apropos-search', { pattern: 'fill-u' })).toBe(
      "Found 1 symbol matching 'fill-u':\n\n  FILL-UP () [FUNCTION]",
    );
  });

  it('S1-101 compiles without running', async () => {
    expect(await first('compile-form', { code: '(defparameter *run* (car 1 2))' })).toMatch(
      /^Compilation successful\.\n\nWarnings \(1\):\n {2}The function CAR is called with two arguments/,
    );
    expect(await first('compile-form', { code: '(list 1)' })).toBe(
      'Compilation successful.\nNo warnings or notes.',
    );
    expect(await first('evaluate-lisp', { code: "(boundp '*run*)" })).toBe('=> NIL');
  });

  it.each([
    [
      1,
      0,
      /^Matching \) found from line 1, column 0\nMatch at line 2, column 18\n\nContext:\n {5}1: \(defun λ/,
    ],
    [2, 17, /^Matching \( found from line 2, column 17\nMatch at line 2, column 2\n/],
    [2, 9, /^No match: The paren at line 2, column 9 is inside a string, a comment or a character$/],
    [2, 14, /is inside a string, a comment or a character$/],
    [2, 3, /^No match: Character at line 2, column 3 is 'l', not a parenthesis$/],
    [9, 0, /^bad_arguments: Position out of range: line 9, column 0\.$/],
  ])('S1-102 matches the parenthesis at line %i, column %i', async (line, column, told) => {
    const code = '(defun λ (𝄞)\n  (list ")" #\\( 𝄞))';
    expect(await first('match-paren', { code, line, column })).toMatch(told);
  });

  it('S1-102 says what is wrong where none matches', async () => {
    expect(await first('match-paren', { code: '(list #.(error "read")\n', line: 1, column: 0 })).toMatch(
      /^No match: Unmatched open paren at line 1, column 0\. .*Likely fix: /,
    );
    expect(await first('match-paren', { code: 'a)', line: 1, column: 1 })).toMatch(
      /^No match: Unmatched close paren/,
    );
  });
});
