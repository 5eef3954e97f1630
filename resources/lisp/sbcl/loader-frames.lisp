;;;; Detection of frames of functions that load files and systems: those of ASDF, SBCL's loader and the
;;;; agent. Dozens of them lie between the code of a file and the call that loads it, and none is
;;;; useful to the user.

(in-package :lisp-harbor-agent)

(defparameter +loader-names+ '("CALL-WITH-LOADER-PACKAGE-NAMES" "%WITH-COMPILATION-UNIT" "WITH-IT")
  "Names of SBCL's functions around a load that are outside the package of its loader. Not every version has
them.")

(defun loader-package-p (package)
  (let ((name (package-name package)))
    (or (member name '("SB-FASL" "LISP-HARBOR" "LISP-HARBOR-AGENT") :test #'string=)
        (and (string/= name "ASDF/USER")
             (some (lambda (prefix) (uiop:string-prefix-p prefix name)) '("ASDF/" "UIOP/"))))))

(defun loader-symbol-p (symbol)
  (let ((package (symbol-package symbol)))
    (or (member (symbol-name symbol) +loader-names+ :test #'string=)
        (and package (loader-package-p package)))))

(defun standard-symbol-p (symbol)
  (member (symbol-package symbol) (mapcar #'find-package '("COMMON-LISP" "KEYWORD" "SB-PCL"))))

(defun atoms-of (tree)
  (if (consp tree)
      (append (atoms-of (car tree)) (atoms-of (cdr tree)))
      (and tree (list tree))))

(defun entry-point-p (name)
  "Reports whether NAME names a function of the agent that evaluated code calls."
  (and (symbolp name) (eq (symbol-package name) (find-package "LISP-HARBOR"))))

(defun loading-name-p (name)
  "Reports whether NAME names a function that loads: every symbol in it belongs to a loader or to the standard.
A user's method of such a function does not count, because its name contains a class of another package or
an object."
  (let ((atoms (atoms-of name)))
    (and (every #'symbolp atoms)
         (some #'loader-symbol-p atoms)
         (every (lambda (part) (or (loader-symbol-p part) (standard-symbol-p part))) atoms)
         (not (entry-point-p name)))))
