/** The profile of lisp-mcp-server: the names of its tools, evaluation, what it says of code, and an agent's round. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

async function text(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

const evaluated = (code: string) => text('repl-eval', { code });

interface Tested {
  report: { runs: { counts: { passed: number; failed: number } | null }[] };
}

const SHAPES = `(defpackage :shapes (:use :cl) (:nicknames :shp) (:export #:area))
(in-package :shapes)

(defun area (width height)
  "How large."
  (* width height))
`;

describe.each(sampled('s2-profile ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way, 'lisp-mcp-server');
    writeFileSync(path.join(harbor.project, 'shapes.lisp'), SHAPES);
    expect(await evaluated('(progn (load "shapes.lisp") :loaded)')).toBe(':LOADED');
  });
  afterAll(() => harbor.stop());

  describe('lisp-mcp-server: the profile', () => {
    it('S2-45 S2-46 S2-47 S2-48 S2-49 S2-50 has its tools under its names', async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining([
          'repl-eval',
          'fs-read-file',
          'fs-write-file',
          'fs-list-directory',
          'code-find',
          'code-describe',
          'load-system',
          'run-tests',
          'lisp-check-parens',
        ]),
      );
      expect(names).not.toContain('eval');
    });

    it('S2-51 takes its tools by their dotted and underscored names too', async () => {
      for (const name of ['fs.read_file', 'fs_read_file', 'fs/read-file', 'fs-read-file'])
        expect(await text(name, { path: 'shapes.lisp' })).toBe(SHAPES);
      for (const name of ['code.find', 'code_find'])
        expect(await text(name, { symbol: 'shapes:area' })).toMatch(/ in shapes\.lisp at line 4$/);
      expect(await text('repl.eval', { code: '(+ 1 2)' })).toBe('3');
    });
  });

  describe('lisp-mcp-server: evaluation', () => {
    it('S2-43 S2-45 answers the value of what it is given', async () => {
      expect(await evaluated('(+ 1 2)')).toBe('3');
      expect(await evaluated('(defvar *kept* "a") *kept*')).toBe('"a"');
      expect(await evaluated('(floor 17 5)')).toBe('3\n2');
      expect(await evaluated('(values)')).toBe('NIL');
    });

    it('S2-43 tells what was printed after the value', async () => {
      expect(await evaluated('(progn (format t "out~%") 1)')).toBe('1\n\n;; stdout\nout');
    });

    it('S2-44 evaluates what the reader evaluates', async () => {
      expect(await evaluated('#.(+ 1 2)')).toBe('3');
      const { isError } = await call(client, 'repl-eval', { code: '#.(+ 1 2)', safe_read: true });
      expect(isError).toBe(true);
    });

    it('S2-53 tells an error with its stack, as text and as data', async () => {
      const { isError, structured } = await call<{ condition: { frames: { call: string }[] } }>(
        client,
        'repl-eval',
        { code: '(progn (defun fails () (error "on purpose")) (fails))' },
      );
      expect(isError).toBe(true);
      expect(structured.condition.frames.some(({ call: frame }) => frame.includes('FAILS'))).toBe(true);
      const told = await evaluated('(fails)');
      expect(told).toMatch(/^\[SIMPLE-ERROR\] on purpose\nBacktrace:\n[\s\S]*FAILS/);
    });
  });

  describe('lisp-mcp-server: code', () => {
    it('S2-33 S2-34 S2-36 S2-37 S2-49 finds where a symbol is defined, also by a nickname', async () => {
      const place = 'defined in shapes.lisp at line 4';
      expect(await text('code-find', { symbol: 'shapes:area' })).toBe(`shapes:area ${place}`);
      expect(await text('code-find', { symbol: 'shp:area' })).toBe(`shp:area ${place}`);
      expect(await text('code-find', { symbol: 'area', package: 'shapes' })).toBe(`area ${place}`);
    });

    it('S2-35 S2-38 names a package that there is not, and evaluates nothing', async () => {
      const nope = await call(client, 'code-find', { symbol: 'area', package: 'NOPE' });
      expect([nope.isError, nope.text]).toEqual([true, expect.stringContaining('NOPE')]);
      expect((await call(client, 'code-find', { symbol: '#.(print 1)' })).isError).toBe(true);
      expect((await call(client, 'code-find', { symbol: 'shapes::nowhere' })).isError).toBe(true);
    });

    it('S2-39 S2-40 S2-41 S2-50 describes a function, a macro and a variable', async () => {
      const described = (symbol: string, where = {}) => text('code-describe', { symbol, ...where });
      expect(await described('area', { package: 'shapes' })).toBe(
        'AREA :: function (WIDTH HEIGHT)\nHow large.\nDefined at shapes.lisp:4',
      );
      expect(await described('mapcar')).toMatch(/^MAPCAR :: function \(/);
      expect(await described('when')).toMatch(/^WHEN :: macro \(/);
      expect(await described('*package*')).toMatch(/^\*PACKAGE\* :: variable\n/);
    });

    it('S2-42 treats a symbol that stands for nothing as an error', async () => {
      const { isError, text: told } = await call(client, 'code-describe', { symbol: 'stands-for-nothing' });
      expect([isError, told]).toEqual([true, expect.stringMatching(/^unknown_symbol: /)]);
    });
  });

  it('S2-64 tells the forms at a place, and builds a system from nothing', async () => {
    const at = await call<{ forms: { text: string; line: number }[] }>(client, 'code.ast_at', {
      ...{ path: 'shapes.lisp', line: 6, column: 6 },
    });
    expect(at.structured.forms.map(({ text: form, line }) => [form.slice(0, 6), line])).toEqual([
      ['width', 6],
      ['(* wid', 6],
      ['(defun', 4],
    ]);
    writeFileSync(
      path.join(harbor.project, 'built.asd'),
      '(defsystem "built" :components ((:file "shapes")))\n',
    );
    await evaluated('(defvar *before* 1)');
    expect((await call(client, 'project.build', { system: 'built' })).isError).toBe(false);
    expect(await evaluated("(cons (boundp '*before*) (shapes:area 2 3))")).toMatch(/^\(NIL \. 6\)\n/);
  });

  it('S2-64 takes a megabyte, and serves sixteen sessions at once', async () => {
    const text = 'x'.repeat(1_048_576);
    expect(await evaluated(`(length "${text}")`)).toBe('1048576');
    const clients = await Promise.all(Array.from({ length: 16 }, () => harbor.over(way, 'lisp-mcp-server')));
    const answers = clients.map(async (each, index) => {
      await each.callTool({ name: 'repl-eval', arguments: { code: `(defvar *mine* ${index})` } });
      const { content } = await each.callTool({ name: 'repl-eval', arguments: { code: '*mine*' } });
      return content[0]?.type === 'text' ? content[0].text : null;
    });
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 16 }, (_, index) => `${index}`));
  });

  it('S2-3 S2-61 lets an agent read, find, write, load and test by itself', async () => {
    const write = (file: string, content: string) => text('fs.write_file', { path: file, content });
    const counts = async () => {
      const { structured } = await call<Tested>(client, 'run-tests', { system: 'rounds' });
      return structured.report.runs[0]?.counts;
    };
    await write('rounds.asd', '(defsystem "rounds" :depends-on ("fiveam") :components ((:file "rounds")))\n');
    await write(
      'rounds.lisp',
      `(defpackage :rounds (:use :cl))
(in-package :rounds)

(defun twice (x)
  (+ x 2))

(5am:test doubling (5am:is (= 6 (twice 3))))
`,
    );
    expect(await counts()).toMatchObject({ passed: 0, failed: 1 });
    const file = 'rounds.lisp';
    expect(await text('code.find', { symbol: 'rounds::twice' })).toContain(` in ${file} at line 4`);
    expect(await text('lisp-read-file', { path: file, name_pattern: 'twice' })).toContain('(+ x 2)');
    const edited = await call<{ diff: string }>(client, 'lisp-edit-form', {
      ...{ file_path: file, form_type: 'defun', form_name: 'twice', operation: 'replace' },
      content: '(defun twice (x)\n  (* x 2))',
    });
    expect(edited.first).toBe('Applied replace to defun twice in rounds.lisp');
    expect(edited.structured.diff).toContain('-  (+ x 2))\n+  (* x 2))');
    expect((await call(client, 'load-system', { system: 'rounds' })).isError).toBe(false);
    expect(await counts()).toMatchObject({ passed: 1, failed: 0 });
  });
});
