;;;; What definitions a load or a form makes. SBCL interns every symbol that it reads from a source or
;;;; compiled file: the definitions of a symbol at that time are compared with those at the end.

(in-package :lisp-harbor-agent)

(defstruct watch
  (outer nil)                           ; the watch of the load in which this load runs
  (form nil)                            ; true if it is of a form that an evaluation reads
  (marks (make-hash-table :test #'eq))  ; maps each symbol to its MARKS-OF from when it was first read
  (packages (packages-with-marks))
  (nested '()))                         ; the FILE-DEFINITIONs of loads inside of this one

(defvar *watch* nil "The watch of the load, compilation or form that runs in this thread.")

(defun outer-watch ()
  "Returns the watch that a load adds to. What files define does not count for a form that loads them."
  (and *watch* (not (watch-form *watch*)) *watch*))

(defun user-symbol-p (symbol)
  (let ((package (symbol-package symbol)))
    (and package (not (package-of-image-p package)))))

(defun watch-symbol (symbol)
  (when (and *watch* (symbolp symbol) (user-symbol-p symbol))
    (loop with inner = *watch*
          with *watch* = nil
          with marks = :unknown
          for watch = inner then (watch-outer watch)
          while watch
          unless (nth-value 1 (gethash symbol (watch-marks watch)))
            do (when (eq marks :unknown) (setf marks (marks-of symbol)))
               (setf (gethash symbol (watch-marks watch)) marks))))

(defun intern-watched (intern &rest arguments)
  (multiple-value-bind (symbol status) (apply intern arguments)
    (watch-symbol symbol)
    (values symbol status)))

(sb-int:encapsulate 'sb-impl::%intern 'lisp-harbor #'intern-watched)

;;; What was made.

(defun made-since (before after)
  "Returns the elements of AFTER, lists as of MARKS-OF, that are not in BEFORE with the same mark."
  (remove-if (lambda (one)
               (find-if (lambda (other) (and (eq (third one) (third other)) (equal one other))) before))
             after))

(defun definitions-made (watch)
  "Returns the definitions made since WATCH began, without those of loads inside of it."
  (let ((made (make-hash-table :test #'equal)))
    (flet ((add (found)
             (destructuring-bind (kind name mark) found
               (unless (find-if (lambda (definition)
                                  (and (eq (defined-mark definition) mark) (eq (defined-kind definition) kind)
                                       (equal (defined-name definition) name)))
                                (watch-nested watch))
                 (setf (gethash (list kind name) made) (marked-definition name kind mark))))))
      (loop for symbol being the hash-keys of (watch-marks watch) using (hash-value before)
            do (mapc #'add (made-since before (marks-of symbol))))
      (mapc #'add (made-since (watch-packages watch) (packages-with-marks))))
    (loop for definition being the hash-values of made collect definition)))

;;; What a form made.

(defun plain-symbol-text (name)
  "Returns the text of NAME, a symbol or (SETF symbol), which does not depend on the printer and the package."
  (if (consp name)
      (concatenate 'string "(SETF " (plain-symbol-text (second name)) ")")
      (concatenate 'string
                   (if (symbol-package name) (package-name (symbol-package name)) "")
                   "::" (symbol-name name))))

(defun plain-definition-text (kind name)
  (apply #'concatenate 'string (kind-text kind) " "
         (case kind
           (:package (list (package-name name)))
           (:method (cons (plain-symbol-text (generic-function-name (method-generic-function name)))
                          (loop for specializer in (method-specializers name)
                                collect " "
                                collect (if (typep specializer 'class)
                                            (plain-symbol-text (class-name specializer))
                                            "EQL"))))
           (t (list (plain-symbol-text name))))))

(defun removed-texts (watch)
  "Returns the texts of the definitions, methods excepted, that there were when WATCH began and are no more."
  (loop for symbol being the hash-keys of (watch-marks watch) using (hash-value before)
        for now = (and before (marks-of symbol))
        append (loop for (kind name) in before
                     unless (or (eq kind :method)
                                (find-if (lambda (one) (and (eq (first one) kind) (equal (second one) name))) now))
                       collect (concatenate 'string "no " (plain-definition-text kind name)))))

(defconstant +named-made+ 50 "Maximum number of definitions of one form that are named.")

(defun texts-made (watch text)
  "TEXT is that of the form, or NIL."
  (let* ((*watch* nil)
         (definitions (definitions-made watch))
         (texts (append (loop for definition in definitions
                              unless (defined-part definition)
                                collect (plain-definition-text (defined-kind definition) (defined-name definition)))
                        (removed-texts watch))))
    (when texts (setf *definitions-changed* t))
    (when text (note-expanders watch definitions (constantly text)))
    (up-to +named-made+ texts)))

(define-implementation call-watched (function)
  (let* ((watch (make-watch :form t))
         (*watch* watch))
    (funcall function (lambda (&optional text) (texts-made watch text)))))
