/** The default profile’s tools over files: reading collapsed, editing by form, writing by hash, searching source. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const inProject = (file: string) => path.join(harbor.project, file);
const written = (file: string) => readFileSync(inProject(file), 'utf8');

interface FileResult {
  content: string;
  hash: string;
  collapsed: boolean;
  diff: string;
  written: boolean;
  notes: string[];
}

const tool = (name: string, args: Record<string, unknown>) => call<FileResult>(client, name, args);

const SHAPES = `;;; Shapes.
(in-package :shapes)

(defclass circle (shape)
  ((radius :initarg :radius
           :reader radius)))

(defmethod area ((shape circle))
  "How large it is, in whatever unit its radius has."
  (* pi (expt (radius shape) 2)))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defmacro with-area ((name shape) &body body)
    \`(let ((,name (area ,shape))) ,@body)))

(defun total (shapes)
  (reduce #'+ shapes :key #'area))
`;

/** A jar of these files, as `jar` would pack them. */
function jar(files: Record<string, string>): Buffer {
  const packed = Object.entries(files).map(
    ([name, text]) => [Buffer.from(name), deflateRawSync(text)] as const,
  );
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, bytes] of packed) {
    const offset = Buffer.concat(locals).length;
    const [local, entry] = [Buffer.alloc(30), Buffer.alloc(46)];
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(bytes.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, name, bytes);
    directory.push(entry, name);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(packed.length, 10);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

describe('read_file', () => {
  it('collapses a Lisp file to a line for each top-level form', async () => {
    writeFileSync(inProject('shapes.lisp'), SHAPES);
    const { structured, text } = await tool('read_file', { path: 'shapes.lisp' });
    expect(structured.content).toBe(`2: (in-package :shapes)
4: (defclass circle (shape) …)
8: (defmethod area ((shape circle)) …)
12: (eval-when (:compile-toplevel :load-toplevel :execute) …)
13:   (defmacro with-area ((name shape) &body body) …)
16: (defun total (shapes) …)`);
    expect(text).toContain(`hash ${structured.hash}`);
  });

  it('shows those forms whole that a pattern names, or that hold one', async () => {
    const named = await tool('read_file', { path: 'shapes.lisp', name_pattern: '^defmethod area' });
    expect(named.structured.content).toContain('8:\n(defmethod area ((shape circle))\n  "How large');
    expect(named.structured.content).not.toContain('total');
    expect(named.structured.notes).toEqual(['5 other forms are omitted.']);
    const holding = await tool('read_file', { path: 'shapes.lisp', content_pattern: "#'area" });
    expect(holding.structured.content).toContain(
      "16:\n(defun total (shapes)\n  (reduce #'+ shapes :key #'area))",
    );
  });

  it('says that no form matches, and which there are', async () => {
    for (const pattern of ['name_pattern', 'content_pattern']) {
      const { structured, text } = await tool('read_file', { path: 'shapes.lisp', [pattern]: 'totl' });
      expect(structured.content).toBe('');
      expect(text).toContain('No form matches totl. There are: total, ');
      expect(text.length).toBeLessThan(150);
    }
  });

  it('gives patterns a moment and no more', async () => {
    writeFileSync(inProject('long.lisp'), `(defun f () "${'a'.repeat(60)}")`);
    const { isError, text } = await tool('read_file', { path: 'long.lisp', content_pattern: '(a+)+$' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/takes too long/)]);
    expect((await tool('read_file', { path: 'long.lisp', content_pattern: '(' })).text).toMatch(/Invalid/);
  });

  it('shows plain text as it is, part by part', async () => {
    writeFileSync(inProject('notes.txt'), 'abc\r\ndef');
    expect((await tool('read_file', { path: 'notes.txt' })).structured).toMatchObject({
      content: 'abc\r\ndef',
      collapsed: false,
      total: 8,
    });
    expect((await tool('read_file', { path: 'shapes.lisp', limit: 5 })).structured).toMatchObject({
      content: ';;; S',
      next: 5,
    });
    expect((await tool('read_file', { path: 'notes.txt', name_pattern: 'x' })).text).toMatch(
      /`find` with kind text/,
    );
  });

  it('names what is in a folder', async () => {
    mkdirSync(inProject('folder/inner'), { recursive: true });
    for (const name of ['b.lisp', 'a.fasl', '.hidden']) writeFileSync(inProject(`folder/${name}`), '');
    const { structured, text } = await tool('read_file', { path: 'folder' });
    expect(structured).toMatchObject({ path: 'folder', content: 'inner/\nb.lisp' });
    expect(text).toContain('A folder');
    writeFileSync(inProject('binary'), Buffer.from([0, 1, 2]));
    expect((await tool('read_file', { path: 'binary' })).text).toMatch(/^not_a_file: .*binary/);
  });

  it('gives of a long file no more than anybody reads', async () => {
    const forms = Array.from({ length: 4000 }, (_, number) => `(defun f-${number} (x) x)`);
    writeFileSync(inProject('many.lisp'), forms.join('\n'));
    const whole = await tool('read_file', { path: 'many.lisp' });
    expect(whole.structured.content).toHaveLength(50_000);
    expect(whole.text).toMatch(/only the start.*name_pattern/);
    const one = await tool('read_file', { path: 'many.lisp', name_pattern: 'f-1234$' });
    expect(one.structured.content).toBe('1235:\n(defun f-1234 (x) x)');
    expect(one.text).toMatch(/3999 other forms are omitted/);
  });

  it('says what is wrong with a file whose parentheses do not match', async () => {
    writeFileSync(inProject('broken.lisp'), '(defun f ()\n  (g)\n\n(defun h () 1)\n');
    const { notes } = (await tool('read_file', { path: 'broken.lisp' })).structured;
    expect(notes).toEqual([expect.stringMatching(/Likely fix: add `\)` at the end of line 2/)]);
  });
});

