/**
 * An agent brings an ASDF project to green, through MCP alone and confined: a system that depends on one beside it and on
 * FiveAM, with a method that is wrong and a function that is missing.
 */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, AgentProject, agentOf, COMPILING_MS } from '../agent-project';

const LIBRARY = {
  'units/units.asd': '(defsystem "units" :components ((:file "units")))\n',
  'units/units.lisp': `(defpackage :units (:use :cl) (:export #:metres))
(in-package :units)

(defun metres (feet)
  "FEET in metres."
  (* feet 0.3048d0))
`,
};

const SHAPES = `(in-package :shop)

(defclass circle () ((radius :initarg :radius :reader radius)))

(defgeneric area (shape)
  (:documentation "Square metres."))

(defmethod area ((shape circle))
  (* pi (units:metres (radius shape))))

(defun price (shape)
  (round (* 10 (aera shape))))
`;

const PROJECT = {
  'shop.asd': `(defsystem "shop"
  :depends-on ("units")
  :pathname "src/"
  :serial t
  :components ((:file "package") (:file "shapes"))
  :in-order-to ((test-op (test-op "shop/tests"))))

(defsystem "shop/tests"
  :depends-on ("shop" "fiveam")
  :pathname "t/"
  :components ((:file "tests")))
`,
  'src/package.lisp': '(defpackage :shop (:use :cl) (:export #:area #:circle #:perimeter #:price))\n',
  'src/shapes.lisp': SHAPES,
  't/tests.lisp': `(defpackage :shop-tests (:use :cl :5am))
(in-package :shop-tests)

(defvar *circle* (make-instance 'shop:circle :radius (/ 2 0.3048d0)))

(test areas
  (is (= 12 (floor (shop:area *circle*)))))

(test perimeters
  (is (= 12 (floor (shop:perimeter *circle*)))))

(test old
  (is (= 0 (shop:price *circle*))))
`,
};

const AREA = '(defmethod area ((shape circle))\n  (* pi (expt (units:metres (radius shape)) 2)))';
const PERIMETER = '(defun perimeter (circle)\n  (* 2 pi (units:metres (radius circle))))';
const PRICE = '(defun price (shape)\n  (round (* 10 (area shape))))';

const start = () =>
  AgentProject.start({
    engine: 'sbcl',
    files: PROJECT,
    library: { files: LIBRARY, power: 'library' },
  });

let project: AgentProject;
let agent: Agent;

const inShapes = (form_type: string, form_name: string) => ({
  path: 'src/shapes.lisp',
  form_type,
  form_name,
});

const outcomeOfTests = async () => (await agent.record('run_tests', { system: 'shop' })).report?.runs[0];

