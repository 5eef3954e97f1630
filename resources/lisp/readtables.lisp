;;;; Detection of a non-standard readtable, so that tools that parse code without the reader know
;;;; whether their result is correct.

(in-package :lisp-harbor-agent)


(defun skip-byte-order-mark (stream char)
  "The reader macro of a byte order mark, with which editors of Windows begin a file."
  (declare (ignore stream char))
  (values))

(dolist (readtable (list *readtable* *standard-readtable*))
  (set-macro-character (code-char #xFEFF) 'skip-byte-order-mark t readtable))

(defun reads-alike-p (character)
  "Reports whether CHARACTER is the same macro character or constituent as in the standard readtable."
  (multiple-value-bind (reader non-terminating) (get-macro-character character)
    (multiple-value-bind (standard-reader standard-non-terminating)
        (get-macro-character character *standard-readtable*)
      (and (eq reader standard-reader)
           (eq non-terminating standard-non-terminating)))))

(defun dispatches-alike-p (character)
  (eq (get-dispatch-macro-character #\# character)
      (get-dispatch-macro-character #\# character *standard-readtable*)))

(defun standard-text-p ()
  "Reports whether escapes are standard."
  (equal (read-from-string "(:|)(| :\\) \"(\")") '(:|)(| :|)| "(")))

(defun own-syntax-p ()
  "Reports whether lists, strings, comments or escapes of the session's readtable differ from the standard
readtable. Other differences do not matter."
  (not (ignore-errors
        (and (every #'reads-alike-p "()\"';`,|\\")
             (every #'dispatches-alike-p "'(\\|:+-*=#ABCOPRSX")
             (standard-text-p)))))
