;;;; The session's current package: how it is found, what it is called, and how it is mended when user code has deleted
;;;; it. While *PACKAGE* is a deleted package even FIND-PACKAGE fails, so another one is made current first.

(in-package :lisp-harbor-agent)

(define-condition unknown-package (package-error)
  ((wanted :initarg :wanted :reader wanted-package))
  (:report (lambda (condition stream)
             (format stream "No package is named ~S. The evaluation was asked to run in it: define it first."
                     (wanted-package condition)))))

(defun package-named (name)
  "The package NAME, also when it is written in lower case. Signals UNKNOWN-PACKAGE."
  (or (find-package name)
      (find-package (string-upcase name))
      (error 'unknown-package :package name :wanted name)))

(defun ensure-package (name)
  "The package NAME; a new one uses COMMON-LISP only."
  (or (find-package name) (make-package name :use '("COMMON-LISP"))))

(defparameter +cl-user+ "COMMON-LISP-USER"
  "A variable, because SBCL remembers what FIND-PACKAGE answers to a literal name, even when that is deleted.")

(defun cl-user-package ()
  "CL-USER, made again when user code has deleted it."
  (or (find-package +cl-user+)
      (make-package +cl-user+ :nicknames '("CL-USER") :use '("COMMON-LISP"))))

(defun usable-package ()
  "The session's package; CL-USER when user code has deleted it."
  (unless (package-name *package*)
    (setf *package* (symbol-package 'package-name)
          *package* (cl-user-package)))
  *package*)

(defun short-package-name (package)
  "The shortest name of PACKAGE, as a prompt shows it: CL-USER, not COMMON-LISP-USER."
  (first (stable-sort (cons (package-name package) (copy-list (package-nicknames package))) #'< :key #'length)))

(defun name-text (name)
  "A type's or restart's NAME as code in CL-USER would write it."
  (usable-package)
  ;; Not WITH-STANDARD-IO-SYNTAX: it holds on to the first CL-USER, even when that one is deleted.
  (let ((*package* (cl-user-package))
        (*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-escape* t) (*print-readably* nil)
        (*print-pretty* nil) (*print-circle* nil) (*print-length* 10) (*print-level* 4))
    (call-printing-anew (lambda () (prin1-to-string name)))))
