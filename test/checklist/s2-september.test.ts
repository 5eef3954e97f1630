/** What lisp-mcp-server has since its version 2.3: expansions, classes with guards of edits, uses with tests, how far a request came. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { lispMcpClient } from './lisp-mcp-client';

let harbor: StartedHarbor;
let client: Client;

const { told, refused, evaluated } = lispMcpClient(() => client);

const SHAPES = `(defpackage :shapes (:use :cl) (:export #:area #:shape #:circle #:radius))
(defpackage :paper (:use :cl) (:export #:circle))
(in-package :shapes)

(defclass shape () ((name :initarg :name :reader shape-name)))
(defclass circle (shape)
  ((radius :initarg :radius :accessor radius :initform (error "not evaluated"))))
(defclass paper:circle () ())

(defgeneric area (shape &key precise)
  (:method ((shape null) &key precise) (declare (ignore precise)) 0))
(defmethod area ((shape circle) &key precise) (declare (ignore precise)) (* 3 (radius shape)))
(defmethod area :around ((shape shape) &key precise) (declare (ignore precise)) (call-next-method))
(defmethod area ((shape (eql :unit)) &key precise) (declare (ignore precise)) 1)
(defmethod area ((shape paper:circle) &key precise) (declare (ignore precise)) 2)

(defmacro with-area ((var shape) &body body) \`(let ((,var (area ,shape))) ,@body))
(defun sizes (shapes) (mapcar #'area shapes))
(defun twice () (list (with-area (a nil) a) (with-area (b :unit) b) '(with-area data)))

(defmacro deftest (name &body body) \`(defun ,name () ,@body))
(deftest area-of-nothing (assert (eql 0 (area nil))))
(deftest area-by-macro (with-area (a nil) (assert a)))
`;

const file = () => path.join(harbor.project, 'shapes.lisp');

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('HTTP', 'lisp-mcp-server');
  writeFileSync(file(), SHAPES);
  await evaluated('(load (compile-file "shapes.lisp"))');
});
afterAll(() => harbor.stop());

describe('lisp-macroexpand', () => {
  const twice = { path: 'shapes.lisp', form_type: 'defun', form_name: 'twice' };

  it('S2-79 expands code in a package, and says where there is no macro', async () => {
    const code = '(with-area (a nil) (print a))';
    expect(await told('lisp-macroexpand', { code, package: 'shapes' })).toBe(
      '(let ((a (area nil)))\n  (print a))',
    );
    expect(await told('lisp-macroexpand', { code: '(list 1)' })).toMatch(/^;; NOT EXPANDED.*\n\(list 1\)$/);
    expect(await told('lisp-macroexpand', { code: '(when (unless 1 2) 3)', level: 'all' })).not.toMatch(
      /when|unless/,
    );
    expect(await told('lisp-macroexpand', { code: '(cond (1 2) (3 4))', max_output_length: 5 })).toMatch(
      /^\(if 1\n\.\.\. \(truncated\)$/,
    );
  });

  it('S2-79 expands the calls of a macro inside a form of a file', async () => {
    const calls = await told('lisp-macroexpand', { ...twice, sub_form: 'with-area' });
    expect(calls.match(/^;; .*$/gm)).toEqual([
      ';; with-area (shapes.lisp line 19) [1/2]',
      ';; with-area (shapes.lisp line 19) [2/2]',
    ]);
    expect(calls).toContain('(let ((b (area :unit)))\n  b)');
    expect(await told('lisp-macroexpand', { ...twice, level: 'all' })).toContain('(area :unit)');
    const template = { path: 'shapes.lisp', form_type: 'defmacro', form_name: 'with-area', sub_form: 'let' };
    expect(await told('lisp-macroexpand', template)).toMatch(/\[backquote template\]\n;; NOT EXPANDED/);
    expect(await refused('lisp-macroexpand', { ...twice, sub_form: 'dolist' })).toContain('dolist');
    expect(await refused('lisp-macroexpand', { ...twice, form_name: 'thrice' })).toContain('twice');
    for (const args of [{}, { ...twice, code: '(a)' }, { path: 'shapes.lisp' }])
      expect(await refused('lisp-macroexpand', args)).toMatch(/^bad_arguments/);
  });

  it('S2-79 interns nothing of its own, and runs no reader evaluation', async () => {
    const symbols = '(let ((n 0)) (do-symbols (s :shapes n) (declare (ignorable s)) (incf n)))';
    const before = await evaluated(symbols);
    await told('lisp-macroexpand', { code: '(shapes::with-area (nil nil))', package: 'shapes' });
    expect(await evaluated(symbols)).toBe(before);
    await refused('lisp-macroexpand', { code: '(list #.(defparameter cl-user::*ran* 1))' });
    expect(await evaluated("(boundp '*ran*)")).toBe('NIL');
  });
});

interface Entry {
  specializers: string[];
  source_match: string;
  form_type?: string;
  form_name?: string;
  edit_unit?: string;
  edit_guard?: Record<string, unknown>;
  kind: string;
}

interface Described {
  generic_functions: { name: string; methods: Entry[] }[];
  class?: { slots: { name: string; from: string }[]; methods: Entry[]; source_match: string };
}

const described = async (symbol: string) =>
  (await call<Described>(client, 'clos-describe', { symbol })).structured;

const methodsOf = async (symbol: string) => (await described(symbol)).generic_functions[0]?.methods ?? [];

describe('clos-describe', () => {
  it('S2-80 tells the methods of a generic function in their order, with the form of each', async () => {
    const methods = await methodsOf('shapes:area');
    expect(methods.map(({ form_type, form_name }) => `${form_type} ${form_name}`).sort()).toEqual([
      'defgeneric area',
      'defmethod area ((eql :unit))',
      'defmethod area (circle)[0]',
      'defmethod area (paper:circle)[1]',
      'defmethod area :around (shape)',
    ]);
    expect(methods[0]?.form_name).toContain(':around');
    expect(methods.find(({ specializers }) => specializers[0] === 'NULL')?.edit_unit).toBe('defgeneric');
    const text = await told('clos-describe', { symbol: 'shapes:area', limit: 2 });
    expect(text).toMatch(
      /^Generic function SHAPES:AREA .* — 5 methods\nDefined at shapes\.lisp:10 \(defgeneric area\)/,
    );
    expect(text).toContain('… and 3 more');
  });

  it('S2-80 tells a class with what it inherits, and evaluates nothing', async () => {
    const { class: circle } = await described('shapes:circle');
    expect(circle?.slots.map(({ name, from }) => [name, from])).toEqual([
      ['SHAPES:RADIUS', 'SHAPES:CIRCLE'],
      ['SHAPES::NAME', 'SHAPES:SHAPE'],
    ]);
    const accessors = circle?.methods.filter(({ edit_unit }) => edit_unit === 'defclass') ?? [];
    expect(accessors.map(({ kind, form_name }) => `${kind} ${form_name}`).sort()).toEqual([
      'reader circle[0]',
      'reader shape',
      'writer circle[0]',
    ]);
    expect(await told('clos-describe', { symbol: 'shapes:circle' })).toMatch(
      /^Class SHAPES:CIRCLE \(standard-class, not finalized\) — shapes\.lisp:6 \(defclass circle\[0\]\) {2}\[guard: /,
    );
    expect(await refused('clos-describe', { symbol: 'car' })).toContain('code-describe');
  });

  it('S2-80 gives no name of a form that is not the one that was loaded', async () => {
    await evaluated(`(progn (defmethod shapes:area ((shape string) &key precise) precise) :done)`);
    const typed = (await methodsOf('shapes:area')).find(({ specializers }) => specializers[0] === 'STRING');
    expect([typed?.source_match, typed?.form_name, typed?.edit_guard]).toEqual([
      'unverified',
      undefined,
      undefined,
    ]);
    await evaluated(
      `(remove-method #'shapes:area (find-method #'shapes:area nil (list (find-class 'string))))`,
    );
    writeFileSync(file(), SHAPES.replace('(eql :unit)', '(eql :once)'));
    const unit = (await methodsOf('shapes:area')).find(({ specializers }) =>
      /UNIT/.test(specializers[0] ?? ''),
    );
    expect(unit?.source_match).not.toBe('matched');
    expect(unit?.form_name).toBeUndefined();
    writeFileSync(file(), SHAPES);
  });
});

describe('the guard of an edit', () => {
  const sizes = { file_path: 'shapes.lisp', form_type: 'defmethod', operation: 'replace' };
  const content = '(defmethod area ((shape circle) &key precise) (declare (ignore precise)) 7)';

  async function guarded() {
    await evaluated('(load (compile-file "shapes.lisp"))');
    const found = (await methodsOf('shapes:area')).find(
      ({ specializers }) => specializers[0] === 'SHAPES:CIRCLE',
    );
    const text = await told('clos-describe', { symbol: 'shapes:area' });
    const token = /\(SHAPES:CIRCLE\) .*\[guard: ([^\]]+)\]/.exec(text)?.[1] ?? '';
    return { form_name: found?.form_name ?? '', guard: found?.edit_guard, token };
  }

  it('S2-81 lets an edit through once', async () => {
    const { form_name, guard, token } = await guarded();
    const edit = { ...sizes, form_name, content };
    expect(await told('lisp-edit-form', { ...edit, guard_token: token, dry_run: true })).toContain(
      'would change',
    );
    expect(await told('lisp-edit-form', { ...edit, guard })).toMatch(/^Applied replace/);
    expect(readFileSync(file(), 'utf8')).toContain(content);
    for (const again of [{ guard }, { guard_token: token }])
      expect(await refused('lisp-edit-form', { ...edit, ...again })).toMatch(/^hash_mismatch/);
    writeFileSync(file(), SHAPES);
  });

  it('S2-81 refuses another form, another file, a changed file and what cannot be read', async () => {
    const { form_name, guard, token } = await guarded();
    const edit = { ...sizes, form_name, content };
    const cases: [Record<string, unknown>, string][] = [
      [{ ...edit, form_name: 'area (paper:circle)[1]', guard }, 'hash_mismatch'],
      [{ ...edit, guard: { ...guard, abs_path: '/elsewhere.lisp' } }, 'hash_mismatch'],
      [{ ...edit, guard_token: token.slice(0, 20) }, 'hash_mismatch'],
      [{ ...edit, guard_token: token.replace('1|', '2|') }, 'hash_mismatch'],
      [{ ...edit, guard_token: '' }, 'hash_mismatch'],
      [{ ...edit, guard, guard_token: token }, 'bad_arguments'],
      [{ ...edit, guard: null }, 'bad_arguments'],
      [{ ...edit, form_name: 'volume', guard }, 'bad_arguments'],
    ];
    for (const [args, error] of cases)
      expect([args, await refused('lisp-edit-form', args)]).toEqual([
        args,
        expect.stringMatching(`^${error}`),
      ]);
    expect(readFileSync(file(), 'utf8')).toBe(SHAPES);
    writeFileSync(file(), `${SHAPES}\n`);
    expect(await refused('lisp-edit-form', { ...edit, guard })).toMatch(/^hash_mismatch/);
    writeFileSync(file(), SHAPES);
  });
});

it('S2-82 tells uses with their places, and the tests that may reach a name through a macro', async () => {
  const { structured, first } = await call<{
    refs: { form_name?: string; via_macro?: string; call_sites: { line?: number }[] }[];
    tests: { name: string; may_reach: boolean }[];
    count: number;
    truncated: boolean;
  }>(client, 'code-find-references', { symbol: 'shapes:area' });
  const named = (name: string) => structured.refs.find(({ form_name }) => form_name === name);
  expect(named('sizes')?.call_sites.map(({ line }) => line)).toEqual([18]);
  expect(named('with-area')).toBeDefined();
  expect(structured.tests.map(({ name }) => name).sort()).toEqual(['area-by-macro', 'area-of-nothing']);
  expect(structured.tests.find(({ name }) => name === 'area-of-nothing')?.may_reach).toBe(false);
  expect(first).toMatch(/^Tests: /m);
  const few = await call<{ refs: unknown[]; count: number; truncated: boolean }>(
    client,
    'code-find-references',
    {
      ...{ symbol: 'shapes:area', limit: 1 },
    },
  );
  expect([few.structured.refs.length, few.structured.count, few.structured.truncated]).toEqual([
    1,
    structured.count,
    true,
  ]);
});

it('S2-83 takes an object id of this image as it was written, and nothing else', async () => {
  const { structured } = await call<{ result_object_id: string }>(client, 'repl-eval', {
    code: '(list 1 2)',
  });
  const id = structured.result_object_id;
  expect(await told('inspect-object', { id })).toContain(`[object-id: ${id}]`);
  for (const wrong of ['12', 'o-', 'o-nowhere-1', `${id}x`]) await refused('inspect-object', { id: wrong });
});

describe('execution_status', () => {
  async function statusOf(name: string, args: Record<string, unknown>) {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    return (result as { execution_status?: string }).execution_status;
  }

  it('S2-84 tells whether the request may have run', async () => {
    expect(await statusOf('repl-eval', { code: '(error "on purpose")' })).toBe('completed');
    expect(await statusOf('repl-eval', { code: '(list', package: 'no-such-package' })).toBe('completed');
    expect(await statusOf('inspect-object', { id: 'o-nowhere-1' })).toBe('not-executed');
    expect(await statusOf('code-describe', { symbol: 'no-such-package::x' })).toBe('not-executed');
    expect(await statusOf('repl-eval', { code: '(sb-ext:exit :abort t)' })).toBe('execution-unknown');
  });

  it('S2-85 ends one request by its id, and the other goes on', async () => {
    const another = await harbor.over('HTTP', 'lisp-mcp-server');
    const code = '(progn (loop until (probe-file "go") do (sleep 0.01)) :ended)';
    const theirs = call(another, 'repl-eval', { code });
    const ending = new AbortController();
    const ours = client.callTool(
      { name: 'repl-eval', arguments: { code: '(loop (sleep 0.01))' } },
      { signal: ending.signal },
    );
    const cancelled = expect(ours).rejects.toThrow();
    ending.abort('not needed');
    await cancelled;
    expect(await evaluated(':free')).toBe(':FREE');
    writeFileSync(path.join(harbor.project, 'go'), '');
    expect((await theirs).first).toBe(':ENDED');
  });
});
