/**
 * Printed values: the session's printer variables, and limits of size and time. A failing print method loses
 * no result.
 */
import { describe, expect, it } from 'vitest';
import { LONGEST_VALUE } from '../../electron/images/image';
import { startImage } from './sbcl-fixture';

describe('printer variables', () => {
  it('stay when they are set at top level', async () => {
    const image = await startImage();
    expect((await image.evaluate('(setf *print-base* 2) 10')).values).toEqual([['10'], ['1010']]);
    expect((await image.evaluate('10')).values).toEqual([['1010']]);
    await image.evaluate('(progn (setq *print-base* 10 *print-case* :downcase))');
    expect((await image.evaluate("'(a 10)")).values).toEqual([['(a 10)']]);
  });

  it('that a function or a LET sets hold for the evaluation, which says so', async () => {
    const image = await startImage();
    const { values, notes } = await image.evaluate(`
      (defun meddle () (setf *print-length* 1))
      (meddle)
      (let ((*print-base* 2)) (setf *print-base* 8 *print-case* :downcase) nil)
      '(a b)`);
    expect(values.at(-1)).toEqual(['(a ...)']);
    expect(notes).toEqual([
      '*PRINT-CASE*, *PRINT-LENGTH* held for this evaluation only: what a SETF at top level sets stays.',
    ]);
    expect((await image.evaluate("'(a b)")).values).toEqual([['(A B)']]);
  });

  it('decide between pretty and plain', async () => {
    const image = await startImage();
    const code =
      "'(defun f (x) (let ((y (* x x)) (z (+ x x x))) (list x y z (list x y z) (list x y z) (list x y z))))";
    const pretty = (await image.evaluate(code)).values[0]?.[0];
    expect(pretty).toMatch(/^\(DEFUN F \(X\)\n {2}\(LET/);
    await image.evaluate('(setf *print-pretty* nil)');
    expect((await image.evaluate(code)).values[0]?.[0]).toBe(pretty?.replaceAll(/\s+/g, ' '));
  });

  it('cannot make values unreadable', async () => {
    const image = await startImage();
    await image.evaluate('(setf *print-readably* t *print-escape* nil *print-circle* nil)');
    const { values, notes } = await image.evaluate(
      '(make-hash-table) "s" (let ((x (list 1))) (setf (cdr x) x))',
    );
    expect(values).toEqual([[expect.stringMatching(/^#<HASH-TABLE/)], ['"s"'], ['#1=(1 . #1#)']]);
    expect(notes).toEqual([]);
  });

  it('cannot break printing: where the pretty printer fails, the plain one prints', async () => {
    const image = await startImage();
    await image.evaluate('(set-pprint-dispatch \'cons (lambda (stream form) (error "~A ~A" stream form)))');
    expect(await image.evaluate('(list 1 2)')).toMatchObject({ values: [['(1 2)']], notes: [] });
  });
});

describe('limits', () => {
  it('cuts a value at the asked length and says so', async () => {
    const image = await startImage();
    const { values, notes } = await image.evaluate('(make-string 200000 :initial-element #\\a)', {
      maxChars: 1000,
    });
    expect(values[0]?.[0]).toHaveLength(1000);
    expect(notes).toEqual(['A value of form 1 was cut after 1000 characters.']);
  });

  it('prints large values whole, and of larger ones the beginning', async () => {
    const image = await startImage();
    const { values, notes } = await image.evaluate(`
      (setf *print-pretty* nil)
      (make-string 1000000 :initial-element #\\a)
      (loop for number below 10000 collect number)
      (make-string 5000000 :initial-element #\\b)`);
    expect(values[1]).toEqual([`"${'a'.repeat(1_000_000)}"`]);
    expect(values[2]).toEqual([`(${Array.from({ length: 10_000 }, (_, number) => number).join(' ')})`]);
    const room = LONGEST_VALUE - [values[0], values[1], values[2]].flat().join('').length;
    expect(values[3]?.[0] === `"${'b'.repeat(room - 1)}`).toBe(true);
    expect(notes).toEqual([`A value of form 4 was cut after ${room} characters.`]);
  });

  it('cuts deep lists', async () => {
    const image = await startImage();
    const { values } = await image.evaluate(
      '(let ((nested nil)) (dotimes (i 100000 nested) (setf nested (list nested))))',
    );
    expect(values[0]?.[0]).toMatch(/^\(+#\)+$/);
  });

  it.each([
    ['writes without end', '(loop (write-string "abc" s))'],
    ['computes without end', '(loop)'],
    [
      'handles every condition and loops in its cleanup',
      '(unwind-protect (loop (ignore-errors (loop))) (loop))',
    ],
  ])('ends a print-object that %s, and keeps the value', async (_what, body) => {
    const image = await startImage();
    const { outcome, notes } = await image.evaluate(
      `(defclass endless () ()) (defmethod print-object ((x endless) s) ${body}) (make-instance 'endless)`,
    );
    expect(outcome).toBe('ok');
    expect(notes).toEqual([
      expect.stringMatching(/^A value of form 3 (took too long to print|was cut after \d+ characters)\.$/),
    ]);
    expect((await image.evaluate('(class-name (class-of *))')).values).toEqual([['ENDLESS']]);
  });

  it('gives many endless values no more time than a few', async () => {
    const image = await startImage();
    const { outcome, values } = await image.evaluate(`
      (defclass endless () ()) (defmethod print-object ((x endless) s) (loop))
      (values-list (loop repeat 30 collect (make-instance 'endless)))`);
    expect(outcome).toBe('ok');
    expect(values[2]).toEqual(Array.from({ length: 30 }, () => '#<printing stopped>'));
  });
});

describe('what cannot be printed', () => {
  it('is a remark in its place, and a note', async () => {
    const image = await startImage();
    const { outcome, values, notes } = await image.evaluate(
      '(defclass broken () ()) (defmethod print-object ((x broken) s) (error "no")) (list 1 (make-instance \'broken) 2)',
    );
    expect(outcome).toBe('ok');
    expect(values[2]?.[0]).toMatch(/^\(1 #<error printing a BROKEN: #<SIMPLE-ERROR "no" \{\w+\}>> 2\)$/);
    expect(notes).toEqual([
      'A value of form 3 has a part that could not be printed: it signalled SIMPLE-ERROR.',
    ]);
  });

  it('may exhaust the stack', async () => {
    const image = await startImage();
    const { outcome, values, notes } = await image.evaluate(`
      (defclass deep () ())
      (defmethod print-object ((x deep) s) (print-object x s) (write-string "x" s))
      (make-instance 'deep)`);
    expect(outcome).toBe('ok');
    expect(values[2]?.[0]).toContain('CONTROL-STACK-EXHAUSTED');
    expect(notes).toHaveLength(1);
  });
});

it('carries every character; half ones, which no text can hold, as escapes that never become one', async () => {
  const image = await startImage();
  const { values, stdout, condition } = await image.evaluate(
    '(map \'list #\'char-code "é😀\ud800\u0000") (string (code-char #xDC00)) (write-string "\\"ü€𝒳\ud83d") (error "\udfff")',
  );
  expect(values[0]).toEqual(['(233 128512 55296 0)']);
  expect(values[1]).toEqual([String.raw`"\udc00"`]);
  expect(stdout).toBe(String.raw`"ü€𝒳\ud83d`);
  expect(condition?.message).toBe(String.raw`\udfff`);
  const pair = await image.evaluate("(map 'string #'code-char (list #xD83D #xDE00)) (length *)");
  expect(pair.values).toEqual([[String.raw`"\ud83d\ude00"`], ['2']]);
});

describe('labels', () => {
  it.each([
    ['a shared string', '(let ((s "text")) (list s s))', '("text" "text")'],
    ['a shared float and a bignum', '(let ((n 1d0) (m (expt 10 30))) (list n n m m))', undefined],
    ['a symbol without a package', '(let ((s (make-symbol "S"))) (list s s))', '(#:S #:S)'],
    ['a shared list', '(let ((l (list 1 2))) (list l l (cons 0 l)))', '((1 2) (1 2) (0 1 2))'],
    ['a shared vector', '(let ((v (vector 1 2))) (vector v v))', '#(#(1 2) #(1 2))'],
    [
      'a shared structure',
      "(let ((p (make-point :x '(1)))) (list p p))",
      '(#S(POINT :X (1)) #S(POINT :X (1)))',
    ],
  ])('do not stand for %s', async (_what, code, expected) => {
    const image = await startImage();
    const { values } = await image.evaluate(`(defstruct point x) ${code}`);
    expect(values[1]?.[0]).not.toContain('#1');
    if (expected !== undefined) expect(values[1]).toEqual([expected]);
  });

  it.each([
    ['a list', '(let ((x (list 1 2))) (setf (cddr x) x) x)', '#1=(1 2 . #1#)'],
    ['the first of a list', '(let ((x (list 1))) (setf (car x) x) x)', '#1=(#1#)'],
    [
      'a vector, and not for what it shares',
      '(let* ((s "s") (v (vector s s nil))) (setf (aref v 2) v) v)',
      '#1=#("s" "s" #1#)',
    ],
    ['a structure', '(let ((p (make-point))) (setf (point-x p) (list p)) p)', '#1=#S(POINT :X (#1#))'],
    [
      'what its own method prints',
      `(defclass node () ((parent :initform nil :accessor parent) (children :initform nil :accessor children)))
       (defmethod print-object ((n node) s)
         (print-unreadable-object (n s :type t) (format s "~S ~S" (parent n) (mapcar #'identity (children n)))))
       (let ((a (make-instance 'node)) (b (make-instance 'node)))
         (setf (parent b) a (children a) (list b b)) a)`,
      '#1=#<NODE NIL (#2=#<NODE #1# NIL> #2#)>',
    ],
  ])('stand where %s leads back to itself', async (_what, code, expected) => {
    const image = await startImage();
    const { values } = await image.evaluate(`(defstruct point x) ${code}`);
    expect(values.at(-1)).toEqual([expected]);
  });

  it('stand for all that is shared where the session asks for that', async () => {
    const image = await startImage();
    const { values } = await image.evaluate('(setf *print-circle* t) (let ((s "text")) (list s s))');
    expect(values[1]).toEqual(['(#1="text" #1#)']);
  });

  it('keep a value small whose parts share theirs over and over', async () => {
    const image = await startImage();
    const { values } = await image.evaluate('(let ((x (list 1))) (dotimes (i 40 x) (setf x (list x x))))', {
      maxChars: 100,
    });
    expect(values[0]?.[0]).toMatch(/^\(+/);
  });
});

describe('what is printed while something is being printed', () => {
  const DEEP = `
    (defclass leaf () ())
    (defmethod print-object ((x leaf) s) (error "no ~S" '(1 (2 (3)))))
    (defun nest (depth) (if (zerop depth) (make-instance 'leaf) (list (nest (1- depth)))))`;

  it('is as whole as anywhere else: condition, frames, locals', async () => {
    const image = await startImage();
    await image.evaluate(DEEP);
    const { condition } = await image.evaluate('(prin1-to-string (nest 20))');
    expect(condition?.message).toBe('no (1 (2 (3)))');
    const calls = condition?.frames.map(({ call }) => call) ?? [];
    expect(calls).not.toContain('#');
    expect(calls[0]).toMatch(/^\(\(:METHOD PRINT-OBJECT \(LEAF T\)\) /);
  });
});

it('ends where the code that prints asks somebody', async () => {
  const image = await startImage();
  const { outcome, notes } = await image.evaluate(
    `(defclass asking () ()) (defmethod print-object ((x asking) s) (break "how?")) (make-instance 'asking)`,
  );
  expect(outcome).toBe('ok');
  expect(notes).toEqual(['A value of form 3 could not be printed: its printing signalled SIMPLE-CONDITION.']);
});
