/** What later versions of lisp-mcp-server have beside: objects, patches, search. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { temporaryFolder } from '../unit/history-folder';
import { lispMcpClient } from './lisp-mcp-client';

let harbor: StartedHarbor;
let client: Client;

const inProject = (...parts: string[]) => path.join(harbor.project, ...parts);

const { told, refused, evaluated } = lispMcpClient(() => client);

/** The id behind a text, as answers name objects. */
function objectIn(text: string, after = ''): string {
  const behind = text.slice(text.indexOf(after) + after.length);
  return String(/\[object-id: (o-[\w.-]+)\]/.exec(behind)?.[1]);
}

const SHAPES = `(defpackage :shapes (:use :cl) (:export #:area #:volume))
(in-package :shapes)

;; area of a rectangle
(defun area (width height)
  (* width height))

(defmethod volume :around ((size number) &key depth)
  (list (area size depth) (area 1 size)))

(defvar *unit* (area 1 1))
; aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab
`;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('HTTP', 'lisp-mcp-server');
  writeFileSync(inProject('shapes.lisp'), SHAPES);
});
afterAll(() => harbor.stop());

describe('objects', () => {
  it('S2-65 names a value with parts, and shows them, each of which can be looked into', async () => {
    const value = await evaluated('(list 1 "two" (list 3 4) (vector :five))');
    expect(value).toMatch(/^\(1 "two" \(3 4\) #\(:FIVE\)\)\n\[object-id: o-[\w.-]+\]$/);
    const list = await told('inspect-object', { id: objectIn(value) });
    expect(list.split('\n').slice(2, 5)).toEqual(['Elements:', '  [0] 1', '  [1] "two"']);
    const nested = await told('inspect-object', { id: objectIn(list, '[2] (3 4)') });
    expect(nested).toMatch(/^\[list\] \(3 4\)\n.*\nElements:\n {2}\[0\] 3\n {2}\[1\] 4$/);
    expect(await told('inspect-object', { id: objectIn(list, '[3]') })).toContain('[array] #(:FIVE)');
    for (const plain of ['42', '"text"', ':key', "'symbol", '(values)'])
      expect(await evaluated(plain)).not.toContain('object-id');
  });

  it('S2-65 shows entries and slots, and no more of them than were asked for', async () => {
    const table = await evaluated(
      `(let ((table (make-hash-table :test 'equal))) (setf (gethash "key" table) (list 1)) table)`,
    );
    expect(await told('inspect-object', { id: objectIn(table) })).toMatch(
      /^\[hash-table\] .*\n.*\nEntries \(EQUAL test\):\n {2}"key" => \(1\) \[object-id: o-[\w.-]+\]$/,
    );
    const point = objectIn(await evaluated('(defstruct point x y) (make-point :x 1 :y (list 2))'));
    expect(await told('inspect-object', { id: point })).toMatch(
      /\[structure\].*\n.*\nSlots:\n {2}X: 1\n {2}Y: \(2\) \[object-id: o-[\w.-]+\]$/,
    );
    expect(await told('inspect-object', { id: point, max_depth: 0 })).not.toContain('X: 1');
    expect(await told('inspect-object', { id: point, max_elements: 1 })).toMatch(
      /X: 1\n {2}\.\.\. \(truncated, 2 total\)$/,
    );
  });

  it('S2-66 prints as deep, as long and as much as it is asked to', async () => {
    const nested = '(list (list 1 (list 2)) 3 4 5)';
    expect(await evaluated(nested, { print_level: 2, print_length: 2 })).toMatch(/^\(\(1 #\) 3 \.\.\.\)\n/);
    expect(await evaluated(nested)).toMatch(/^\(\(1 \(2\)\) 3 4 5\)\n/);
    const { first, structured } = await call<{ truncated: boolean }>(client, 'repl-eval', {
      ...{ code: '(make-string 500 :initial-element #\\x)', max_output_length: 100 },
    });
    expect([first.length < 200, structured.truncated]).toEqual([true, true]);
  });

  it('S2-66 answers with a job when its time is over, and kills nothing', async () => {
    const code = '(progn (loop until (boundp (quote *go*)) do (sleep 0.01)) :gone)';
    const { first, structured } = await call<{ job: string }>(client, 'repl-eval', {
      ...{ code, timeout_seconds: 0.05 },
    });
    expect(first).toBe(`Still running as ${structured.job}: the tool job follows it.`);
    await call(client, 'job', { job: structured.job, action: 'cancel' });
    expect(await evaluated(':still-here')).toBe(':STILL-HERE');
  });

  it('S2-53 tells where it failed after what was printed', async () => {
    const failing = { code: '(progn (defun fails () (format t "out~%") (error "on purpose")) (fails))' };
    const { first, isError } = await call(client, 'repl-eval', failing);
    expect(isError).toBe(true);
    expect(first).toMatch(/^;; stdout\nout\n\n\[SIMPLE-ERROR\] on purpose\nBacktrace:\n {2}\d+: \(FAILS\)/);
  });
});

describe('locals', () => {
  it('S2-76 are shown of the frames in which it failed', async () => {
    const failing = '(defun sinks (ship) (error "~A sinks" (first ship)))';
    const code = `${failing} (sinks (list :raft (list 1 2)))`;
    const { first, isError } = await call(client, 'repl-eval', { code, locals_preview_frames: 2 });
    expect(isError).toBe(true);
    expect(first).toMatch(
      /\[SIMPLE-ERROR\] RAFT sinks\nBacktrace:\n {2}0: \(SINKS .*\)\n {6}SHIP = \(:RAFT \(1 2\)\) \[object-id: o-[\w.-]+\]/,
    );
    expect(await told('inspect-object', { id: objectIn(first, 'SHIP = ') })).toContain('[0] :RAFT');
    expect(await evaluated('(+ 1 2)', { locals_preview_frames: 2 })).toBe('3');
    expect((await call(client, 'repl-eval', { code: '(sinks nil)' })).first).not.toContain('SHIP =');
  });
});

describe('source', () => {
  it('S2-67 patches text in a form, or says what that would do', async () => {
    const area = { file_path: 'shapes.lisp', form_type: 'defun', form_name: 'area' };
    const patch = { ...area, old_text: '(* width height)', new_text: '(abs (* width height))' };
    const planned = await told('lisp-patch-form', { ...patch, dry_run: true });
    expect(planned).toContain('Dry-run patch on defun area in shapes.lisp (would change)\n');
    expect(planned).toContain('-  (* width height))\n+  (abs (* width height)))');
    expect(readFileSync(inProject('shapes.lisp'), 'utf8')).toBe(SHAPES);
    expect(await told('lisp-patch-form', patch)).toMatch(
      /^Applied patch to defun area in shapes\.lisp \(\d+ chars → \d+ chars\)$/,
    );
    const patched = SHAPES.replace('(* width height)', '(abs (* width height))');
    expect(readFileSync(inProject('shapes.lisp'), 'utf8')).toBe(patched);
    expect(await refused('lisp-patch-form', { ...area, old_text: 'width', new_text: 'w' })).toMatch(
      /occurs 2 times in the form, at lines 5, 6\./,
    );
    expect(await refused('lisp-patch-form', { ...area, old_text: '(abs', new_text: '((abs' })).toMatch(
      /unbalanced/,
    );
    expect(readFileSync(inProject('shapes.lisp'), 'utf8')).toBe(patched);
  });

  it('S2-77 counts the forms of one name from 0, in what it takes and in what it lists', async () => {
    const sizes = '(defun size () 0)\n\n(defun size () 1)\n\n(defun size () 2)\n';
    writeFileSync(inProject('sizes.lisp'), sizes);
    const size = { file_path: 'sizes.lisp', form_type: 'defun' };
    const replacing = { ...size, operation: 'replace', content: '(defun size () :second)' };
    await told('lisp-edit-form', { ...replacing, form_name: 'size[1]' });
    const first = { ...size, form_name: 'size[0]', old_text: '0', new_text: ':first' };
    await told('lisp-patch-form', first);
    expect(readFileSync(inProject('sizes.lisp'), 'utf8')).toBe(
      sizes.replace('0', ':first').replace('1', ':second'),
    );
    for (const form_name of ['size', 'size[3]'])
      expect(await refused('lisp-edit-form', { ...replacing, form_name })).toMatch(
        /size\[0\] · line 1\n.*size\[1\] · line 3\n.*size\[2\] · line 5/,
      );
  });

  it('S2-68 searches forms by a pattern, without loading them', async () => {
    expect(await told('clgrep-search', { pattern: '\\(area \\w' })).toBe(
      [
        '2 matches for "\\\\(area \\\\w":',
        '  shapes.lisp:9 [defmethod] (volume :around (size number) &key depth)',
        '  shapes.lisp:11 [defvar] *unit*',
      ].join('\n'),
    );
    const { first, structured } = await call<{ matches: Record<string, unknown>[] }>(
      client,
      'clgrep-search',
      {
        ...{ pattern: 'DEFUN AREA', case_insensitive: true, form_types: ['defun'], include_form: true },
      },
    );
    expect(first).toMatch(
      /^1 match for .*\n {2}shapes\.lisp:5 \[defun\] \(area width height\)\n\(defun area /,
    );
    expect(structured.matches[0]).toMatchObject({
      package: 'SHAPES',
      'form-name': 'area',
      'form-end-line': 6,
    });
    expect(await told('clgrep-search', { pattern: 'DEFUN AREA' })).toMatch(/^0 matches/);
    const often = { pattern: 'width|height', include_form: true };
    expect(await told('clgrep-search', often)).toMatch(
      /^1 match for .*\n {2}shapes\.lisp:5 \[defun\] \(area width height\) \(also at 6\)\n\(defun area [^:]*$/,
    );
    const few = await call<{ limited: boolean }>(client, 'clgrep-search', { pattern: 'area', limit: 1 });
    expect(few.structured.limited).toBe(true);
    expect(few.text).toContain('There are more than 1');
  });

  it('S2-69 gives up a pattern that would take for ever, and no file beyond the project is searched', async () => {
    expect(await refused('clgrep-search', { pattern: '(a+)+$' })).toMatch(/takes too long/);
    expect(await refused('clgrep-search', { pattern: '(' })).toMatch(/^bad_arguments: Invalid regular/);
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, 'secret.lisp'), '(defun secret () 1)');
    symlinkSync(outside, inProject('outside'));
    for (const place of [outside, '..', 'outside'])
      expect(await refused('clgrep-search', { pattern: 'secret', path: place })).toMatch(/^path_not_allowed/);
    expect(await told('clgrep-search', { pattern: 'secret' })).toMatch(/^0 matches/);
  });

  it('S2-70 reads a part of a file by its lines', async () => {
    expect(await told('lisp-read-file', { path: 'shapes.lisp', collapsed: false, offset: 1, limit: 2 })).toBe(
      '(in-package :shapes)\n\n[Showing lines 2-3 of 12. Use offset=3 to read more.]',
    );
    expect(await told('lisp-read-file', { path: 'shapes.lisp', offset: 10 })).toMatch(
      /^\(defvar [\s\S]*b\n\[Showing lines 11-12 of 12\.\]$/,
    );
  });

  it('S2-70 checks the parentheses of a part of a file', async () => {
    const open = SHAPES.indexOf('(* width');
    expect(await told('lisp-check-parens', { path: 'shapes.lisp' })).toBe('Parentheses are balanced');
    const part = {
      path: 'shapes.lisp',
      offset: SHAPES.indexOf('(defun'),
      limit: open - SHAPES.indexOf('(defun'),
    };
    expect(await told('lisp-check-parens', part)).toMatch(/^Unbalanced parentheses: The \( at line 1, /);
  });

  it('S2-70 tells uses in the project, or everywhere', async () => {
    await evaluated('(load "shapes.lisp")');
    expect(await told('code-find-references', { symbol: 'shapes:area' })).toMatch(
      /^shapes\.lisp:\d+ \(used in .*\) \[\S+\]$/m,
    );
    const everywhere = await told('code-find-references', {
      symbol: 'asdf:find-system',
      project_only: false,
    });
    expect(everywhere).toContain('(used in ');
    expect(await told('code-find-references', { symbol: 'asdf:find-system' })).toMatch(
      /^(?:No references found\.|; \d+ outside of the project)/,
    );
  });
});

describe('the HyperSpec', () => {
  const page = (title: string, text: string) =>
    `<HTML><HEAD><TITLE>${title}</TITLE></HEAD>\n<BODY><H1>${title}</H1>\n<B>Syntax:</B> <I>&lt;clause&gt;*</I>\n\n<B>Description:</B>\n<P>${text}</P></BODY>\n`;

  it('S2-75 tells what the image documents while there is no copy', async () => {
    const { first, text, structured } = await call<{ source: string }>(client, 'clhs-lookup', {
      query: 'handler-case',
    });
    expect(first).toMatch(/HANDLER-CASE/);
    expect(text).toContain('There is no copy of the HyperSpec on this machine');
    expect(structured.source).toBe('remote');
    expect(await told('clhs-lookup', { query: '22.3.1' })).toMatch(/HyperSpec\/Body\/22_ca\.htm$/);
    expect(await refused('clhs-lookup', { query: '99.1' })).toMatch(/is not a section/);
    expect(await refused('clhs-lookup', { query: 'no-such-name' })).toMatch(/^unknown_symbol/);
  });

  it('S2-75 tells the page of a symbol and of a section from a copy beside the system clhs', async () => {
    const spec = inProject('clhs', 'HyperSpec-7-0', 'HyperSpec');
    for (const folder of ['Data', 'Body']) mkdirSync(path.join(spec, folder), { recursive: true });
    writeFileSync(inProject('clhs', 'clhs.asd'), '(defsystem "clhs")\n');
    writeFileSync(
      path.join(spec, 'Data', 'Map_Sym.txt'),
      'LIST\n../Body/f_list.htm\nLOOP\n../Body/m_loop.htm\n',
    );
    writeFileSync(path.join(spec, 'Body', 'm_loop.htm'), page('Macro LOOP', 'It "loops" &#40;a lot&#41;.'));
    writeFileSync(path.join(spec, 'Body', '22_c.htm'), page('22.3 Formatted Output', 'How ~A prints.'));
    await evaluated('(asdf:initialize-source-registry)');
    expect(await told('clhs-lookup', { query: 'cl:loop' })).toBe(
      'Macro LOOP\nMacro LOOP\nSyntax: <clause>*\nDescription:\nIt "loops" (a lot).',
    );
    expect(await told('clhs-lookup', { query: 'loop', brief: true })).toMatch(/Syntax: <clause>\*$/);
    expect(await told('clhs-lookup', { query: '22.3' })).toContain('How ~A prints.');
    expect(await told('clhs-lookup', { query: 'loop', include_content: false })).toBe(
      `file://${path.join(spec, 'Body', 'm_loop.htm')}`,
    );
    expect(await told('clhs-lookup', { query: 'list' })).toMatch(/LIST/);
  });
});