describe('in profile default', () => {
  beforeAll(async () => {
    project = await start();
    agent = agentOf(await project.harbor.client());
  });
  afterAll(() => project.stop());

  it('S2-3 finds its way in a project that no image knows yet', async () => {
    expect((await agent.done('images')).text).toMatch(/images confined by/);
    expect((await agent.done('read_file', { path: '.' })).text).toMatch(/^src\/\nt\/\nshop\.asd\n/);
    const shapes = await agent.done('read_file', { path: 'src/shapes.lisp', name_pattern: 'area' });
    expect(shapes.text).toMatch(/^5:\n\(defgeneric area \(shape\)/);
    expect(shapes.text).toContain('(* pi (units:metres (radius shape)))');
    const outline = await agent.done('read_file', { path: 'src/shapes.lisp' });
    expect(outline.text).toContain('3: (defclass circle ()');
    expect(outline.text).toContain('11: (defun price (shape) …)');
    const found = await agent.done('find', { kind: 'definition', query: 'shop:area' });
    expect(found.text).toMatch(/src\/shapes\.lisp:8 \(defmethod/);
    expect(found.text).toContain('There is no package SHOP');
    expect(await agent.refused('describe', { symbol: 'shop:area' })).toMatch(/can be loaded/);
  });

  it(
    'S2-59 S2-18 loads it with a library that a person allowed, and is told where the compiler warns',
    async () => {
      const units = `${project.library}/units/units.lisp`;
      expect(await agent.refused('read_file', { path: units })).toMatch(
        /^path_not_allowed: .*Load the system/,
      );
      expect(await agent.refused('load', { system: 'src/shapes.lisp' })).toMatch(/as path, not as system/);
      const { structured, text } = await agent.done('load', { system: 'shop' });
      expect(structured).toMatchObject({
        outcome: 'ok',
        warnings: expect.arrayContaining([
          expect.objectContaining({
            message: expect.stringContaining('undefined function: SHOP::AERA'),
            ...{ file: project.file('src/shapes.lisp'), line: 12 },
          }),
        ]),
        report: { loaded: expect.arrayContaining(['shop', 'units']) },
      });
      expect(text).toMatch(/undefined function: SHOP::AERA .*src\/shapes\.lisp:12/);
      expect((await agent.done('read_file', { path: units })).text).toContain('(defun metres (feet) …)');
      expect(await agent.refused('write_file', { path: units, content: '' })).toMatch(/^path_not_allowed: /);
      expect((await agent.done('describe', { symbol: 'shop:area' })).text).toMatch(
        /AREA \(SHAPE\) · src\/shapes\.lisp:5\nSquare/,
      );
    },
    COMPILING_MS,
  );

  it(
    'S2-56 sees what fails, with the values and the place',
    async () => {
      const run = await outcomeOfTests();
      expect(run).toMatchObject({ framework: 'fiveam', counts: { passed: 0, failed: 1, errors: 2 } });
      expect(run?.failures).toMatchObject([
        {
          ...{ test: 'SHOP-TESTS::AREAS', kind: 'failed', expected: '12', actual: '6' },
          ...{ file: project.file('t/tests.lisp'), line: 6 },
        },
        { test: 'SHOP-TESTS::PERIMETERS', kind: 'error', reason: expect.stringMatching(/PERIMETER/) },
        { test: 'SHOP-TESTS::OLD', kind: 'error', reason: expect.stringMatching(/AERA/) },
      ]);
    },
    COMPILING_MS,
  );

  it('S2-27 is kept from edits that would do harm, and makes the right ones', async () => {
    const area = { ...inShapes('defmethod', 'area'), operation: 'replace' };
    const half = await agent.refused('edit_form', { ...area, content: AREA.slice(0, -1) });
    expect(half).toMatch(/incomplete.*Likely fix: add `\)` at the end of line 2/);
    const late = await agent.refused('edit_form', { ...area, content: AREA, expected_hash: 'another' });
    expect(late).toMatch(/^hash_mismatch: .*Read it again/);
    const dry = await agent.done('edit_form', { ...area, content: AREA, dry_run: true });
    expect(project.read('src/shapes.lisp')).toBe(SHAPES);
    const hash = dry.structured.hash;
    const done = await agent.done('edit_form', { ...area, content: AREA, expected_hash: hash });
    expect(done.structured.diff).toBe(dry.structured.diff);
    await agent.done('edit_form', {
      ...{ ...inShapes('defmethod', 'area'), operation: 'insert_after', content: PERIMETER },
    });
    await agent.done('edit_form', {
      ...{ ...inShapes('defun', 'price'), operation: 'patch', old_text: 'aera', new_text: 'area' },
    });
    const written = [SHAPES.slice(0, SHAPES.indexOf('(defmethod')), `${AREA}\n\n${PERIMETER}\n\n${PRICE}\n`];
    expect(project.read('src/shapes.lisp')).toBe(written.join(''));
  });

  it(
    'S2-61 loads without a warning, drops a test that is wrong, and is green',
    async () => {
      expect(await agent.record('load', { system: 'shop' })).toMatchObject({ outcome: 'ok', warnings: [] });
      expect(await outcomeOfTests()).toMatchObject({ counts: { passed: 2, failed: 1, errors: 0 } });
      const old = { path: 't/tests.lisp', operation: 'delete', form_type: 'test', form_name: 'old' };
      await agent.done('edit_form', old);
      expect(await outcomeOfTests()).toMatchObject({
        tests: ['SHOP-TESTS::AREAS', 'SHOP-TESTS::PERIMETERS'],
        counts: { passed: 2, failed: 0, errors: 0 },
      });
      const none = await agent.refused('run_tests', { system: 'shop', test: 'old' });
      expect(none).toMatch(/There is no test old\. There are: SHOP-TESTS::AREAS/);
    },
    COMPILING_MS,
  );

  it('S2-12 S2-15 is refused what it may not read, by the file tools and by the sandbox', async () => {
    expect(await agent.refused('read_file', { path: '/etc/shadow' })).toMatch(/^secret_path: .*passwords/);
    expect(await agent.refused('read_file', { path: '/etc/passwd' })).toMatch(
      /^path_not_allowed: .*outside.*"power":"read"/,
    );
    const written = `${project.library}/new.lisp`;
    for (const code of ['(open "/etc/shadow")', `(open "${written}" :direction :output)`])
      expect(await agent.record('eval', { code })).toMatchObject({ outcome: 'error' });
    await agent.record('eval', { code: '(close (open "../new.lisp" :direction :output))' });
    for (const file of [written, project.file('../new.lisp')]) expect(existsSync(file)).toBe(false);
  });

  it(
    'S2-25 has all of it in the history, and takes an edit back',
    async () => {
      const { text } = await agent.done('history', { limit: 100 });
      for (const told of ['(load-system "shop")', 'run-tests :system "shop"', '/etc/shadow'])
        expect(text).toContain(told);
      const kept = (await agent.done('read_file', { path: 'history:1', collapsed: false })).structured;
      expect(kept.content).toBe(SHAPES);
      const now = (await agent.done('read_file', { path: 'src/shapes.lisp' })).structured;
      await agent.done('write_file', {
        ...{ path: 'src/shapes.lisp', content: kept.content, expected_hash: now.hash },
      });
      expect(project.read('src/shapes.lisp')).toBe(SHAPES);
      await agent.done('load', { system: 'shop', fresh: true });
      expect((await outcomeOfTests())?.counts).toMatchObject({ passed: 0, failed: 1, errors: 1 });
    },
    COMPILING_MS,
  );
});

describe('in profile lisp-mcp-server', () => {
  beforeAll(async () => {
    project = await start();
    agent = agentOf(await project.harbor.client('legacy', { profile: 'lisp-mcp-server' }));
  });
  afterAll(() => project.stop());

  const told = async (tool: string, args: Record<string, unknown>) => (await agent.done(tool, args)).text;

  it(
    'S2-61 S2-3 S2-1 goes from red to green by its own tools',
    async () => {
      expect(await told('fs-list-directory', { path: '.' })).toMatch(/^\[dir\] {2}src$/m);
      expect(await told('fs-read-file', { path: 'src/shapes.lisp' })).toBe(SHAPES);
      expect(await agent.refused('code-describe', { symbol: 'shop:area' })).toMatch(/SHOP.*can be loaded/);
      expect(await told('load-system', { system: 'shop' })).toMatch(
        /undefined function: SHOP::AERA .*shapes\.lisp:12/,
      );
      const area = await told('code-find', { symbol: 'shop:area' });
      expect(area).toMatch(/^shop:area defined in src\/shapes\.lisp at line 5$/m);
      expect(await told('code-describe', { symbol: 'units:metres' })).toMatch(
        /^UNITS:METRES :: function \(FEET\)\nFEET in metres\.\n/,
      );
      expect(await told('run-tests', { system: 'shop' })).toContain('0 passed, 1 failed, 2 errors in ');
      const edit = { file_path: 'src/shapes.lisp', form_type: 'defmethod', form_name: 'area' };
      await agent.done('lisp-edit-form', { ...edit, operation: 'replace', content: AREA });
      await agent.done('lisp-edit-form', { ...edit, operation: 'insert_after', content: PERIMETER });
      const price = { ...edit, form_type: 'defun', form_name: 'price', operation: 'replace', content: PRICE };
      await agent.done('lisp-edit-form', price);
      const old = { file_path: 't/tests.lisp', form_type: 'test', form_name: 'old', operation: 'delete' };
      await agent.done('lisp-edit-form', old);
      expect(await told('load-system', { system: 'shop' })).not.toContain('[warnings]');
      expect(await told('run-tests', { system: 'shop' })).toContain('Passed: 2, Failed: 0');
      expect(
        await told('repl-eval', { code: "(floor (shop:area (make-instance 'shop:circle :radius 1)))" }),
      ).toMatch(/^0\n/);
    },
    COMPILING_MS,
  );

  it('S2-26 S2-52 says how a file of the project is named, and takes an edit back', async () => {
    const file_path = project.file('src/shapes.lisp');
    const edit = { file_path, form_type: 'defun', form_name: 'price', operation: 'delete' };
    expect(await agent.refused('lisp-edit-form', edit)).toMatch(/is absolute: .*, here src\/shapes\.lisp\./);
    const before = await told('fs-read-file', { path: 'history:1' });
    expect(before).toBe(SHAPES);
    await agent.done('fs-write-file', { path: 'src/shapes.lisp', content: before });
    expect(project.read('src/shapes.lisp')).toBe(SHAPES);
    expect(await agent.refused('fs-write-file', { path: '../x.lisp', content: '' })).toMatch(
      /^path_not_allowed: /,
    );
    expect(await agent.refused('repl-eval', { code: '(open "/etc/shadow")' })).toContain('FILE');
  });
});
