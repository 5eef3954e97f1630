;;;; Selection of the top-level forms that are replayed when an image is rebuilt: those that made
;;;; definitions, as the image recorded it, and those that definitions need. Other forms are skipped, because
;;;; their side effects, such as sending a message, must not be repeated.

(in-package :lisp-harbor-agent)

(defparameter +replayed-operators+
  '(in-package make-package rename-package use-package unuse-package shadow shadowing-import import export unexport
    declaim proclaim require load
    set-macro-character set-dispatch-macro-character make-dispatch-macro-character set-syntax-from-char
    lisp-harbor:load-system lisp-harbor:load-system-anew lisp-harbor:load-system-from-sources lisp-harbor:load-file)
  "Operators that define, or that are needed to read definitions, in addition to all macros whose name begins
with DEF.")

(defparameter +replayed-library-operators+
  '(("SB-EXT" "ADD-PACKAGE-LOCAL-NICKNAME" "REMOVE-PACKAGE-LOCAL-NICKNAME" "ADD-IMPLEMENTATION-PACKAGE" "LOCK-PACKAGE"
     "UNLOCK-PACKAGE")
    ("ASDF" "LOAD-SYSTEM" "LOAD-SYSTEMS" "LOAD-ASD" "OPERATE" "OOS" "REQUIRE-SYSTEM" "INITIALIZE-SOURCE-REGISTRY")
    ("QUICKLISP-CLIENT" "QUICKLOAD")
    ("NAMED-READTABLES" "IN-READTABLE")
    ("FIVEAM" "TEST" "IN-SUITE" "IN-SUITE*"))
  "Such operators of libraries, by a package that exports them.")

(defparameter +replayed-places+
  '(*readtable* readtable-case *features* *read-base* *read-default-float-format*
    documentation symbol-function fdefinition macro-function compiler-macro-function find-class logical-pathname-translations)
  "Places whose assignment counts as a definition, in addition to printer variables and ASDF's registry.")

(defparameter +wrappers+
  '((progn . 0) (locally . 0) (eval-when . 1) (let . 1) (let* . 1) (flet . 1) (labels . 1) (macrolet . 1)
    (symbol-macrolet . 1))
  "Operators that wrap definitions, with the number of arguments before the body.")

(defun library-operator-p (operator)
  (loop for (package . names) in +replayed-library-operators+
        thereis (and (member (symbol-name operator) names :test #'string=)
                     (find-package package)
                     (eq operator (find-symbol (symbol-name operator) package)))))

(defun defining-macro-p (operator)
  (and (macro-function operator) (eql 0 (search "DEF" (symbol-name operator)))))

(defun replayed-place-p (place)
  (let ((name (if (consp place) (first place) place)))
    (and (symbolp name)
         (or (member name +replayed-places+)
             (member name +printer-variables+)
             (string= name "*CENTRAL-REGISTRY*")))))

(defun assigned-places (form)
  "Returns the places that FORM assigns to if it is a SETF, PUSH or similar, otherwise NIL."
  (case (first form)
    ((setf setq) (loop for (place) on (rest form) by #'cddr collect place))
    ((push pushnew) (list (third form)))
    ((incf decf pop remf) (list (second form)))))

(defun declaration-p (form)
  (and (consp form) (eq (first form) 'declare)))

(defun body-in-wrapper (form)
  "Returns the body of FORM if it wraps definitions, otherwise NIL."
  (let ((wrapper (assoc (first form) +wrappers+)))
    (and wrapper (remove-if #'declaration-p (nthcdr (1+ (cdr wrapper)) form)))))

(defun replayed-p (form)
  "Reports whether FORM is replayed."
  (and (consp form) (symbolp (first form)) (null (cdr (last form)))
       (let ((operator (first form))
             (places (assigned-places form))
             (body (body-in-wrapper form)))
         (or (member operator +replayed-operators+)
             (defining-macro-p operator)
             (library-operator-p operator)
             (and places (every #'replayed-place-p places))
             (and body (every #'replayed-p body))))))

(defun without-effect-p (form)
  "Reports whether skipping FORM has no effect and needs no note: it is a variable or self-evaluating."
  (or (atom form) (member (first form) '(quote function))))
