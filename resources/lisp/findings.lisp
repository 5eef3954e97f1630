;;;; ABOUTME: The queries that find: where a name is defined, who uses it, and what the evaluations of this image defined.
;;;; ABOUTME: A finding has a text and a place; of long lists the rest is counted.

(in-package :lisp-harbor-agent)

(defun findings (all limit)
  "The first LIMIT of ALL, JSON objects, with the count of all of them."
  (object "results" (up-to limit all)
          "total" (length all)))

(defmacro with-findings ((limit arguments) &body body)
  "Answers what BODY finds, a list of JSON objects, as far as the caller's limit allows."
  `(with-printing-time
     (let ((*file-texts* '())
           (,limit (or (member-of ,arguments "limit") 50)))
       (findings (progn ,@body) ,limit))))

;;; Definitions.

(defun method-findings (name)
  (mapcar (lambda (method)
            (optional-members "kind" "method"
                              "text" (method-text method)
                              "source" (ignore-errors (method-location method))))
          (sb-mop:generic-function-methods (fdefinition name))))

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
  (with-findings (limit arguments)
    (find-definitions (member-of arguments "query"))))

;;; Uses.

(defun user-name-of (name)
  "NAME of a function as people write it: SBCL has names of its own for methods and for code of no function."
  (cond ((atom name) name)
        ((member (first name) '(sb-pcl::fast-method sb-pcl::slow-method)) `(method ,@(rest name)))
        ((eq (first name) 'sb-c::top-level-form) '(top-level form))
        (t name)))

(defun use-finding (how entry)
  "A finding from ENTRY of SB-INTROSPECT: a name and a source. HOW says what is done there."
  (destructuring-bind (name . source) entry
    (optional-members "kind" how
                      "text" (source-text-of (user-name-of name))
                      "source" (location source))))

(defun specializing-finding (entry)
  "A finding from an entry of WHO-SPECIALIZES: its source describes the method's specializers."
  (destructuring-bind ((method name) . source) entry
    (optional-members "kind" "specializes"
                      "text" (source-text-of (list method name (sb-introspect::definition-source-description source)))
                      "source" (location source name))))

(defun uses-of (name functions)
  "What FUNCTIONS, an alist from a word to a function of SB-INTROSPECT, find about NAME; each place once."
  (remove-duplicates
   (loop for (how . function) in functions
         append (mapcar (lambda (entry) (use-finding how entry))
                        (ignore-errors (funcall function name))))
   :test #'equalp :from-end t))

(defparameter +calls+
  '(("calls" . sb-introspect:who-calls) ("macroexpands" . sb-introspect:who-macroexpands)))

(defparameter +uses-of-variables+
  '(("references" . sb-introspect:who-references) ("binds" . sb-introspect:who-binds) ("sets" . sb-introspect:who-sets)))

(define-query "callers" (arguments)
  "Arguments: query, limit. Answers who calls the function, or expands the macro, of that name."
  (with-findings (limit arguments)
    (uses-of (named (member-of arguments "query")) +calls+)))

(define-query "references" (arguments)
  "Arguments: query, limit. Answers all uses of that name: calls, expansions, references, bindings, methods on it."
  (with-findings (limit arguments)
    (let ((name (named (member-of arguments "query"))))
      (append (uses-of name +calls+)
              (and (symbolp name) (uses-of name +uses-of-variables+))
              (and (symbolp name) (find-class name nil)
                   (mapcar #'specializing-finding (sb-introspect:who-specializes-directly name)))))))

;;; What was defined by evaluations and is in no file.

(defvar *packages-of-image* (remove (find-package +cl-user+) (list-all-packages))
  "Packages that are here when the core is built; what is defined in them is not the user's.")

(defun user-symbols ()
  (let ((symbols '()))
    (dolist (package (list-all-packages) symbols)
      (unless (member package *packages-of-image*)
        (do-symbols (symbol package)
          (when (eq (symbol-package symbol) package) (push symbol symbols)))))))

(defun evaluated-finding (kind text source more)
  "A finding of a definition that only an evaluation holds, or NIL when SOURCE is a file or unknown."
  (when (and source
             (null (sb-introspect:definition-source-pathname source))
             (evaluation-in source))
    (apply #'optional-members "kind" kind "text" text "source" (location source) more)))

(defun value-member (symbol kind)
  (and (member kind '(:variable :constant)) (boundp symbol) (preview (symbol-value symbol))))

(defun made-by-defstruct-p (name)
  "Whether the function NAME is there because a structure was defined: an accessor, a constructor or the like."
  (let ((transform (sb-int:info :function :source-transform name)))
    (and (consp transform) (typep (car transform) 'sb-kernel:defstruct-description))))

(defun evaluated-definition (name kind)
  (unless (and (eq kind :function) (made-by-defstruct-p name))
    (evaluated-finding (kind-text kind) (source-text-of name)
                       (first (definition-sources name kind))
                       (list "arglist" (arglist-text name kind) "value" (value-member name kind)))))

(defun evaluated-method (method)
  "A finding of METHOD when an evaluation defined it. Accessors belong to their class, not to this list."
  (unless (typep method 'sb-mop:standard-accessor-method)
    (evaluated-finding "method" (method-text method)
                       (ignore-errors (sb-introspect:find-definition-source method)) '())))

(defun evaluated-definitions (symbols)
  (loop for symbol in symbols
        append (loop for (kind . name) in (definition-kinds symbol)
                     for finding = (evaluated-definition name kind)
                     when finding collect finding)))

(defun evaluated-methods-of (symbols)
  "Methods of generic functions named by SYMBOLS, and methods of any function on classes named by them."
  (let ((methods '()))
    (flet ((add (method)
             (pushnew method methods)))
      (dolist (symbol symbols)
        (when (find-class symbol nil)
          (mapc #'add (sb-mop:specializer-direct-methods (find-class symbol))))
        (loop for (kind . name) in (definition-kinds symbol)
              when (eq kind :generic-function)
                do (mapc #'add (sb-mop:generic-function-methods (fdefinition name))))))
    methods))

(defun evaluation-of-finding (finding)
  (member-of (member-of finding "source") "evaluation"))

(defun all-evaluated (symbols)
  (append (evaluated-definitions symbols)
          (remove nil (mapcar #'evaluated-method (evaluated-methods-of symbols)))))

(defun wanted-p (finding text kinds)
  (and (search text (member-of finding "text") :test #'char-equal)
       (or (null kinds) (member (member-of finding "kind") kinds :test #'string=))))

(define-query "unsaved" (arguments)
  "Arguments: query, kinds?, limit. Answers the definitions with QUERY in their names whose newest source is an
evaluation of this image and no file, oldest first."
  (with-findings (limit arguments)
    (let ((text (member-of arguments "query"))
          (kinds (member-of arguments "kinds")))
      (stable-sort (remove-if-not (lambda (finding) (wanted-p finding text kinds))
                                  (all-evaluated (user-symbols)))
                   #'< :key #'evaluation-of-finding))))
