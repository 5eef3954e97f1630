/** A compiler of expressions for a stack machine is proved correct in ACL2, with the two failures on the way that everybody has. */
import { submitted } from './proofs.ts';
import type { Task } from './task.ts';

const DEFINITIONS = `(defun value-of (e env)
  (cond ((acl2-numberp e) e)
        ((symbolp e) (fix (cdr (assoc-equal e env))))
        ((atom e) 0)
        ((equal (car e) :add) (+ (value-of (cadr e) env) (value-of (caddr e) env)))
        (t (* (value-of (cadr e) env) (value-of (caddr e) env)))))
(defun code-of (e)
  (cond ((acl2-numberp e) (list (list :push e)))
        ((symbolp e) (list (list :load e)))
        ((atom e) (list (list :push 0)))
        (t (append (code-of (cadr e))
                   (code-of (caddr e))
                   (list (list (if (equal (car e) :add) :add :multiply)))))))
(defun do-step (instruction stack env)
  (case (car instruction)
    (:push (cons (cadr instruction) stack))
    (:load (cons (fix (cdr (assoc-equal (cadr instruction) env))) stack))
    (:add (cons (+ (cadr stack) (car stack)) (cddr stack)))
    (otherwise (cons (* (cadr stack) (car stack)) (cddr stack)))))
(defun run (code stack env)
  (if (endp code)
      stack
      (run (cdr code) (do-step (car code) stack env) env)))`;

/** Message of the empty stack alone, which no induction can use. */
const TOO_WEAK = '(defthm compiler-is-correct (equal (car (run (code-of e) nil env)) (value-of e env)))';

const APPEND = `(defthm run-of-append
  (equal (run (append one other) stack env)
         (run other (run one stack env) env)))`;

const GENERAL = `(defthm compiled-code-computes-the-value
  (equal (run (code-of e) stack env)
         (cons (value-of e env) stack)))`;

const INDUCTION = `(defun compiling-induction (e stack env)
  (if (or (acl2-numberp e) (symbolp e) (atom e))
      (list stack)
      (list (compiling-induction (cadr e) stack env)
            (compiling-induction (caddr e) (cons (value-of (cadr e) env) stack) env))))`;

const HINTED = `${GENERAL.slice(0, -1)}
  :hints (("Goal" :induct (compiling-induction e stack env))))`;

export const stackMachine: Task = {
  what: 'a compiler for a stack machine, proved',
  engine: 'acl2',
  prepare() {},
  async tools(agent) {
    const submit = (code: string, says: RegExp) => agent.call('eval', { code }, says);
    await submit(DEFINITIONS, /RUN: admitted/);
    await submit(TOO_WEAK, /\(RUN \(APPEND \(CODE-OF/);
    await submit(
      `${APPEND}\n${GENERAL}`,
      /RUN-OF-APPEND: admitted[\s\S]*recursive call has \(cons \(value-of \(cadr e\) env\) stack\) for stack/,
    );
    await submit(INDUCTION, /COMPILING-INDUCTION: admitted/);
    await submit(`${HINTED}\n${TOO_WEAK}`, /COMPILER-IS-CORRECT: admitted[\s\S]*no trust issues/);
  },
  shell: [
    submitted('compiler', DEFINITIONS),
    submitted('compiler', DEFINITIONS, TOO_WEAK),
    submitted('compiler', DEFINITIONS, APPEND, GENERAL),
    submitted('compiler', DEFINITIONS, APPEND, INDUCTION),
    `${submitted('compiler', DEFINITIONS, APPEND, INDUCTION, HINTED, TOO_WEAK)}; test -f compiler.cert`,
  ],
  goal: 4_400,
};
