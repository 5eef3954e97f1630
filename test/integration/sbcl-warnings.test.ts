/** Warnings of the compiler and WARN: data besides the values, in order with the output, by severity. */
import { expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

it('are recorded apart from values and output, with their severity, form and source', async () => {
  const image = await startImage();
  const { outcome, warnings, stderr, values } = await image.evaluate(`
    (progn (warn "careful") 1)
    (defun f () (undefined-helper 1))
    (setf undeclared 3)
    (defun add (x) (declare (optimize speed)) (the fixnum (+ x 1)))`);
  expect(outcome).toBe('ok');
  expect(values).toEqual([['1'], ['F'], ['3'], ['ADD']]);
  expect(stderr).toBe('');
  expect(warnings[0]).toEqual({ severity: 'warning', type: 'SIMPLE-WARNING', message: 'careful', form: 0 });
  expect(warnings[1]).toEqual({
    severity: 'style-warning',
    type: 'SB-INT:SIMPLE-STYLE-WARNING',
    message: 'undefined function: COMMON-LISP-USER::UNDEFINED-HELPER',
    form: 1,
    source: '(UNDEFINED-HELPER 1)',
    context: 'DEFUN F',
  });
  expect(warnings[2]).toMatchObject({ severity: 'warning', form: 2, source: '(SETF UNDECLARED 3)' });
  const notes = warnings.slice(3);
  expect(notes.length).toBeGreaterThan(0);
  for (const note of notes) {
    expect(note).toMatchObject({ severity: 'note', form: 3, source: '(+ X 1)', context: 'DEFUN ADD' });
  }
});

it('tell of redefinitions, but for those of what the session itself has defined', async () => {
  const image = await startImage();
  const file =
    '(with-open-file (out "old.lisp" :direction :output) (print \'(defun g () 1) out)) (load "old.lisp")';
  const { warnings } = await image.evaluate(
    `${file} (defun g () 2) (defun f () 1) (defun f () 2) (defmethod m ((x cons)) 1) (defmethod m ((x cons)) 2) (defmacro f () 3)`,
  );
  expect(warnings.map(({ severity, type, form }) => ({ severity, type, form }))).toEqual([
    { severity: 'style-warning', type: 'SB-KERNEL:REDEFINITION-WITH-DEFUN', form: 2 },
    { severity: 'style-warning', type: 'SB-INT:SIMPLE-STYLE-WARNING', form: 7 },
  ]);
});

it('of a file name it, and the definitions around the form', async () => {
  const image = await startImage();
  const { warnings } = await image.evaluate(`
    (with-open-file (out "demo.lisp" :direction :output)
      (print '(defun outer (x) (flet ((inner (y) (+ y "two"))) (inner x))) out))
    (load "demo.lisp")`);
  expect(warnings.filter(({ severity }) => severity === 'warning')).toEqual([
    {
      severity: 'warning',
      type: 'SB-INT:TYPE-WARNING',
      message: expect.stringContaining('Constant "two" conflicts with its asserted type NUMBER.'),
      form: 1,
      source: '(+ Y "two")',
      context: 'DEFUN OUTER',
      file: expect.stringMatching(/\/demo\.lisp$/),
      line: expect.any(Number),
      column: expect.any(Number),
    },
  ]);
});

it('leave COMPILE and COMPILE-FILE to answer what they answer anywhere', async () => {
  const image = await startImage();
  const { values } = await image.evaluate(`
    (rest (multiple-value-list (compile nil '(lambda () (+ 1 "two")))))
    (rest (multiple-value-list (compile nil '(lambda (unused) 1))))
    (rest (multiple-value-list (compile nil '(lambda (x) x))))
    (with-open-file (out "demo.lisp" :direction :output) (print '(defun f () (+ 1 "two")) out) nil)
    (rest (multiple-value-list (compile-file "demo.lisp")))`);
  expect(values).toEqual([['(T T)'], ['(T NIL)'], ['(NIL NIL)'], ['NIL'], ['(T T)']]);
});

it('come in their place among the output, each on a line of its own', async () => {
  const image = await startImage();
  const { output } = await image.evaluate(
    '(progn (format t "a") (warn "one~%two") (format *error-output* "b~%") (warn "three") (format t "c"))',
  );
  expect(output).toEqual([
    ['stdout', 'a'],
    ['warnings', '\n; WARNING: one\n; two\n'],
    ['stderr', 'b\n'],
    ['warnings', '; WARNING: three\n'],
    ['stdout', 'c'],
  ]);
});

it('are sent up to a limit, notes apart from the rest', async () => {
  const image = await startImage();
  const { warnings, notes } = await image.evaluate(`
    (dotimes (i 40) (compile nil '(lambda (x) (declare (optimize speed)) (+ x 1))))
    (dotimes (i 250) (warn "w~D" i))`);
  const of = (severity: string) => warnings.filter((warning) => warning.severity === severity);
  expect(of('note')).toHaveLength(100);
  expect(of('warning')).toHaveLength(200);
  expect(notes).toEqual([
    '50 more warnings were not recorded.',
    expect.stringMatching(/^\d+ more compiler notes were not recorded\.$/),
  ]);
});

it('in another thread are printed, and disturb nobody', async () => {
  const image = await startImage();
  const { outcome, warnings, stderr } = await image.evaluate(
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (warn "elsewhere") :done)))',
  );
  expect({ outcome, warnings }).toEqual({ outcome: 'ok', warnings: [] });
  expect(stderr).toContain('WARNING: elsewhere');
});

it('says nothing of a proclamation, and takes no declaration for a form', async () => {
  const image = await startImage();
  const { warnings, values } = await image.evaluate(`
    (declaim (special *depth*))
    (declaim (optimize (speed 1)) (inline twice))
    (progn (declaim (ftype (function (integer) integer) twice)) (defun twice (x) (* 2 x)))
    (let ((*depth* 3)) (twice (symbol-value '*depth*)))`);
  expect(warnings).toEqual([]);
  expect(values.at(-1)).toEqual(['6']);
  expect((await image.evaluate('(declare (special *other*))')).outcome).toBe('error');
});
