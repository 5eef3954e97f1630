;;;; The state of the reader with which a form was read, as far as it differs from the standard and matters
;;;; for the form's text. The history keeps it, so that the form can be read again as the same form.

(in-package :lisp-harbor-agent)

(defvar *features-of-image* (copy-list *features*) "The features when the core is built.")

;;; Characters of a text that are read in their own way.

(defun reader-name (function)
  "Returns the name of a reader macro's FUNCTION, or an empty string."
  (let ((name (cond ((symbolp function) function)
                    ((functionp function) (ignore-errors (sb-kernel:%fun-name function))))))
    (if (and name (symbolp name)) (plain-symbol-text name) "")))

(defun plain-alike-p (char)
  "Reports whether CHAR, no macro character, has its standard role: whitespace, an escape, a package marker or a
constituent."
  (if (find char "|\\:")
      (ignore-errors (standard-text-p))
      (eq (not (sb-impl:whitespace[2]p char *readtable*)) (not (sb-impl:whitespace[2]p char *standard-readtable*)))))

(defun dispatching-p (readtable)
  "Reports whether # is a dispatching macro character. Each readtable has a function of its own for it."
  (and (ignore-errors (get-dispatch-macro-character #\# #\' readtable)) t))

(defun own-character (char)
  "Returns CHAR and the name of its reader, as a list, if the current readtable reads it in its own way."
  (multiple-value-bind (reader non-terminating) (get-macro-character char)
    (multiple-value-bind (standard standard-non-terminating) (get-macro-character char *standard-readtable*)
      (unless (and (or (eq reader standard) (and (char= char #\#) (dispatching-p *readtable*)))
                   (eq non-terminating standard-non-terminating)
                   (or reader (plain-alike-p char)))
        (list (string char) (reader-name reader))))))

(defun own-dispatch (char)
  (flet ((reader (readtable) (ignore-errors (get-dispatch-macro-character #\# char readtable))))
    (unless (eq (reader *readtable*) (reader *standard-readtable*))
      (list (coerce (list #\# char) 'string) (reader-name (reader *readtable*))))))

(defun own-syntax-in (text)
  "Returns the characters and dispatches in TEXT that the current readtable reads in its own way, each as a list
of its text and the name of its reader."
  (let ((found '()))
    (flet ((add (own) (when own (pushnew own found :test #'equal))))
      (loop for char across (remove-duplicates text)
            unless (alphanumericp char) do (add (own-character char)))
      (loop for start = (position #\# text) then (position #\# text :start (1+ start))
            while start
            do (let ((char (char-at text (position-if-not #'digit-char-p text :start (1+ start)))))
                 (when char (add (own-dispatch (char-upcase char)))))))
    (sort found #'string< :key #'first)))

(defun readtable-named ()
  "Returns the package and the name of the current readtable in the library named-readtables, or NIL."
  (let* ((package (find-package "EDITOR-HINTS.NAMED-READTABLES"))
         (namer (and package (find-symbol "READTABLE-NAME" package)))
         (name (and namer (fboundp namer) (ignore-errors (funcall namer *readtable*)))))
    (and name (symbolp name) (symbol-package name)
         (not (member (symbol-name name) '("STANDARD" "CURRENT") :test #'string=))
         (list (package-name (symbol-package name)) (symbol-name name)))))

;;; The state as data.

(defun nicknames-here ()
  (loop for (nickname . package) in (sb-ext:package-local-nicknames *package*)
        collect (list nickname (package-name package))))

(defun feature-changes (text)
  "Returns the names of the features added to and removed from those of the core, if TEXT depends on features."
  (when (or (search "#+" text) (search "#-" text))
    (flet ((names (features others)
             (mapcar #'symbol-name (remove-if-not #'symbolp (set-difference features others)))))
      (list (names *features* *features-of-image*) (names *features-of-image* *features*)))))

(define-implementation reader-state (text)
  (destructuring-bind (&optional added removed) (feature-changes text)
    (optional-members
     "package" (package-name *package*)
     "base" (and (/= *read-base* 10) *read-base*)
     "floats" (and (not (eq *read-default-float-format* 'single-float))
                   (string-downcase (symbol-name *read-default-float-format*)))
     "case" (and (not (eq (readtable-case *readtable*) :upcase))
                 (string-downcase (symbol-name (readtable-case *readtable*))))
     "readtable" (readtable-named)
     "syntax" (own-syntax-in text)
     "nicknames" (nicknames-here)
     "added" added
     "removed" removed)))
