/** Inspecting values of SBCL: every kind of object, difficult ones included. */
import { beforeEach, describe, expect, it } from 'vitest';
import { form } from '../forms';
import { KnowingImage, texts } from './sbcl-knowing';

let sbcl: KnowingImage;

beforeEach(async () => {
  sbcl = await KnowingImage.start();
});

describe('lists', () => {
  it('shows elements, a tail that is no list, and a cycle', async () => {
    expect(await sbcl.parts('(list 1 "two" :three)')).toEqual(['1', '"two"', ':THREE']);
    const dotted = await sbcl.inspect("'(1 2 . 3)");
    expect(dotted.parts.map(({ name, text }) => [name, text])).toEqual([
      ['0', '1'],
      ['1', '2'],
      ['tail', '3'],
    ]);
    const circular = await sbcl.inspect('(let ((x (list 1 2 3))) (setf (cdr (last x)) (cdr x)) x)');
    expect(circular).toMatchObject({ text: '(1 . #1=(2 3 . #1#))', total: 3 });
    expect(circular.facts[0]?.text).toBe('circular: after element 2 comes element 1 again');
    expect(texts(circular)).toEqual(['1', '2', '3']);
  });

  it('pages through a million elements', async () => {
    const page = await sbcl.inspect('(loop for i below 1000000 collect i)', { offset: 999_998, limit: 10 });
    expect(texts(page)).toEqual(['999998', '999999']);
    expect(page.total).toBe(1_000_000);
  });

  it('shows NIL as the symbol it is', async () => {
    expect(await sbcl.inspect('nil')).toMatchObject({ kind: 'symbol', text: 'NIL' });
  });
});

describe('arrays and tables', () => {
  it('pages through a vector of a million elements', async () => {
    const first = await sbcl.inspect('(make-array 1000000 :initial-element 7)');
    expect(first).toMatchObject({ kind: 'vector', total: 1_000_000 });
    expect(first.parts).toHaveLength(50);
    const last = await sbcl.inspector.inspect({
      start: { object: first.object },
      path: [999_999],
      offset: 0,
    });
    expect(last.text).toBe('7');
  });

  it('names the elements of an array by their subscripts, and heeds a fill pointer', async () => {
    const { parts, facts } = await sbcl.inspect("(make-array '(2 3) :initial-contents '((a b c) (d e f)))", {
      offset: 4,
    });
    expect(parts.map(({ index, name, text }) => [index, name, text])).toEqual([
      [4, '(1 1)', 'E'],
      [5, '(1 2)', 'F'],
    ]);
    expect(facts).toContainEqual({ name: 'dimensions', text: '2 x 3' });
    const filled = await sbcl.inspect("(make-array 5 :fill-pointer 2 :initial-element 'x)");
    expect(filled.total).toBe(2);
    expect(filled.facts).toContainEqual({ name: 'fill pointer', text: '2 of 5' });
    expect((await sbcl.inspect('(make-array nil :initial-element 9)')).parts).toMatchObject([
      { name: '()', text: '9' },
    ]);
  });

  it('shows a string as its text, and its characters when they are asked for', async () => {
    expect(await sbcl.inspect('"hello"')).toMatchObject({ text: '"hello"', total: 5, parts: [] });
    expect(await sbcl.parts('"hello"', { limit: 2 })).toEqual(['#\\h', '#\\e']);
  });

  it('leads to the values and the keys of a hash table', async () => {
    const table = await sbcl.inspect(
      `(let ((h (make-hash-table :test 'equal))) (setf (gethash '("a" b) h) (list 1 2) (gethash 5 h) :five) h)`,
    );
    expect(table.parts.map(({ name, text }) => [name, text])).toEqual([
      ['("a" B)', '(1 2)'],
      ['5', ':FIVE'],
    ]);
    const at = (path: (string | number)[]) =>
      sbcl.inspector.inspect({ start: { object: table.object }, path, offset: 0 });
    expect((await at(['key 0', 1])).text).toBe('B');
    expect((await at(['5'])).text).toBe(':FIVE');
    await expect(at(['key 2'])).rejects.toMatchObject({ code: 'unknown_part' });
  });
});

