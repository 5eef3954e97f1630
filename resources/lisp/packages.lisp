;;;; The session's current package: how it is found and named, and how it is repaired after user code
;;;; has deleted it. While *PACKAGE* is a deleted package even FIND-PACKAGE fails, so another package
;;;; is made current first.

(in-package :lisp-harbor-agent)

(define-condition unknown-package (package-error)
  ((wanted :initarg :wanted :reader wanted-package))
  (:report (lambda (condition stream)
             (format stream "No package is named ~S. The evaluation was asked to run in it: define it first."
                     (wanted-package condition)))))

(defun package-named (name)
  "Returns the package NAME, which may be written in lower case. Signals UNKNOWN-PACKAGE."
  (or (find-package name)
      (find-package (string-upcase name))
      (error 'unknown-package :package name :wanted name)))

(defun ensure-package (name)
  "Returns the package NAME, and creates it if needed. A new package uses only COMMON-LISP."
  (or (find-package name) (make-package name :use '("COMMON-LISP"))))

(defparameter +cl-user+ "COMMON-LISP-USER"
  "A variable, because SBCL caches the result of FIND-PACKAGE for a literal name, even after the package is
deleted.")

(defun cl-user-package ()
  "Returns CL-USER, and creates it again if user code has deleted it."
  (or (find-package +cl-user+)
      (make-package +cl-user+ :nicknames '("CL-USER") :use '("COMMON-LISP"))))

(defun usable-package ()
  "Returns the session's package, or CL-USER if user code has deleted it."
  (unless (package-name *package*)
    (setf *package* (symbol-package 'package-name)
          *package* (cl-user-package)))
  *package*)

(defun short-package-name (package)
  "Returns the shortest name of PACKAGE, as a prompt shows it: CL-USER, not COMMON-LISP-USER."
  (first (stable-sort (cons (package-name package) (copy-list (package-nicknames package))) #'< :key #'length)))

(defvar *standard-readtable* (copy-readtable nil) "The standard readtable, which user code cannot change.")

(defun name-text (name)
  "Returns NAME, the name of a type or restart, as code in CL-USER would write it with the standard readtable."
  (usable-package)
  ;; WITH-STANDARD-IO-SYNTAX is not usable here: it keeps a reference to the first CL-USER, even
  ;; after that is deleted.
  (let ((*package* (cl-user-package))
        (*readtable* *standard-readtable*)
        (*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-escape* t) (*print-readably* nil)
        (*print-pretty* nil) (*print-circle* nil) (*print-length* 10) (*print-level* 4))
    (call-printing-anew (lambda () (prin1-to-string name)))))
