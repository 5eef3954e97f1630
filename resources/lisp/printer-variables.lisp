;;;; The printer variables of a session are their global values. Each evaluation works on its own
;;;; bindings, so that code that changes one does not affect the output of later evaluations.

(in-package :lisp-harbor-agent)

(defparameter +printer-variables+
  '(*print-array* *print-base* *print-case* *print-circle* *print-escape* *print-gensym* *print-length* *print-level*
    *print-lines* *print-miser-width* *print-pprint-dispatch* *print-pretty* *print-radix* *print-readably*
    *print-right-margin*))

(defmacro with-printer-variables (&body body)
  "Runs BODY with bindings of the session's values. Assignments in BODY do not change them."
  `(progv +printer-variables+ (mapcar #'symbol-global-value +printer-variables+)
     ,@body))

(defun variables-set-by (form)
  "Returns the printer variables that FORM, which was evaluated, sets as a top-level form (CLHS 3.2.3.1). Such
a form is meant for the session; an assignment in a function or inside a LET is not."
  (when (consp form)
    (case (first form)
      ((setq setf) (loop for (place) on (rest form) by #'cddr
                         when (member place +printer-variables+) collect place))
      ((progn locally) (mapcan #'variables-set-by (rest form)))
      (eval-when (mapcan #'variables-set-by (cddr form))))))

(defun keep-printer-variables (form)
  "Copies the values that FORM sets at top level to the session."
  (dolist (variable (variables-set-by form))
    (setf (symbol-global-value variable) (symbol-value variable))))

(defun note-changed-printer-variables (evaluation)
  "Called at the end of EVALUATION, inside WITH-PRINTER-VARIABLES."
  (let ((changed (remove-if (lambda (variable) (eql (symbol-value variable) (symbol-global-value variable)))
                            +printer-variables+)))
    (when changed
      (note evaluation "~{~A~^, ~} held for this evaluation only: what a SETF at top level sets stays."
            (mapcar #'symbol-name changed)))))