describe('objects', () => {
  it('shows slots, the unbound ones too', async () => {
    const { kind, type, parts } = await sbcl.inspect(
      "(defclass point () ((x :initform 1) y)) (make-instance 'point)",
    );
    expect([kind, type]).toEqual(['instance', 'POINT']);
    expect(parts).toMatchObject([
      { name: 'X', text: '1', settable: true },
      { name: 'Y', unbound: true, settable: true },
    ]);
  });

  it('tells slots of one name in two packages apart', async () => {
    const { parts } = await sbcl.inspect(`
      (defpackage :one (:use)) (defpackage :two (:use))
      (eval (read-from-string "(defclass both () ((one::x :initform 1) (two::x :initform 2)))"))
      (eval (read-from-string "(make-instance 'both)"))`);
    expect(parts.map(({ name }) => name)).toEqual(['ONE::X', 'TWO::X']);
  });

  it('shows structures and conditions', async () => {
    expect(await sbcl.inspect('(defstruct box (width 1 :type fixnum) lid) (make-box)')).toMatchObject({
      kind: 'structure',
      parts: [
        { name: 'WIDTH', text: '1' },
        { name: 'LID', text: 'NIL' },
      ],
    });
    expect(
      await sbcl.inspect(
        '(make-condition \'simple-error :format-control "no ~A" :format-arguments (list 1))',
      ),
    ).toMatchObject({ kind: 'condition', facts: [{ name: 'message', text: 'no 1' }] });
  });

  it('answers whatever the methods of the object do', async () => {
    const broken = await sbcl.inspect(`
      (defclass broken () ((a :initform 1)))
      (defmethod print-object ((object broken) stream) (error "no printing"))
      (make-instance 'broken)`);
    expect(broken.text).toMatch(/^#<error printing a BROKEN.*could not be printed/);
    expect(broken.parts).toMatchObject([{ name: 'A', text: '1' }]);
    const unreadable = await sbcl.inspect(`
      (defclass guarded-class (standard-class) ())
      (defmethod sb-mop:validate-superclass ((a guarded-class) (b standard-class)) t)
      (defclass guarded () ((secret :initform 1)) (:metaclass guarded-class))
      (defmethod sb-mop:slot-value-using-class ((class guarded-class) object slot) (error "not for you"))
      (make-instance 'guarded)`);
    expect(unreadable.parts).toMatchObject([{ name: 'SECRET', problem: 'not for you' }]);
  });

  it('gives all printing of one answer a few seconds together', async () => {
    const slow = await sbcl.inspect(`
      (defclass slow () ()) (defmethod print-object ((object slow) stream) (loop))
      (loop repeat 20 collect (make-instance 'slow))`);
    expect(slow.text).toContain('took too long to print');
    expect(slow.parts).toHaveLength(20);
    expect(slow.parts.at(-1)?.text).toContain('the time for printing was up');
  });

  it('looks into closures, generic functions, classes, symbols and packages', async () => {
    const counter = await sbcl.inspect('(let ((n 41)) (lambda () (incf n)))');
    expect(counter.parts).toMatchObject([{ name: 'closed-over value 0', text: '41' }]);
    const closure = await sbcl.inspect('(let ((n 5) (s "x")) (lambda (x &key y) (list x y n s)))');
    expect(closure).toMatchObject({ kind: 'function' });
    expect(closure.facts).toContainEqual({ name: 'arglist', text: '(X &KEY Y)' });
    expect(texts(closure).toSorted()).toEqual(['"x"', '5']);
    const generic = await sbcl.inspect("(defgeneric area (shape)) (defmethod area ((n (eql 3))) 9) #'area");
    expect(generic).toMatchObject({
      kind: 'generic function',
      total: 1,
      parts: [{ type: 'STANDARD-METHOD' }],
    });
    const method = await sbcl.inspector.inspect({
      start: { object: generic.object },
      path: [0],
      offset: 0,
    });
    expect(method.facts[0]).toEqual({ name: 'method', text: '(METHOD AREA ((EQL 3)))' });
    expect((await sbcl.inspect("(find-class 'number)")).kind).toBe('class');
    const symbol = await sbcl.inspect("(setf (get 'marked 'colour) :red) 'marked");
    expect(symbol.parts).toMatchObject([
      { name: 'value', unbound: true },
      { name: 'function', unbound: true },
      { name: 'property list', text: '(COLOUR :RED)' },
      { name: 'package' },
      { name: 'class', unbound: true },
    ]);
    expect(
      await sbcl.inspect('(defpackage :gone (:use)) (let ((p (find-package :gone))) (delete-package p) p)'),
    ).toMatchObject({ kind: 'package', facts: [{ name: 'deleted' }], total: 0 });
    expect(await sbcl.inspect('(find-package :cl)', { limit: 1 })).toMatchObject({
      total: 978,
      parts: [{ name: 'external 0', text: '&ALLOW-OTHER-KEYS' }],
    });
  });

  it.each([
    ['12345678901234567890', 'integer', 'size', '64 bits'],
    ['1/3', 'ratio', 'about', '0.3333333333333333d0'],
    ['(/ (expt 10 400) 3)', 'ratio', 'about', ':OUT-OF-RANGE'],
    ['0.5', 'float', 'exactly', '1/2'],
    ['sb-ext:double-float-positive-infinity', 'float', 'value', 'infinity'],
    ['#c(3 4)', 'complex', 'magnitude', '5.0'],
    ['#\\λ', 'character', 'code', '955, U+03BB'],
    ['#p"/"', 'pathname', 'exists', 'yes'],
    ['*standard-output*', 'stream', 'direction', 'output'],
  ])('tells what %s is', async (code, kind, name, text) => {
    const inspection = await sbcl.inspect(code);
    expect(inspection.kind).toBe(kind);
    expect(inspection.facts).toContainEqual({ name, text });
  });
});

describe('handles', () => {
  it('name an object for as long as they are among the last 500', async () => {
    const kept = await sbcl.inspect('(list :kept)');
    const lost = await sbcl.inspect('(list :lost)');
    const at = (object: number) => sbcl.inspector.inspect({ start: { object }, path: [], offset: 0 });
    await sbcl.evaluate(
      `(loop repeat 499 do (lisp-harbor-agent::handle-of (list 1)) (lisp-harbor:object ${kept.object}))`,
    );
    expect((await at(kept.object)).text).toBe('(:KEPT)');
    await expect(at(lost.object)).rejects.toMatchObject({ code: 'unknown_handle' });
  });

  it('are the same for the same object, so that a cycle is seen', async () => {
    const list = await sbcl.inspect('(let ((x (list 1 nil))) (setf (second x) x) x)');
    expect(list.parts[1]?.object).toBe(list.object);
  });

  it('reach the last value of the session', async () => {
    await sbcl.evaluate('(list :earlier) (list :last)');
    const { text } = await sbcl.inspector.inspect({ start: { last: true }, path: [], offset: 0 });
    expect(text).toBe('(:LAST)');
  });

  it('are refused when there is no such object, evaluation, value or part', async () => {
    const at = (start: { object: number } | { evaluation: number }, path: string[] = []) =>
      sbcl.inspector.inspect({ start, path, offset: 0 });
    await expect(at({ object: 99 })).rejects.toMatchObject({ code: 'unknown_handle' });
    await expect(at({ evaluation: 99 })).rejects.toMatchObject({ code: 'unknown_handle' });
    const none = await sbcl.evaluate('(values)');
    await expect(at({ evaluation: none })).rejects.toMatchObject({ code: 'unknown_part' });
    const { object } = await sbcl.inspect('(list 1)');
    await expect(at({ object }, ['no such'])).rejects.toMatchObject({ code: 'unknown_part' });
  });
});

describe('setting', () => {
  it.each([
    ['(list 1 2)', [1]],
    ['(cons 1 2)', ['tail']],
    ['(vector 1 2)', [0]],
    ["(make-array '(1 2) :initial-element 0)", [1]],
    ['(let ((h (make-hash-table))) (setf (gethash :k h) (list 1)) h)', [':K', 0]],
    ['(defstruct box lid) (make-box)', ['lid']],
    ["(defclass point () (x)) (make-instance 'point)", ['X']],
    ["'some-symbol", ['value']],
  ] as const)('puts a value into %s at %j', async (code, path) => {
    const { object } = await sbcl.inspect(code);
    await sbcl.evaluate(sbcl.inspector.settingCode(object, path, form('(intern "NEW" :keyword) ; done')));
    const part = await sbcl.inspector.inspect({ start: { object }, path, offset: 0 });
    expect(part.text).toBe(':NEW');
  });

  it('refuses what cannot be set, and quotes names', async () => {
    const { object } = await sbcl.inspect("(find-class 'list)");
    const set = (path: readonly (string | number)[]) =>
      sbcl.image.evaluate(sbcl.inspector.settingCode(object, path, form('1')));
    expect((await set([0])).condition?.message).toContain('cannot be set');
    expect((await set(['a"b\\'])).condition?.message).toContain('no part called a"b\\');
  });
});
