;;;; Queries about names for which Swank's own answers must be bounded or combined. Nothing is
;;;; interned, and the caller's text is not evaluated.

(in-package #:lisp-harbor.swank)

(defun known-symbol (name)
  (multiple-value-bind (symbol status) (swank::parse-symbol name swank::*buffer-package*)
    (values (and status symbol) status)))

(defun names-of (name)
  "Returns the symbol called NAME: its printed form, its home package, its accessibility, and its definitions
as a property list of kinds and documentation. NIL if there is none."
  (multiple-value-bind (symbol status) (known-symbol name)
    (when status
      (list (swank::to-string symbol)
            (let ((home (symbol-package symbol))) (if home (package-name home) ""))
            status
            (swank/backend:describe-symbol-for-emacs symbol)
            (swank::with-buffer-syntax () (swank::describe-to-string symbol))))))

(defun disassembly (name)
  (with-output-to-string (*standard-output*)
    (disassemble (known-symbol name))))

(defun apropos-page (text external package limit)
  "Returns the number of symbols with TEXT in their names that have definitions, and the first of them as
property lists."
  (loop with total = 0
        for symbol in (matching-symbols text external (and package (find-package package)))
        for facts = (briefly-describe symbol)
        when facts
          do (incf total)
          and when (<= total limit)
                collect facts into page
        finally (return (cons total page))))

(defun line-of (file position)
  "Returns the line, counted from 1, of character POSITION of FILE, or NIL if it is unknown."
  (ignore-errors
   (with-open-file (stream file)
     (loop with line = 1
           repeat (1- position)
           for char = (read-char stream nil)
           while char
           when (char= char #\Newline) do (incf line)
           finally (return line)))))
