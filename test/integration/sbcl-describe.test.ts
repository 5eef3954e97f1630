/** Descriptions of names in SBCL: every kind of definition, resolved without the reader. */
import { beforeEach, describe, expect, it } from 'vitest';
import { KnowingImage } from './sbcl-knowing';

let sbcl: KnowingImage;

beforeEach(async () => {
  sbcl = await KnowingImage.start();
});

describe('names', () => {
  const refused = (symbol: string, packageName?: string) => {
    const request = { symbol, ...(packageName === undefined ? {} : { package: packageName }) };
    return sbcl.knowledge.describe(request).then(
      () => 'answered',
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  };

  it.each([
    ['mapcar', 'MAPCAR'],
    ['CL:MAPCAR', 'MAPCAR'],
    ['common-lisp::mapcar', 'MAPCAR'],
    ["#'mapcar", 'MAPCAR'],
    ["'mapcar", 'MAPCAR'],
    ['|MAPCAR|', 'MAPCAR'],
    ['m\\APCAR', 'MAPCAR'],
    [' (setf car) ', '(SETF CAR)'],
    ['nil', 'NIL'],
    ['1+', '1+'],
  ])('%s is %s', async (text, symbol) => {
    expect(await sbcl.knowledge.describe({ symbol: text })).toMatchObject({ symbol });
  });

  it.each(['#.(print 1)', '(foo)', '"car"', 'a b', 'cl:car:cdr', '', ':::x', '#:car', 'a;b'])(
    'refuses %j, which is no symbol',
    async (text) => {
      expect(await refused(text)).toMatch(/^bad_arguments: /);
    },
  );

  it('knows odd cases, nicknames, local nicknames and the case of the readtable', async () => {
    await sbcl.evaluate(`
      (defvar |odd Case| 1) (defvar |a:b| 2)
      (defpackage :library (:use) (:nicknames :lib) (:export "F"))
      (eval (read-from-string "(defun lib:f (x) x)"))
      (defpackage :mine (:use :cl) (:local-nicknames (:l :library)))`);
    expect((await sbcl.describe('|odd Case|')).get('variable')?.value).toBe('1');
    expect((await sbcl.describe('\\o\\d\\d\\ C\\a\\s\\e')).get('variable')?.value).toBe('1');
    expect((await sbcl.describe('|a:b|')).get('variable')?.value).toBe('2');
    expect((await sbcl.describe('lib:f')).get('function')?.name).toBe('LIBRARY:F');
    expect((await sbcl.describe('l:f', 'mine')).get('function')?.arglist).toBe('(X)');
    expect(await refused('l:f')).toMatch(/^unknown_package: There is no package L\./);
    await sbcl.evaluate('(setf (readtable-case *readtable*) :preserve)');
    expect((await sbcl.describe('CAR')).get('function')?.name).toBe('CAR');
    expect(await refused('car')).toMatch(/^unknown_symbol: /);
  });

  it('interns nothing, and offers what is near', async () => {
    await sbcl.evaluate('(defun frobnicate (x) x) (defpackage :other (:use)) (intern "FROB" :other)');
    expect(await refused('frobnicat')).toBe(
      'unknown_symbol: There is no symbol FROBNICAT in package CL-USER. Near: FROBNICATE.',
    );
    expect(await refused('print-unreadable-objekt', 'other')).toContain('in package OTHER');
    expect(await refused('class-slots')).toContain('SB-MOP:CLASS-SLOTS');
    expect(await refused('alexandra:flatten')).toMatch(/^unknown_package: There is no package ALEXANDRA\./);
    expect(await refused('car', 'NOPE')).toMatch(/^unknown_package: There is no package NOPE\./);
    await sbcl.evaluate('(find-symbol "FROBNICAT")');
    expect((await sbcl.inspect('(find-symbol "FROBNICAT")')).text).toBe('NIL');
  });

  it('says that a symbol stands for nothing', async () => {
    await sbcl.evaluate("'bare-symbol");
    expect(await refused('bare-symbol')).toMatch(
      /^unknown_symbol: .*internal in CL-USER.*stands for nothing/,
    );
  });

  it('answers when the current package was deleted', async () => {
    await sbcl.evaluate('(defpackage :doomed (:use :cl)) (in-package :doomed) (delete-package :doomed)');
    expect((await sbcl.describe('car')).get('function')?.arglist).toBe('(LIST)');
  });

  it('tells how a symbol is seen', async () => {
    await sbcl.evaluate('(defpackage :lib (:use) (:export "OUT")) (defun lib::in () 1) (defun lib:out () 1)');
    const status = async (symbol: string) => (await sbcl.knowledge.describe({ symbol })).status;
    expect(await status('car')).toBe('external in CL, inherited in CL-USER');
    expect(await status('lib::in')).toBe('internal in LIB, not accessible in CL-USER');
    expect(await status('lib:in')).toBe('internal in LIB, not accessible in CL-USER');
    expect(await status('lib:out')).toBe('external in LIB, not accessible in CL-USER');
  });
});

describe('definitions', () => {
  it('has arglists without the packages of parameters, documentation and types', async () => {
    await sbcl.evaluate(`
      (defun f (x &optional (y *print-base*) &key ((:key value) 1 value-p)) "What f does." (list x y value value-p))
      (declaim (inline g)) (defun g () 1)
      (declaim (ftype (function (integer) string) h)) (defun h (n) (princ-to-string n))`);
    const f = (await sbcl.describe('f')).get('function');
    expect(f).toMatchObject({
      arglist: '(X &OPTIONAL (Y *PRINT-BASE*) &KEY ((:KEY VALUE) 1 VALUE-P))',
      documentation: 'What f does.',
      source: { evaluation: 1 },
    });
    expect((await sbcl.describe('g')).get('function')).toMatchObject({ arglist: '()', inline: 'inline' });
    expect((await sbcl.describe('h')).get('function')?.type).toMatch(/^\(FUNCTION \(INTEGER\)/);
    expect((await sbcl.describe('mapcar')).get('function')?.arglist).toBe('(FUNCTION LIST &REST MORE-LISTS)');
  });

  it('tells functions, setf functions, macros, compiler macros and special operators apart', async () => {
    await sbcl.evaluate(`
      (defun f (x) x) (defun (setf f) (new x) (list new x)) (define-compiler-macro f (&whole form x) x form)
      (defsetf g (x) (new) \`(list ,x ,new)) (defmacro m (a &body body) a \`(progn ,@body))`);
    const f = await sbcl.knowledge.describe({ symbol: 'f' });
    expect(f.definitions.map(({ kind, name }) => [kind, name])).toEqual([
      ['function', 'F'],
      ['compiler macro', 'F'],
      ['function', '(SETF F)'],
    ]);
    expect([...(await sbcl.describe('g')).keys()]).toEqual(['setf expander']);
    expect((await sbcl.describe('m')).get('macro')?.arglist).toBe('(A &BODY BODY)');
    expect((await sbcl.describe('when')).has('macro')).toBe(true);
    expect((await sbcl.describe('if')).get('special operator')?.documentation).toContain('predicate');
  });

  it('lists methods with eql specializers and qualifiers', async () => {
    await sbcl.evaluate(`
      (defgeneric area (shape &key scale) (:documentation "How large."))
      (defmethod area ((n (eql 3)) &key scale) scale)
      (defmethod area :around ((n number) &key scale) "Outer." scale (call-next-method))
      (defmethod (setf area) (new (n number)) new)`);
    const area = (await sbcl.describe('area')).get('generic function');
    expect(area).toMatchObject({ total: 2, documentation: 'How large.' });
    expect(area?.methods?.map(({ text, documentation }) => [text, documentation]).toSorted()).toEqual([
      ['(METHOD AREA ((EQL 3)))', undefined],
      ['(METHOD AREA :AROUND (NUMBER))', 'Outer.'],
    ]);
    const setter = (await sbcl.describe('(setf area)')).get('generic function');
    expect(setter?.methods?.[0]?.text).toBe('(METHOD (SETF AREA) (T NUMBER))');
    expect((await sbcl.describe('print-object')).get('generic function')?.methods).toHaveLength(60);
  });

  it('describes classes, structures and conditions with their slots', async () => {
    await sbcl.evaluate(`
      (defclass base () ((id :reader id-of :type fixnum)))
      (defclass point (base) ((x :initarg :x :initform (+ 1 2) :accessor point-x :documentation "Across."))
        (:documentation "A place."))
      (make-instance 'point)
      (defstruct (box (:conc-name b-)) (width 1 :type fixnum))
      (define-condition odd (error) ((how :initarg :how :reader how)))`);
    const point = (await sbcl.describe('point')).get('class');
    expect(point).toMatchObject({
      documentation: 'A place.',
      superclasses: ['BASE'],
      metaclass: 'STANDARD-CLASS',
      slots: [
        { name: 'ID', details: 'reader ID-OF, type FIXNUM' },
        {
          name: 'X',
          details: 'initarg :X, initform (+ 1 2), reader POINT-X, writer (SETF POINT-X)',
          documentation: 'Across.',
        },
      ],
    });
    expect(point?.precedence?.slice(0, 3)).toEqual(['POINT', 'BASE', 'STANDARD-OBJECT']);
    expect((await sbcl.describe('base')).get('class')?.subclasses).toEqual(['POINT']);
    expect((await sbcl.describe('box')).get('structure')?.slots).toEqual([
      { name: 'WIDTH', details: 'initform 1, accessor B-WIDTH, type FIXNUM' },
    ]);
    expect((await sbcl.describe('odd')).get('condition')).toMatchObject({ superclasses: ['ERROR'] });
  });

  it('describes variables, constants, symbol macros, types and packages', async () => {
    await sbcl.evaluate(`
      (defvar *counter* 7 "Counts.") (declaim (type integer *counter*)) (defvar *empty*)
      (define-symbol-macro first-of (car *counter*))
      (deftype small () '(integer 0 9)) (deftype up-to (n) "Below n." \`(integer 0 ,n))
      (defpackage :lib (:use :cl) (:nicknames :l) (:documentation "A library.") (:export "A" "B"))`);
    expect((await sbcl.describe('*counter*')).get('variable')).toMatchObject({
      value: '7',
      documentation: 'Counts.',
      type: 'INTEGER',
    });
    expect((await sbcl.describe('*empty*')).get('variable')).toMatchObject({ unbound: true });
    expect((await sbcl.describe('pi')).get('constant')?.value).toBe('3.141592653589793d0');
    expect((await sbcl.describe('first-of')).get('symbol macro')?.expansion).toBe('(CAR *COUNTER*)');
    expect((await sbcl.describe('small')).get('type')?.expansion).toBe('(INTEGER 0 9)');
    expect((await sbcl.describe('up-to')).get('type')).toMatchObject({
      arglist: '(N)',
      documentation: 'Below n.',
    });
    expect((await sbcl.describe('lib')).get('package')).toMatchObject({
      documentation: 'A library.',
      nicknames: ['L'],
      uses: ['COMMON-LISP'],
      externals: 2,
    });
    expect((await sbcl.describe('cl')).get('package')).toMatchObject({ name: 'COMMON-LISP', locked: true });
    expect([...(await sbcl.describe('list')).keys()].toSorted()).toEqual([
      'class',
      'function',
      'method combination',
    ]);
  });

  it('disassembles functions and macros, and nothing else', async () => {
    await sbcl.evaluate('(defun f (x) (list x x))');
    expect(await sbcl.knowledge.disassemble({ symbol: 'f' })).toMatch(/^; disassembly for F\n/);
    await expect(sbcl.knowledge.disassemble({ symbol: '*print-base*' })).rejects.toMatchObject({
      code: 'unknown_symbol',
    });
  });
});
