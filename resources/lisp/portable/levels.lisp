;;;; In place of SBCL's debugger levels: no evaluation is held, so all of them run at the top level, and an unhandled
;;;; condition is reported and ends its evaluation.

(in-package :lisp-harbor-agent)

(define-implementation misplacement (evaluation)
  (unless (zerop (evaluation-level evaluation))
    (format nil "This was meant for ~A, but ~A holds no levels here." (level-name (evaluation-level evaluation))
            (lisp-implementation-type))))

(define-implementation end-or-hold (condition)
  (when (evaluation-holds *evaluation*)
    (note *evaluation* "The debugger level was not held: sessions of ~A report errors and return to the top level."
          (lisp-implementation-type)))
  (throw 'evaluation-ended (cons "error" (condition-data condition (user-frames)))))

(define-implementation asked-arguments (restart)
  "Restarts are listed with what they may ask for; nobody takes one."
  (if (member (restart-name restart) '(use-value store-value)) '("value") '()))
