;;;; ABOUTME: The session's printer variables on Lisps that cannot tell a variable's global value from one that is bound:
;;;; ABOUTME: they are kept aside.

(in-package :lisp-harbor-agent)

(defvar *session-values* (make-hash-table :test 'eq) "The session's value of each printer variable.")

(defun symbol-global-value (symbol)
  (gethash symbol *session-values*))

(defun (setf symbol-global-value) (value symbol)
  (setf (gethash symbol *session-values*) value))
