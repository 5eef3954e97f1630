;;;; Which frames belong to functions that load files and systems: ASDF's, SBCL's loader's and our own. Dozens of them
;;;; stand between what a file does and the call that loads it, and they say nothing about either.

(in-package :lisp-harbor-agent)

(defparameter +loader-names+ '("CALL-WITH-LOADER-PACKAGE-NAMES" "%WITH-COMPILATION-UNIT" "WITH-IT")
  "Names of SBCL's functions around a load that are not in the package of its loader; not every version has them.")

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
  "Whether NAME is that of a function of ours that evaluated code calls."
  (and (symbolp name) (eq (symbol-package name) (find-package "LISP-HARBOR"))))

(defun loading-name-p (name)
  "Whether NAME is that of a function which loads: every symbol in it is a loader's own, or standard. A method that
somebody else defined for one of these functions is none, for its name has a class of another package or an object."
  (let ((atoms (atoms-of name)))
    (and (every #'symbolp atoms)
         (some #'loader-symbol-p atoms)
         (every (lambda (part) (or (loader-symbol-p part) (standard-symbol-p part))) atoms)
         (not (entry-point-p name)))))
