/** Evaluation in an attached Swank server, in SBCL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { attach, evaluate } from './swank-fixture';

let server: SwankServer;

beforeAll(async () => {
  server = await SwankServer.start();
}, COMPILING_MS);
afterAll(() => server.stop());

describe('an evaluation', () => {
  it('answers all values of every form', async () => {
    const image = await attach(server.port);
    const {
      outcome,
      forms,
      package: packageName,
    } = await evaluate(
      image,
      '(values 1 "two") ; and\n (values)\n#+sbcl :sbcl #-sbcl :other (list \'a #\\λ)',
    );
    expect(outcome).toBe('ok');
    expect(forms).toEqual([
      { code: '(values 1 "two")', values: ['1', '"two"'] },
      { code: '(values)', values: [] },
      { code: '#+sbcl :sbcl', values: [':SBCL'] },
      { code: "#-sbcl :other (list 'a #\\λ)", values: ['(A #\\GREEK_SMALL_LETTER_LAMDA)'] },
    ]);
    expect(packageName).toBe('CL-USER');
  });

  it('keeps definitions and the last values', async () => {
    const image = await attach(server.port);
    await evaluate(image, '(defvar *kept* 20) (defun twice (x) (* 2 x))');
    expect((await evaluate(image, '(twice *kept*)')).values).toEqual(['40']);
    expect((await evaluate(image, '(list * (first /) +)')).values).toEqual(['(40 40 (TWICE *KEPT*))']);
  });

  it('streams what is printed while it runs, and tells what goes to the error output', async () => {
    const image = await attach(server.port);
    const seen: string[] = [];
    const evaluating = image.evaluate(
      {
        id: 900,
        code: '(write-string "first") (finish-output) (loop until (boundp (quote *go*)) do (sleep 0.01))',
      },
      (stream, text) => {
        seen.push(`${stream}: ${text}`);
        if (text === 'first') void other.then((second) => evaluate(second, '(defvar *go* t)'));
      },
    );
    const other = attach(server.port);
    expect((await evaluating).outcome).toBe('ok');
    expect(seen).toEqual(['stdout: first']);
    const both = await evaluate(image, '(write-line "out λ") (write-line "err 😀" *error-output*) (car 1)');
    expect(both).toMatchObject({ outcome: 'error', stdout: 'out λ\n', stderr: 'err 😀\n' });
  });

  it('prints a great deal in order, which the server checks by its pings', async () => {
    const image = await attach(server.port);
    const { stdout } = await evaluate(
      image,
      '(dotimes (i 20000) (format t "~D~%" i) (when (zerop (mod i 10)) (finish-output)))',
    );
    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 20_000 }, (_, index) => String(index)));
  });

  it('records warnings apart from what is printed', async () => {
    const image = await attach(server.port);
    const { warnings, stderr, values } = await evaluate(
      image,
      ':first (progn (warn "careful ~D" 1) :on) (lambda () unknown-there)',
    );
    expect(warnings).toEqual([
      { severity: 'warning', type: 'SIMPLE-WARNING', message: 'careful 1', form: 1 },
      expect.objectContaining({
        severity: 'warning',
        message: 'undefined variable: COMMON-LISP-USER::UNKNOWN-THERE',
        form: 2,
      }),
    ]);
    expect(stderr).not.toContain('careful');
    expect(values[1]).toBe(':ON');
  });

  it('stays in the package that code goes to; one that is asked for holds once', async () => {
    const image = await attach(server.port);
    const went = await evaluate(
      image,
      '(defpackage :elsewhere (:use :cl)) (in-package :elsewhere) (defun here () *package*)',
    );
    expect(went.package).toBe('ELSEWHERE');
    expect((await evaluate(image, "(symbol-package 'a)")).values).toEqual(['#<PACKAGE "ELSEWHERE">']);
    const once = await evaluate(image, "(package-name (symbol-package 'b))", { package: 'CL-USER' });
    expect(once).toMatchObject({ values: ['"COMMON-LISP-USER"'], package: 'ELSEWHERE' });
    expect(image.prompt()).toBe('ELSEWHERE> ');
    const none = await evaluate(image, '1', { package: 'NO-SUCH' });
    expect(none).toMatchObject({ outcome: 'error', condition: { message: 'There is no package NO-SUCH.' } });
  });

  it('tells an unhandled condition with restarts and frames, and is back at the top level', async () => {
    const image = await attach(server.port);
    await evaluate(image, '(defun inner (x) (declare (optimize debug)) (list (error "bad ~S" x)))');
    const failed = await evaluate(image, '(in-package :cl-user) :kept (inner 42) :never');
    expect(failed).toMatchObject({ outcome: 'error', values: [expect.any(String), ':KEPT'] });
    expect(failed.condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'bad 42', level: 1 });
    expect(failed.condition?.restarts.map(({ name }) => name)).toContain('ABORT');
    const calls = failed.condition?.frames.map(({ call }) => call) ?? [];
    expect(calls[0]).toBe('(INNER 42)');
    expect(calls.join('\n')).not.toMatch(/SWANK/);
    expect((await evaluate(image, '(+ 1 2)')).values).toEqual(['3']);
  });

  it.each([
    ['(list 1', 'END-OF-FILE'],
    ['1 no-such-package:thing', 'READER'],
    ['(break "here")', 'SIMPLE-CONDITION'],
    ['(labels ((f (n) (+ 1 (f n)))) (f 1))', 'STORAGE-CONDITION|EXHAUSTED'],
    ["(invoke-debugger (make-condition 'warning))", 'WARNING'],
  ])('%s is told as a condition', async (code, type) => {
    const image = await attach(server.port);
    const failed = await evaluate(image, code);
    expect(failed.outcome).toBe('error');
    expect(failed.condition?.type).toMatch(new RegExp(type));
    expect((await evaluate(image, '(+ 1 2)')).values).toEqual(['3']);
  });

  it('reads what its caller answers; else its input is at its end, and a note says so', async () => {
    const image = await attach(server.port);
    const lines = ['hello (1 2)', '"third"'];
    const read = await evaluate(image, '(list (read-line) (read))', {
      input: async () => lines.shift() ?? null,
    });
    expect(read.values).toEqual(['("hello (1 2)" "third")']);
    const ended = await evaluate(image, '(read-line)');
    expect(ended).toMatchObject({ outcome: 'error', condition: { type: 'END-OF-FILE' } });
    expect(noteTexts(ended.notes).join()).toMatch(/standard input/);
    expect((await evaluate(image, '(read-line *standard-input* nil :eof)')).values[0]).toBe(':EOF');
  });

  it('cuts values, also those without an end, and shows what cannot be printed', async () => {
    const image = await attach(server.port);
    const cut = await evaluate(
      image,
      '(let ((l (list 1))) (setf (cdr l) l)) (make-string 500 :initial-element #\\x)',
      { maxChars: 100 },
    );
    expect(cut.values.map(({ length }) => length)).toEqual([100, 100]);
    expect(noteTexts(cut.notes).join()).toMatch(/cut to 100 characters/);
    const broken = await evaluate(
      image,
      '(defclass wrong () ()) (defmethod print-object ((o wrong) s) (error "no")) (make-instance \'wrong)',
    );
    expect(broken).toMatchObject({ outcome: 'ok' });
    expect(broken.values.at(-1)).toBe('#<wrong that cannot be printed: SIMPLE-ERROR>');
  });

  it('refuses reader evaluation where that is asked for', async () => {
    const image = await attach(server.port);
    expect((await evaluate(image, '(list #.(+ 1 1))')).values).toEqual(['(2)']);
    const safe = await evaluate(image, '(list #.(+ 1 1))', { safeRead: true });
    expect(safe).toMatchObject({
      outcome: 'error',
      condition: { type: expect.stringMatching(/READER-ERROR/) },
    });
  });

  it('survives a value of ten megabytes and code of one', async () => {
    const image = await attach(server.port);
    const big = await evaluate(image, '(make-string 1000000 :initial-element (code-char 955))', {
      maxChars: 1_000_001,
    });
    expect(big.values[0]).toHaveLength(1_000_001);
    const code = `(length "${'y'.repeat(1_000_000)}")`;
    expect((await evaluate(image, code)).values).toEqual(['1000000']);
  });

  it('that gives itself up says so', async () => {
    const image = await attach(server.port);
    const aborted = await evaluate(image, '(abort)');
    expect(aborted).toMatchObject({
      outcome: 'interrupted',
      notes: [{ kind: 'aborted', text: expect.stringMatching(/aborted itself/) }],
    });
    expect((await evaluate(image, '(+ 1 2)')).values).toEqual(['3']);
  });

  it('that asks an editor goes on without one', async () => {
    const image = await attach(server.port);
    const asked = await evaluate(image, '(ignore-errors (swank:eval-in-emacs (quote (message "x")))) :on');
    expect(asked.outcome).toBe('interrupted');
    expect(noteTexts(asked.notes).join()).toMatch(/request to its editor/);
  });
});
