;;;; Findings: results of the queries that search. Each has a text and a source location. Long lists
;;;; are cut, with the total count. This file also defines the query `definitions`, which finds where a
;;;; name is defined.

(in-package :lisp-harbor-agent)

(defvar *packages-of-image*
  (let ((packages (make-hash-table :test #'eq)))
    (dolist (package (remove (find-package +cl-user+) (list-all-packages)) packages)
      (setf (gethash package packages) t)))
  "Packages that exist when the agent is loaded, as keys. Definitions in them are not the user's.")

(defun package-of-image-p (package)
  (values (gethash package *packages-of-image*)))

(defconstant +usual-findings+ 50 "Default maximum number of findings.")

(defun findings (all limit data)
  "Returns the first LIMIT elements of ALL, converted to JSON objects by DATA, and the total count."
  (object "results" (mapcar data (up-to limit all))
          "total" (length all)))

(defmacro with-findings ((arguments &key (data '#'identity)) &body body)
  "Answers with the list that BODY returns, up to the limit in ARGUMENTS. DATA converts only those elements to
JSON objects."
  `(with-printing-time
     (let ((*file-texts* '()))
       (findings (progn ,@body) (or (member-of ,arguments "limit") +usual-findings+) ,data))))

;;; Definitions.

(defun method-findings (name)
  (mapcar (lambda (method)
            (optional-members "kind" "method"
                              "text" (method-text method)
                              "source" (ignore-errors (method-location method))))
          (generic-function-methods (fdefinition name))))

(defun definition-finding (name kind)
  (optional-members "kind" (kind-text kind)
                    "text" (source-text-of name)
                    "source" (definition-location name kind)))

(defun definition-findings (symbol)
  (loop for (kind . name) in (definition-kinds symbol)
        collect (definition-finding name kind)
        when (eq kind :generic-function)
          append (method-findings name)))

(defun package-finding (package)
  (optional-members "kind" "package"
                    "text" (package-name package)
                    "source" (definition-location (package-name package) :package)))

(defun find-definitions (text)
  (let* ((package (package-named-as text))
         (name (handler-case (named text)
                 (query-refused (refusal) (if package nil (error refusal)))))
         (found (append (and name (definition-findings (symbol-in name)))
                        (and package (list (package-finding package))))))
    (or found
        (refuse "unknown_symbol" "The symbol ~A exists but stands for nothing that could have been defined." text))))

(define-query "definitions" (arguments)
  "Arguments: query, limit. Returns all source locations at which that name is defined."
  (with-findings (arguments)
    (find-definitions (member-of arguments "query"))))

;;; Packages in which a name is a different symbol.

(defun stranger-p (symbol package-name)
  "Reports whether PACKAGE-NAME is a package in which the name of SYMBOL is a different symbol or no symbol."
  (let ((package (find-package package-name)))
    (and package
         (not (eq symbol (find-symbol (symbol-name symbol) package))))))

(define-query "strangers" (arguments)
  "Arguments: symbol, packages. Returns the existing packages of PACKAGES in which that name is a different
symbol or no symbol."
  (let ((symbol (symbol-in (named (member-of arguments "symbol")))))
    (remove-if-not (lambda (package) (stranger-p symbol package)) (member-of arguments "packages"))))
