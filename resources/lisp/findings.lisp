;;;; Findings: what the queries answer that look for something. Each has a text and a place; of long lists the rest is
;;;; only counted. The query `definitions`, which finds where a name is defined, is here as well.

(in-package :lisp-harbor-agent)

(defconstant +usual-findings+ 50 "How many findings there are when the caller sets no limit.")

(defun findings (all limit data)
  "The first LIMIT of ALL as DATA makes them JSON objects, with the count of all."
  (object "results" (mapcar data (up-to limit all))
          "total" (length all)))

(defmacro with-findings ((arguments &key (data '#'identity)) &body body)
  "Answers what BODY finds, a list, as far as the limit in ARGUMENTS allows; only those are made JSON objects by DATA."
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
  "Arguments: query, limit. Answers all places where that name is defined."
  (with-findings (arguments)
    (find-definitions (member-of arguments "query"))))

;;; Whose name it is.

(defun stranger-p (symbol package-name)
  "Whether PACKAGE-NAME is a package in which the name of SYMBOL is another symbol, or none."
  (let ((package (find-package package-name)))
    (and package
         (not (eq symbol (find-symbol (symbol-name symbol) package))))))

(define-query "strangers" (arguments)
  "Arguments: symbol, packages. Answers those of PACKAGES that there are and that know another symbol by that name, or none."
  (let ((symbol (symbol-in (named (member-of arguments "symbol")))))
    (remove-if-not (lambda (package) (stranger-p symbol package)) (member-of arguments "packages"))))
