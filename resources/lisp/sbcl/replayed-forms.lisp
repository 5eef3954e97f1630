;;;; Which top-level forms are evaluated again when an image is rebuilt: what defines, and what definitions need.
;;;; Everything else is left out: to send a message or to count up a second time could do harm.

(in-package :lisp-harbor-agent)

(defparameter +replayed-operators+
  '(in-package make-package rename-package use-package unuse-package shadow shadowing-import import export unexport
    declaim proclaim require load
    set-macro-character set-dispatch-macro-character make-dispatch-macro-character set-syntax-from-char
    lisp-harbor:load-system lisp-harbor:load-system-anew lisp-harbor:load-file)
  "Operators that define, or make definitions readable, beside all macros whose name begins with DEF.")

(defparameter +replayed-library-operators+
  '(("ASDF" "LOAD-SYSTEM" "LOAD-SYSTEMS" "LOAD-ASD" "OPERATE" "OOS" "REQUIRE-SYSTEM" "INITIALIZE-SOURCE-REGISTRY")
    ("QUICKLISP-CLIENT" "QUICKLOAD")
    ("NAMED-READTABLES" "IN-READTABLE")
    ("FIVEAM" "TEST" "IN-SUITE" "IN-SUITE*"))
  "The same of libraries that an image may hold, by a package that exports each.")

(defparameter +replayed-places+
  '(*readtable* *features*
    documentation symbol-function fdefinition macro-function compiler-macro-function find-class logical-pathname-translations)
  "Places that are as good as definitions, beside the printer variables and ASDF's registry.")

(defparameter +wrappers+
  '((progn . 0) (locally . 0) (eval-when . 1) (let . 1) (let* . 1) (flet . 1) (labels . 1) (macrolet . 1)
    (symbol-macrolet . 1))
  "Operators that definitions are wrapped in, with the number of arguments before the body.")

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
  "What FORM assigns to, when it is a SETF, PUSH or the like; NIL otherwise."
  (case (first form)
    ((setf setq) (loop for (place) on (rest form) by #'cddr collect place))
    ((push pushnew) (list (third form)))
    ((incf decf pop remf) (list (second form)))))

(defun declaration-p (form)
  (and (consp form) (eq (first form) 'declare)))

(defun body-in-wrapper (form)
  "The body of FORM, when it is a wrapper of definitions; NIL otherwise."
  (let ((wrapper (assoc (first form) +wrappers+)))
    (and wrapper (remove-if #'declaration-p (nthcdr (1+ (cdr wrapper)) form)))))

(defun replayed-p (form)
  "Whether FORM is evaluated again."
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
  "Whether leaving FORM out loses nothing, which needs no saying: it is a variable or stands for itself."
  (or (atom form) (member (first form) '(quote function))))