describe('edit_form', () => {
  const total = { path: 'shapes.lisp', form_type: 'defun', form_name: 'total' };

  it('shows the change without making it, then makes it and keeps what was there', async () => {
    writeFileSync(inProject('shapes.lisp'), SHAPES);
    const edit = { ...total, operation: 'patch', old_text: ':key', new_text: ':initial-value 0 :key' };
    const dry = await tool('edit_form', { ...edit, dry_run: true });
    expect(dry.structured).toMatchObject({ written: false, diff: expect.stringContaining('+  (reduce') });
    expect(written('shapes.lisp')).toBe(SHAPES);
    const done = await tool('edit_form', { ...edit, expected_hash: dry.structured.hash });
    expect(done.structured.diff).toBe(dry.structured.diff);
    expect(written('shapes.lisp')).toBe(SHAPES.replace(':key', ':initial-value 0 :key'));
    const kept = /history:\d+/.exec(done.text)?.[0];
    const before = await tool('read_file', { path: kept, collapsed: false });
    expect(before.structured.content).toBe(SHAPES);
  });

  it('shows the change of a file whatever its name is', async () => {
    mkdirSync(inProject('a folder'), { recursive: true });
    writeFileSync(inProject('a folder/λ.lisp'), '(defun f () 1)\n');
    const edit = { path: 'a folder/λ.lisp', form_type: 'defun', form_name: 'f', operation: 'replace' };
    const { diff } = (await tool('edit_form', { ...edit, content: '(defun f () 2)' })).structured;
    expect(diff).toBe(
      '--- a folder/λ.lisp\n+++ a folder/λ.lisp\n@@ -1,1 +1,1 @@\n-(defun f () 1)\n+(defun f () 2)\n',
    );
  });

  it('refuses a file that has changed since it was read', async () => {
    const edit = { ...total, operation: 'delete', expected_hash: 'another' };
    expect((await tool('edit_form', edit)).text).toMatch(/^hash_mismatch: /);
  });

  it('refuses what would not balance, and leaves the file as it is', async () => {
    const before = written('shapes.lisp');
    const { isError, text } = await tool('edit_form', {
      ...total,
      operation: 'replace',
      content: '(defun total (',
    });
    expect([isError, text]).toEqual([true, expect.stringMatching(/content is incomplete.*Likely fix/)]);
    expect(written('shapes.lisp')).toBe(before);
  });

  it('keeps the bytes of an older encoding', async () => {
    writeFileSync(inProject('old.lisp'), Buffer.from('; caf\xe9\n(defun f () 1)\n', 'latin1'));
    const edit = { path: 'old.lisp', form_type: 'defun', form_name: 'f', operation: 'replace' };
    expect((await tool('edit_form', { ...edit, content: '(defun f () "λ")' })).text).toMatch(/has no λ/);
    await tool('edit_form', { ...edit, content: '(defun f () "é")' });
    expect(readFileSync(inProject('old.lisp'), 'latin1')).toBe('; caf\xe9\n(defun f () "\xe9")\n');
  });

  it('says that another readtable may read the file in another way', async () => {
    writeFileSync(inProject('tables.lisp'), '(named-readtables:in-readtable :mine)\n(defun f () 1)\n');
    const edit = { path: 'tables.lisp', form_type: 'defun', form_name: 'f', operation: 'delete' };
    const { notes } = (await tool('edit_form', { ...edit, dry_run: true })).structured;
    expect(notes).toEqual([expect.stringMatching(/Line 1 changes the readtable to mine/)]);
  });
});

