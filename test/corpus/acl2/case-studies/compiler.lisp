;;;; Case study: a compiler of expressions for a stack machine is correct, in a package of its own.
;;;; Running what it makes of an expression puts the expression's value on the stack, whatever lies there.

(defpkg "MACHINE"
  (append *acl2-exports* *common-lisp-symbols-from-main-lisp-package*))

(in-package "MACHINE")

(defun value-of (e env)
  "A number, a variable, or a sum or product of two expressions, (op left right)."
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
      (run (cdr code) (do-step (car code) stack env) env)))

(defthm run-of-append
  (equal (run (append one other) stack env)
         (run other (run one stack env) env)))

(defun compiling-induction (e stack env)
  (if (or (acl2-numberp e) (symbolp e) (atom e))
      (list stack)
      (list (compiling-induction (cadr e) stack env)
            (compiling-induction (caddr e) (cons (value-of (cadr e) env) stack) env))))

(defthm compiled-code-computes-the-value
  (equal (run (code-of e) stack env)
         (cons (value-of e env) stack))
  :hints (("Goal" :induct (compiling-induction e stack env))))

(defthm compiler-is-correct
  (equal (car (run (code-of e) nil env))
         (value-of e env)))
