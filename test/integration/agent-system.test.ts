/** The agent as a system of ASDF, loaded into fresh Lisps as an editor would; and its interface to the Lisp below it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SOAK, sampled } from '../rounds';
import { SOURCES } from './sbcl-fixture';

/** Milliseconds for a Lisp that compiles each file by itself. */
const LOADING_MS = 300_000;

const SBCL = ['--noinform', '--non-interactive', '--no-sysinit', '--no-userinit', '--load'];

/** How each is run to load a file, and what keeps it from optimizing code that is not to run. */
const LISPS = [
  { lisp: 'sbcl', args: SBCL, quiet: 'sb-ext:*muffled-warnings*', hurry: '' },
  {
    lisp: 'ecl',
    args: ['--norc', '--shell'],
    quiet: 'nil',
    hurry: '(require :cmp) (setf c::*cc-optimize* "-O0")',
  },
  { lisp: 'abcl', args: ['--noinit', '--nosystem', '--batch', '--load'], quiet: 'nil', hurry: '' },
];

/** ABCL takes twice as long as ECL, which is as strict, to compile the agent, so only soak runs it. */
const TRIED = SOAK ? LISPS : sampled('agent-system', LISPS.slice(0, 2), 1);

/** For ABCL, which runs on it. */
const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** What `code` prints behind its last "ANSWER " in a fresh Lisp. */
async function answerOf(lisp: string, args: readonly string[], code: string): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-system-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const file = path.join(home, 'ask.lisp');
  await writeFile(file, code);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: home,
    LANG: 'C.UTF-8',
    JAVA_TOOL_OPTIONS,
  };
  const { stdout } = await promisify(execFile)(lisp, [...args, file], { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout.slice(stdout.lastIndexOf('ANSWER ') + 'ANSWER '.length).trim();
}

/** Loads the system; *WARNED* is afterwards the types of all warnings but the QUIET ones. */
const loading = (quiet: string) => `
(require :asdf)
(defvar *warned* '())
(asdf:load-asd "${SOURCES}/lisp-harbor-agent.asd")
(handler-bind ((warning (lambda (warning)
                          (unless (typep warning ${quiet}) (push (type-of warning) *warned*)))))
  (asdf:load-system "lisp-harbor-agent"))`;

describe('the system', () => {
  it.each(TRIED)(
    'loads into $lisp without a warning',
    { timeout: LOADING_MS },
    async ({ lisp, args, quiet, hurry }) => {
      const code = `${hurry}${loading(quiet)}
      (format t "~&ANSWER ~S~%" (list *warned* (and (fboundp (find-symbol "RUN" "LISP-HARBOR-AGENT")) t)))`;
      expect(await answerOf(lisp, args, code)).toBe('(NIL T)');
    },
  );
});

describe('the interface', () => {
  /** What the forms print, in a Lisp that has loaded nothing but the interface's own macros. */
  const answer = (forms: string) =>
    answerOf(
      'sbcl',
      SBCL,
      `(load "${SOURCES}/package.lisp")
       (load "${SOURCES}/interface.lisp")
       (in-package :lisp-harbor-agent)
       (setf *print-pretty* nil)
       (define-interface first-thing (one &optional two) "The first.")
       (define-interface second-thing (one) "The second." (list :default one))
       (define-macro-interface third-thing ((one) &body body) "The third.")
       (defun told (form)
         (handler-case (eval form)
           (error (condition) (princ-to-string condition))))
       (format t "~&ANSWER ~S~%" (progn ${forms}))`,
    );

  it('tells all that is not implemented and has no default', async () => {
    expect(await answer("(told '(complete-interface))")).toBe(
      '"SBCL does not implement FIRST-THING, THIRD-THING."',
    );
  });

  it('refuses what nobody declared, and another lambda list', async () => {
    expect(await answer("(told '(define-implementation fourth-thing () 4))")).toBe(
      '"FOURTH-THING is implemented, but backend.lisp does not declare it."',
    );
    expect(await answer("(told '(define-implementation first-thing (one two) (list one two)))")).toBe(
      '"FIRST-THING is implemented with the lambda list (ONE TWO), but backend.lisp declares (ONE &OPTIONAL TWO)."',
    );
  });

  it('takes what is implemented, and else the default, each with the documentation that is declared', async () => {
    const forms = `
      (eval '(define-implementation first-thing (one &optional two) (list :own one two)))
      (eval '(define-implementation third-thing ((one) &body body) "By itself." \`(list ,one ,@body)))
      (told '(complete-interface))
      (list (eval '(first-thing 1)) (eval '(second-thing 2)) (eval '(third-thing (3) 4))
            (mapcar (lambda (name) (documentation name 'function)) '(first-thing second-thing third-thing)))`;
    expect(await answer(forms)).toBe(
      '((:OWN 1 NIL) (:DEFAULT 2) (3 4) ("The first." "The second." "By itself."))',
    );
  });
});
