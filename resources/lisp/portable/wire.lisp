;;;; The wire on Lisps that have streams of their own for it.

(in-package :lisp-harbor-agent)

(define-implementation write-to-wire (line)
  (without-interrupts
    (with-mutex (*wire-lock*)
      (handler-case (print-on-wire line)
        ;; Nobody listens any more: there is no work left that anyone could see.
        (error () (end-process +exit-wire-broken+))))))

(define-implementation line-from-wire ()
  (ignore-errors (read-wire-line)))
