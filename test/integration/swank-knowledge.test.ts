/** Queries about names and values in a Swank server, in parallel to evaluations. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Image } from '../../electron/images/image';
import type { Inspector, Knowledge } from '../../electron/images/optional-groups';
import { form } from '../forms';
import { PATIENT } from '../started-harbor';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { attach, evaluate } from './swank-fixture';

const SOURCE = `;; λ before
(defun filed (x &key y)
  "Adds
them."
  (+ x y))

(defun filed-user () (filed 1 :y 2))
(defvar *filed* 3 "A number.")
(defmacro with-filed (&body body) \`(progn ,@body))
(defgeneric shape (thing) (:documentation "Its shape."))
(defmethod shape ((thing string)) thing)
(defclass thing () ((name :initarg :name) (size :initform 2)))
`;

let server: SwankServer;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-swank-'));
  file = path.join(folder, 'filed.lisp');
  writeFileSync(file, SOURCE);
  server = await SwankServer.start({ setup: `(load (compile-file "${file}"))` });
}, COMPILING_MS);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function knowledgeOf({ knowledge }: Image): Knowledge {
  if (!knowledge) throw new Error('it has no knowledge');
  return knowledge;
}

function inspectorOf({ inspector }: Image): Inspector {
  if (!inspector) throw new Error('it has no inspector');
  return inspector;
}

describe('describe', () => {
  it('tells of a function its arglist, documentation and place, and what the server says itself', async () => {
    const knowledge = knowledgeOf(await attach(server.port));
    const { symbol, status, definitions } = await knowledge.describe({ symbol: 'filed' });
    expect({ symbol, status }).toEqual({ symbol: 'FILED', status: 'internal in COMMON-LISP-USER' });
    expect(definitions[0]).toEqual({
      kind: 'function',
      name: 'FILED',
      arglist: '(X &KEY Y)',
      documentation: 'Adds\nthem.',
      source: { file, line: 2 },
    });
    expect(definitions.at(-1)).toMatchObject({
      kind: 'description',
      documentation: expect.stringMatching(/COMMON-LISP-USER::FILED/),
    });
  });

  it.each([
    ['*filed*', 'variable', 8],
    ['with-filed', 'macro', 9],
    ['shape', 'generic function', 10],
    ['thing', 'type', 12],
  ])('tells where %s is, a %s', async (symbol, kind, line) => {
    const knowledge = knowledgeOf(await attach(server.port));
    const { definitions } = await knowledge.describe({ symbol });
    expect(definitions.find((each) => each.kind === kind)).toMatchObject({ source: { file, line } });
  });

  it('lists the methods of a generic function with their places', async () => {
    const { definitions } = await knowledgeOf(await attach(server.port)).describe({ symbol: 'shape' });
    expect(definitions).toContainEqual({
      kind: 'method',
      name: '(DEFMETHOD SHAPE STRING)',
      source: { file, line: 11 },
    });
  });

  it('looks where it is told to, and knows no more than there is', async () => {
    const knowledge = knowledgeOf(await attach(server.port));
    expect((await knowledge.describe({ symbol: 'car', package: 'SWANK' })).symbol).toBe('CAR');
    await expect(knowledge.describe({ symbol: 'no-such-name-here' })).rejects.toMatchObject({
      code: 'unknown_symbol',
    });
    const { results } = await knowledge.find({ kind: 'apropos', query: 'no-such-name-here', limit: 5 });
    expect(results).toEqual([]);
  });

  it('shows machine code', async () => {
    expect(await knowledgeOf(await attach(server.port)).disassemble({ symbol: 'filed' })).toMatch(
      /disassembly for FILED/,
    );
  });
});

describe('find', () => {
  it('finds definitions, callers, names and completions', async () => {
    const knowledge = knowledgeOf(await attach(server.port));
    expect(await knowledge.find({ kind: 'definitions', query: 'filed', limit: 5 })).toEqual({
      results: [{ kind: 'defun', text: '(DEFUN FILED)', source: { file, line: 2 } }],
      total: 1,
    });
    const callers = await knowledge.find({ kind: 'callers', query: 'filed', limit: 5 });
    expect(callers.results).toContainEqual(
      expect.objectContaining({ kind: 'callers', text: 'FILED-USER', source: { file, line: 7 } }),
    );
    const uses = await knowledge.find({ kind: 'references', query: '*filed*', limit: 5 });
    expect(uses.total).toBe(uses.results.length);
    const names = await knowledge.find({ kind: 'apropos', query: 'filed', in: 'CL-USER', limit: 2 });
    expect(names.results[0]).toEqual({ kind: 'variable', text: '*FILED*', documentation: 'A number.' });
    expect(names.total).toBe(4);
    const macros = await knowledge.find({
      kind: 'apropos',
      query: 'filed',
      in: 'CL-USER',
      limit: 9,
      only: ['macro'],
    });
    expect(macros).toEqual({ results: [{ kind: 'macro', text: 'WITH-FILED' }], total: 1 });
    const completions = await knowledge.find({ kind: 'completions', query: 'filed', limit: 5 });
    expect(completions.results.map(({ text }) => text)).toEqual(['filed', 'filed-user']);
  });

  it('says what Swank cannot tell', async () => {
    const knowledge = knowledgeOf(await attach(server.port));
    await expect(knowledge.find({ kind: 'unsaved', query: '', limit: 5 })).rejects.toMatchObject({
      code: 'not_supported',
    });
  });

  it('bounds what a short query finds', async () => {
    const { results, total } = await knowledgeOf(await attach(server.port)).find({
      kind: 'apropos',
      query: 'a',
      limit: 3,
    });
    expect(results).toHaveLength(3);
    expect(total).toBeGreaterThan(1000);
  });
});

describe('macroexpansion', () => {
  it('is code that the image evaluates', async () => {
    const image = await attach(server.port);
    const knowledge = knowledgeOf(image);
    const once = await evaluate(image, knowledge.expansionCode(form('(with-filed 1 (when 2 3))'), 'once'));
    expect(once.values).toEqual(['(PROGN 1 (WHEN 2 3))']);
    const full = await evaluate(image, knowledge.expansionCode(form('(with-filed 1 (when 2 3))'), 'full'));
    expect(full.values.join().split(/\s+/).join(' ')).toBe('(PROGN 1 (IF 2 3))');
  });
});

describe('the inspector', () => {
  it('shows a list, and steps into its parts by index and by name', async () => {
    const image = await attach(server.port);
    const inspector = inspectorOf(image);
    await evaluate(image, '(list :a (vector 1 (make-instance \'thing :name "n")) 3)', {
      id: 41,
      keepValues: true,
    });
    await evaluate(image, ':later');
    const top = await inspector.inspect({ start: { evaluation: 41 }, path: [], offset: 0 });
    expect(top).toMatchObject({ kind: 'cons', offset: 0, total: 3 });
    expect(top.parts.map(({ name, text }) => [name, text])).toEqual(
      [
        ['0', ':A'],
        ['1', '#(1 #<THING {…}>)'],
        ['2', '3'],
      ].map(([name, text]) => [name, name === '1' ? expect.stringMatching(/^#\(1 #<THING/) : text]),
    );
    const object = await inspector.inspect({ start: { object: top.object }, path: [1, '1'], offset: 0 });
    expect(object.kind).toBe('thing');
    const named = object.parts.map(({ name, text }) => [name, text]);
    expect(named).toContainEqual(['NAME', '"n"']);
    expect(named).toContainEqual(['SIZE', '2']);
    // What was looked at has a number from then on.
    const again = await inspector.inspect({ start: { object: top.object }, path: [1], offset: 0 });
    expect(again.parts.find(({ name }) => name === '1')).toMatchObject({ object: object.object });
  });

  it('shows the last value, page by page', async () => {
    const image = await attach(server.port);
    await evaluate(image, '(loop for i below 2000 collect (* 10 i))');
    const page = await inspectorOf(image).inspect({
      start: { last: true },
      path: [],
      offset: 1500,
      limit: 2,
    });
    expect(page).toMatchObject({
      total: 2000,
      parts: [{ index: 1500, name: '1500', text: '15000' }, { index: 1501 }],
    });
  });

  it.each([
    '(make-hash-table)',
    '(let ((h (make-hash-table))) (setf (gethash :k h) :v) h)',
    "#'filed",
    "'filed",
    "(find-class 'thing)",
    '"text"',
    '12',
    '#\\a',
    '(find-package :cl)',
    '(let ((l (list 1 2))) (setf (cddr l) l))',
    "#'shape",
  ])('shows %s', async (code) => {
    const image = await attach(server.port);
    await evaluate(image, code);
    const { parts, facts, text } = await inspectorOf(image).inspect({
      start: { last: true },
      path: [],
      offset: 0,
    });
    expect(text).not.toBe('');
    expect(parts.length + facts.length).toBeGreaterThan(0);
    for (const part of parts) expect(part.name).not.toBe('');
  });

  it('does not touch what an editor inspects in the same server', async () => {
    const image = await attach(server.port);
    const editor = await attach(server.port);
    await evaluate(editor, '(swank:init-inspector "(list :editor)")');
    await evaluate(image, '(list :ours)');
    await inspectorOf(image).inspect({ start: { last: true }, path: [0], offset: 0 });
    expect((await evaluate(editor, '(swank::istate.object swank::*istate*)')).values).toEqual(['(:EDITOR)']);
  });

  it('says what is unknown and what it cannot do', async () => {
    const image = await attach(server.port);
    const inspector = inspectorOf(image);
    await evaluate(image, '(list 1)');
    await expect(inspector.inspect({ start: { object: 99 }, path: [], offset: 0 })).rejects.toMatchObject({
      code: 'unknown_handle',
    });
    await expect(
      inspector.inspect({ start: { last: true }, path: ['none'], offset: 0 }),
    ).rejects.toMatchObject({ code: 'unknown_part' });
    expect(() => inspector.settingCode(1, [0], form('2'))).toThrow(/cannot set parts/);
  });
});

describe('questions', () => {
  it('are answered while code runs', async () => {
    const image = await attach(server.port);
    const running = image.evaluate({ id: 7, code: '(loop (sleep 0.01))' }, () => undefined);
    expect((await knowledgeOf(image).describe({ symbol: 'car' })).symbol).toBe('CAR');
    await expect.poll(() => image.interrupt(7, 'cooperative'), PATIENT).toBe(true);
    expect((await running).outcome).toBe('interrupted');
  });
});
