;;;; The printer variables of a session are their global values. Each evaluation works on bindings of its own, so that
;;;; code which changes one for itself cannot make everything after it hard to read.

(in-package :lisp-harbor-agent)

(defparameter +printer-variables+
  '(*print-array* *print-base* *print-case* *print-circle* *print-escape* *print-gensym* *print-length* *print-level*
    *print-lines* *print-miser-width* *print-pprint-dispatch* *print-pretty* *print-radix* *print-readably*
    *print-right-margin*))

(defmacro with-printer-variables (&body body)
  "Runs BODY with the session's values, whatever it sets."
  `(progv +printer-variables+ (mapcar #'symbol-global-value +printer-variables+)
     ,@body))

(defun variables-set-by (form)
  "Printer variables that FORM, which has been evaluated, sets at top level (CLHS 3.2.3.1). There the person means
the session; a function, or a form inside of a LET, means itself."
  (when (consp form)
    (case (first form)
      ((setq setf) (loop for (place) on (rest form) by #'cddr
                         when (member place +printer-variables+) collect place))
      ((progn locally) (mapcan #'variables-set-by (rest form)))
      (eval-when (mapcan #'variables-set-by (cddr form))))))

(defun keep-printer-variables (form)
  "Makes what FORM sets at top level the session's."
  (dolist (variable (variables-set-by form))
    (setf (symbol-global-value variable) (symbol-value variable))))

(defun note-changed-printer-variables (evaluation)
  "Called at the end of EVALUATION, inside of WITH-PRINTER-VARIABLES."
  (let ((changed (remove-if (lambda (variable) (eql (symbol-value variable) (symbol-global-value variable)))
                            +printer-variables+)))
    (when changed
      (note evaluation "~{~A~^, ~} held for this evaluation only: what a SETF at top level sets stays."
            (mapcar #'symbol-name changed)))))
