;;;; Whether code is read as the standard says, so that whoever reads it beforehand knows what the session will make of it.

(in-package :lisp-harbor-agent)

(defvar *standard-readtable* (copy-readtable nil) "To compare others with.")

(defun reads-alike-p (character)
  "Whether CHARACTER is the macro character, or the constituent, that it is by the standard."
  (multiple-value-bind (reader non-terminating) (get-macro-character character)
    (multiple-value-bind (standard-reader standard-non-terminating)
        (get-macro-character character *standard-readtable*)
      (and (eq reader standard-reader)
           (eq non-terminating standard-non-terminating)))))

(defun dispatches-alike-p (character)
  (eq (get-dispatch-macro-character #\# character)
      (get-dispatch-macro-character #\# character *standard-readtable*)))

(defun standard-text-p ()
  "Whether escapes are what they are by the standard."
  (equal (read-from-string "(:|)(| :\\) \"(\")") '(:|)(| :|)| "(")))

(defun own-syntax-p ()
  "Whether the session's readtable has other lists, strings, comments or escapes than the standard one. What else it has is
no matter."
  (not (ignore-errors
        (and (every #'reads-alike-p "()\"';`,|\\")
             (every #'dispatches-alike-p "'(\\|:+-*=#ABCOPRSX")
             (standard-text-p)))))