describe('write_file', () => {
  it('makes a new file, and replaces one only by its hash', async () => {
    const made = await tool('write_file', { path: 'new/a.clj', content: '(ns a)\n' });
    expect(made.structured).toMatchObject({ created: true });
    const again = { path: 'new/a.clj', content: '(ns b)\n' };
    expect((await tool('write_file', again)).text).toMatch(/^file_exists: .*edit_form/);
    expect((await tool('write_file', { ...again, expected_hash: 'x' })).text).toMatch(/^hash_mismatch: /);
    expect(written('new/a.clj')).toBe('(ns a)\n');
    const replaced = await tool('write_file', { ...again, expected_hash: made.structured.hash });
    expect(replaced.structured).toMatchObject({ created: false });
    expect(written('new/a.clj')).toBe('(ns b)\n');
  });

  it('says when the Lisp that it wrote does not balance', async () => {
    const { isError, text } = await tool('write_file', { path: 'half.clj', content: '(defn f [x\n' });
    expect([isError, text]).toEqual([false, expect.stringMatching(/do not match/)]);
  });
});

describe('find in files', () => {
  const find = async (args: Record<string, unknown>) =>
    (await call<{ results: object[]; total: number }>(client, 'find', args)).structured.results;

  beforeAll(() => {
    mkdirSync(inProject('src/.hidden'), { recursive: true });
    writeFileSync(inProject('src/shapes.lisp'), SHAPES);
    writeFileSync(inProject('src/.hidden/shapes.lisp'), SHAPES);
    writeFileSync(inProject('src/notes.txt'), 'The AREA of a circle.\n');
  });

  it('finds definitions without an image', async () => {
    expect(await find({ query: 'shapes:area', kind: 'definition', path: 'src' })).toEqual([
      {
        kind: 'defmethod',
        text: '(defmethod area ((shape circle)) …)',
        source: { path: 'src/shapes.lisp', line: 8 },
      },
    ]);
  });

  it('finds uses with the form that they are in', async () => {
    expect(await find({ query: 'area', kind: 'reference', path: 'src/shapes.lisp' })).toMatchObject([
      { text: '`(let ((,name (area ,shape))) ,@body)))', form: 'defmacro with-area' },
      { text: "(reduce #'+ shapes :key #'area))", form: 'defun total', source: { line: 17 } },
    ]);
  });

  it('finds any text, in files that are no Lisp too', async () => {
    const found = await find({ query: 'area of', kind: 'text', path: 'src' });
    expect(found).toEqual([
      { kind: 'text', text: 'The AREA of a circle.', source: { path: 'src/notes.txt', line: 1 } },
    ]);
  });

  it('looks into the jar that is named, and reads there', async () => {
    const source = '(ns lib.core)\n\n(defn area [w h]\n  (* w h))\n';
    writeFileSync(inProject('lib.jar'), jar({ 'lib/core.clj': source, 'lib/Core.class': 'area' }));
    const [found] = await find({ query: 'area', kind: 'definition', path: 'lib.jar' });
    const place = 'lib.jar!/lib/core.clj';
    expect(found).toMatchObject({ text: '(defn area [w h] …)', source: { path: place, line: 3 } });
    const whole = await tool('read_file', { path: place, collapsed: false });
    expect(whole.structured.content).toBe(source);
    const edit = { path: place, form_type: 'defn', form_name: 'area', operation: 'delete' };
    expect((await tool('edit_form', edit)).text).toMatch(/^not_supported: /);
    expect((await tool('read_file', { path: 'lib.jar!/gone.clj' })).text).toMatch(/^file_missing: /);
  });

  it('asks files for what the image does not know', async () => {
    const { structured, text } = await call<{ results: object[] }>(client, 'find', {
      query: 'with-area',
      kind: 'definition',
    });
    expect(structured.results).toContainEqual(
      expect.objectContaining({ kind: 'defmacro', source: { path: 'src/shapes.lisp', line: 13 } }),
    );
    expect(text).toContain('may not be loaded');
  });
});

it('says in its text which forms an outline does not understand, or why it ends early', async () => {
  writeFileSync(
    inProject('own.lisp'),
    '(in-readtable :own)\n(defun doc () #~/first (line/)\n(defun after () 1)\n',
  );
  const own = await tool('read_file', { path: 'own.lisp' });
  for (const told of ['defun after', 'reader syntax', 'defun at line 2']) expect(own.text).toContain(told);
  writeFileSync(inProject('open.lisp'), '(defun f (x)\n  (list x)\n(defun g () 1)\n');
  expect((await tool('read_file', { path: 'open.lisp' })).text).toContain('delimiters');
});
