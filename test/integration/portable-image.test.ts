/** Sessions of ECL and ABCL, with one image each, because they start slowly. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { LocalLauncher } from '../../electron/launchers/local';
import { form } from '../forms';
import { sampled } from '../rounds';
import { offered, promised } from './engines-table';
import { portableEngine, START_MS, TESTED } from './portable-fixture';
import { TestImage } from './test-image';

const TRIED = sampled('portable-image', TESTED, 1);

describe.each(TRIED.map((implementation) => [implementation.engine, implementation] as const))(
  '%s',
  (_engine, implementation) => {
    let lisp: TestImage;
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-portable-'));
      const image = await portableEngine(implementation).start({
        launcher: new LocalLauncher('a test'),
        confinement: { writable: [folder], readable: [], network: false },
        project: folder,
        home: folder,
        checkpoints: folder,
      });
      lisp = new TestImage(image);
    }, START_MS);

    afterAll(async () => {
      await lisp.image.end();
      await rm(folder, { recursive: true });
    });

    describe('evaluation', () => {
      it('answers every form with all its values, whatever characters they hold', async () => {
        const { outcome, values } = await lisp.evaluate('(+ 1 2) (values 1 "ä😀") (values)');
        expect(outcome).toBe('ok');
        expect(values).toEqual([['3'], ['1', '"ä😀"'], []]);
      });

      it('tells stdout and stderr apart, while it runs', async () => {
        const flag = path.join(folder, 'heard');
        let heard = '';
        const { stdout, stderr } = await lisp.evaluate(
          `(progn (write-line "out") (finish-output) (write-line "err" *error-output*)
             (loop until (probe-file "${flag}") do (sleep 0.05)) (write-line "late"))`,
          {},
          (_stream, text) => {
            heard += text;
            if (heard.includes('out\n') && heard.includes('err\n')) writeFileSync(flag, '');
          },
        );
        expect({ stdout, stderr }).toEqual({ stdout: 'out\nlate\n', stderr: 'err\n' });
      });

      it('records warnings and keeps them from being printed', async () => {
        const { warnings, stderr } = await lisp.evaluate('(progn (warn "careful ~D" 1) :done)');
        expect(warnings).toMatchObject([
          { severity: 'warning', type: 'SIMPLE-WARNING', message: 'careful 1' },
        ]);
        expect(stderr).toBe('');
      });

      it('reports an error with its restarts and frames, after the values before it', async () => {
        const { outcome, values, condition } = await lisp.evaluate(`
        (defun outer (x) (list (restart-case (error "stop ~A" x) (seven () :report "Answer seven." 7))))
        (outer 3)`);
        expect({ outcome, values }).toEqual({ outcome: 'error', values: [['OUTER']] });
        expect(condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'stop 3', level: 1 });
        expect(condition?.restarts.map(({ name, description }) => [name, description])).toEqual([
          ['SEVEN', 'Answer seven.'],
          ['ABORT', 'Return to the top level.'],
        ]);
        expect(condition?.frames.map(({ call }) => call).join(' ')).toContain('OUTER');
      });

      it('keeps the package it ends in; one that is asked for holds for that evaluation', async () => {
        await lisp.evaluate('(defpackage :shapes (:use :cl)) (in-package :shapes) (defvar *area* 12)');
        expect(lisp.image.package).toBe('SHAPES');
        expect((await lisp.evaluate('*area*')).values).toEqual([['12']]);
        const elsewhere = await lisp.evaluate('(package-name *package*)', { package: 'cl-user' });
        expect(elsewhere.values[0]?.[0]).toMatch(/"(COMMON-LISP|CL)-USER"/);
        expect(lisp.image.package).toBe('SHAPES');
        await lisp.evaluate('(in-package :cl-user)');
        expect(lisp.image.package).toBe('CL-USER');
      });

      it('says where code ends too early, and refuses reader evaluation', async () => {
        const early = await lisp.evaluate('1 (list 2');
        expect(early).toMatchObject({ outcome: 'error', values: [['1']] });
        expect(early.notes).toEqual(['The code ends inside the form that begins at character 2.']);
        const { outcome, notes } = await lisp.evaluate('#.(+ 1 2)', { safeRead: true });
        expect({ outcome, notes }).toEqual({ outcome: 'error', notes: [expect.stringContaining('refused')] });
      });

      it('reads what its caller answers, and meets the end of the file where nobody does', async () => {
        const lines = ['first line', '42'];
        const answered = await lisp.evaluate('(list (read-line) (read))', {
          input: async () => lines.shift() ?? null,
        });
        expect(answered.values).toEqual([['("first line" 42)']]);
        const { condition, notes } = await lisp.evaluate('(read-line)');
        expect(condition?.type).toBe('END-OF-FILE');
        expect(notes).toEqual([expect.stringContaining('read from its input, which is empty')]);
      });

      it('holds nothing in a debugger, and says so', async () => {
        const { outcome, notes } = await lisp.evaluate('(error "held?")', { onError: 'debug' });
        expect(outcome).toBe('error');
        expect(notes).toEqual([expect.stringContaining('The debugger level was not held')]);
      });
    });

    it('is interrupted also when its code has long had no opportunity for that', async () => {
      const work = '(fib 25) '.repeat(60);
      const { settled } = await lisp.running(`
        (defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
        (compile 'fib)
        (defun work () ${work})
        (compile 'work)
        (princ "ready") (finish-output)
        (work)
        (loop)`);
      await lisp.interrupt('cooperative');
      expect((await settled).outcome).toBe('interrupted');
    });

    describe('printing', () => {
      it('is cut where it is long, and knows circles', async () => {
        const { values, notes } = await lisp.evaluate(
          '(make-string 500 :initial-element #\\a) (let ((l (list 1))) (setf (cdr l) l))',
          { maxChars: 100 },
        );
        expect(values).toEqual([[`"${'a'.repeat(99)}`], ['#1=(1 . #1#)']]);
        expect(notes).toEqual(['A value of form 1 was cut after 100 characters.']);
      });

      it('is whole where it is large', async () => {
        const { values, notes } = await lisp.evaluate(
          '(make-string 1000000 :initial-element #\\a) (let ((*print-pretty* nil)) (length (prin1-to-string (make-list 10000))))',
        );
        expect(values[0]?.[0] === `"${'a'.repeat(1_000_000)}"`).toBe(true);
        expect(notes).toEqual([]);
      });

      it('shows the beginning of a list that is long, and of one that leads back far behind it', async () => {
        const { values, notes } = await lisp.evaluate(
          '(make-list 300000 :initial-element 7) (let ((l (make-list 300000 :initial-element 8))) (setf (cdr (last l)) l) l)',
          { maxChars: 100 },
        );
        expect(values).toEqual([[expect.stringMatching(/^\(7 7 7 /)], [expect.stringMatching(/^\(8 8 8 /)]]);
        expect(values.map(([text]) => text?.length)).toEqual([100, 100]);
        expect(notes).toEqual([1, 2].map((form) => `A value of form ${form} was cut after 100 characters.`));
      });

      it('shows the beginning of a long vector, and what holds a vector twice is no circle', async () => {
        const { values, notes } = await lisp.evaluate(
          "(make-array 300000 :initial-element 7) (list (make-array '(100 3000) :initial-element 8)) (let ((v (vector 1))) (list v v))",
          { maxChars: 100 },
        );
        expect(values.slice(0, 2).map(([text]) => text?.length)).toEqual([100, 100]);
        expect(values[0]?.[0]).toMatch(/^#\(7 7 7 /);
        expect(values[2]).toEqual(['(#(1) #(1))']);
        expect(notes).toEqual([1, 2].map((form) => `A value of form ${form} was cut after 100 characters.`));
      });

      it('of an object that never ends or fails becomes a note', async () => {
        const { outcome, notes } = await lisp.evaluate(`
        (defstruct endless)
        (defmethod print-object ((object endless) stream) (loop))
        (make-endless)
        (defstruct failing)
        (defmethod print-object ((object failing) stream) (error "no"))
        (make-failing)`);
        expect(outcome).toBe('ok');
        expect(notes).toEqual([
          'A value of form 3 took too long to print.',
          expect.stringMatching(/^A value of form 6 could not be printed/),
        ]);
      });
    });

    describe('an interrupt', () => {
      it.each(['(loop)', '(loop (ignore-errors (loop)))', '(sleep 100)', '(loop (print 1))'])(
        'ends %s and keeps the state',
        async (code) => {
          // LOOP is there at once only when it has been used.
          await lisp.evaluate('(defparameter *kept* (loop repeat 1 finally (return 5)))');
          const { settled } = await lisp.running(`(progn (write-line "ready") (finish-output) ${code})`);
          expect(await lisp.interrupt('cooperative')).toBe(true);
          expect((await settled).outcome).toBe('interrupted');
          expect((await lisp.evaluate('*kept*')).values).toEqual([['5']]);
        },
      );
    });

    it('a stack that is full is an error, and the image goes on', async () => {
      const { outcome, notes } = await lisp.evaluate('(defun deep (n) (+ 1 (deep n))) (deep 0)');
      // If the stack of ABCL overflows again while that is reported, ABCL ends the thread, which a note says.
      const endsThread = implementation.engine === 'abcl' && notes.some((note) => note.includes('thread'));
      expect(outcome).toBe(endsThread ? 'interrupted' : 'error');
      expect((await lisp.evaluate('(+ 1 2)')).values).toEqual([['3']]);
    });

    it('an error in a thread of the user ends that thread alone, and is told', async () => {
      const { stderr } = await lisp.evaluate(`
      (progn
        #+ecl (mp:process-join (mp:process-run-function "worker" (lambda () (error "lost"))))
        #+abcl (threads:thread-join (threads:make-thread (lambda () (error "lost")) :name "worker")))`);
      expect(stderr).toContain('Unhandled SIMPLE-ERROR in thread "worker"');
    });

    describe('knowledge', () => {
      const described = async (symbol: string) => lisp.image.knowledge?.describe({ symbol });
      const find = async (kind: 'apropos' | 'callers' | 'completions' | 'definitions', query: string) =>
        lisp.image.knowledge?.find({ kind, query, limit: 5 });

      beforeAll(async () => {
        await writeFile(
          path.join(folder, 'things.lisp'),
          '(defpackage :things (:use :cl))\n(in-package :things)\n\n(defun area-of (width &key (height 1))\n  "The area."\n  (* width height))\n',
        );
        const { condition } = await lisp.evaluate(
          `${lisp.image.loader?.loadCode({ file: path.join(folder, 'things.lisp') })}
           (defclass thing () ((name :initarg :name :documentation "Its name.")))
           (defgeneric grow (thing)) (defmethod grow ((thing thing)) thing)`,
        );
        expect(condition).toBeNull();
      });

      it('describes functions, generic functions and classes', async () => {
        expect((await described('things::area-of'))?.definitions).toMatchObject([
          { kind: 'function', arglist: '(WIDTH &KEY (HEIGHT 1))', documentation: 'The area.' },
        ]);
        expect((await described('grow'))?.definitions).toMatchObject([
          { kind: 'generic function', methods: [{ text: '(METHOD GROW (THING))' }] },
        ]);
        expect((await described('thing'))?.definitions).toMatchObject([
          { kind: 'class', slots: [{ name: 'NAME', details: 'initarg :NAME' }] },
        ]);
      });

      it('finds names and places, and says what it cannot find', async () => {
        expect((await find('apropos', 'area-of'))?.results).toMatchObject([{ kind: 'function' }]);
        expect((await find('completions', 'm-v-l'))?.results[0]).toMatchObject({
          text: 'multiple-value-list',
        });
        expect((await find('definitions', 'things::area-of'))?.results[0]).toMatchObject({
          kind: 'function',
        });
        await expect(find('callers', 'things::area-of')).rejects.toThrow(HarborError);
        await expect(described('no-such-thing')).rejects.toMatchObject({ code: 'unknown_symbol' });
      });

      it('expands macros', async () => {
        const code = lisp.image.knowledge?.expansionCode(form('(when a b)'), 'once') ?? '';
        expect((await lisp.evaluate(code)).values[0]?.[0]).toMatch(/^\(IF A/);
      });
    });

    it('takes out of the image what a file has lost, or tells it', async () => {
      const file = path.join(folder, 'lost.lisp');
      const load = async (text: string) => {
        await writeFile(file, `(defpackage :lost (:use :cl))\n(in-package :lost)\n${text}\n`);
        return lisp.evaluate(lisp.image.loader?.loadCode({ file }) ?? '');
      };
      const functions =
        '(defun gone () 1)\n(defmacro gone-too () 1)\n(defun (setf gone) (new) new)\n(defun typed () 1)';
      expect((await load(`${functions}\n(defvar *kept* 1)\n(defun stays () 1)`)).notes).toEqual([]);
      await lisp.evaluate('(defun lost::typed () 2)');
      const { notes } = await load('(defun stays () 2)');
      expect(notes).toHaveLength(2);
      for (const name of ['GONE', 'GONE-TOO', '(SETF LOST::GONE)']) expect(notes.join()).toContain(name);
      expect(notes.join()).toMatch(
        /\*KEPT\* is still defined in this image, but \S+lost\.lisp no longer defines it/,
      );
      const there = "(list (fboundp 'lost::gone) (fboundp 'lost::gone-too) (fboundp '(setf lost::gone)))";
      expect((await lisp.evaluate(there)).values).toEqual([['(NIL NIL NIL)']]);
      expect((await lisp.evaluate('(list (lost::typed) (lost::stays) lost::*kept*)')).values).toEqual([
        ['(2 2 1)'],
      ]);
    });

    it('offers what docs/engines.md says', () => {
      expect(offered(lisp.image)).toEqual(promised(implementation.engine));
    });
  },
);
