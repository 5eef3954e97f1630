;;;; What the image knows of names, as far as Swank's own answers need to be bounded or put together.
;;;; Nothing is interned and nothing of what is asked is evaluated.

(in-package #:lisp-harbor.swank)

(defun known-symbol (name)
  (multiple-value-bind (symbol status) (swank::parse-symbol name swank::*buffer-package*)
    (values (and status symbol) status)))

(defun names-of (name)
  "The symbol called NAME: as it is printed, its home package, how it is seen, and what it stands for as a property list
of kinds and documentation. NIL when there is none."
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
  "How many symbols with TEXT in their names stand for something, and the first of them as property lists."
  (loop with total = 0
        for symbol in (sort (remove-duplicates
                             (swank::apropos-symbols text external nil (and package (find-package package))))
                            #'swank::present-symbol-before-p)
        for facts = (swank::briefly-describe-symbol-for-emacs symbol)
        when facts
          do (incf total)
          and when (<= total limit)
                collect facts into page
        finally (return (cons total page))))

(defun line-of (file position)
  "The line, counted from 1, at which the character POSITION of FILE stands; NIL when that cannot be told."
  (ignore-errors
   (with-open-file (stream file)
     (loop with line = 1
           repeat (1- position)
           for char = (read-char stream nil)
           while char
           when (char= char #\Newline) do (incf line)
           finally (return line)))))
