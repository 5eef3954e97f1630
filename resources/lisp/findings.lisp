;;;; ABOUTME: The queries that find: where a name is defined, who uses it, and what the evaluations of this image defined.
;;;; ABOUTME: A finding has a text and a place; of long lists the rest is counted.

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
  (with-findings (arguments)
    (find-definitions (member-of arguments "query"))))

;;; Uses.

(defun user-name-of (name)
  "NAME of a function as people write it: SBCL has names of its own for methods and for code of no function."
  (cond ((atom name) name)
        ((member (first name) '(sb-pcl::fast-method sb-pcl::slow-method)) `(method ,@(rest name)))
        ((eq (first name) 'sb-c::top-level-form) '(top-level form))
        (t name)))

(defstruct (use (:constructor make-use (how name source)))
  "What is done to a name somewhere: HOW is a word, NAME that of the function which does it."
  how
  name
  source)

(defun use-data (use)
  (optional-members "kind" (use-how use)
                    "text" (source-text-of (user-name-of (use-name use)))
                    "source" (location (use-source use))))

(defun place-of (use)
  "What two findings of one place have in common, for EQUAL."
  (let ((source (use-source use)))
    (list (use-how use) (use-name use)
          (sb-introspect:definition-source-pathname source)
          (sb-introspect:definition-source-form-path source)
          (sb-introspect:definition-source-form-number source)
          (sb-introspect:definition-source-plist source))))

(defun uses-of (name functions)
  "What FUNCTIONS, an alist from a word to a function of SB-INTROSPECT, find about NAME; each place once."
  (let ((seen (make-hash-table :test 'equal)))
    (loop for (how . function) in functions
          append (loop for (user . source) in (ignore-errors (funcall function name))
                       for use = (make-use how user source)
                       for place = (place-of use)
                       unless (gethash place seen)
                         collect use and do (setf (gethash place seen) t)))))

(defun methods-on (name)
  "Uses of the class NAME, if there is one, as a specializer; the source of each describes the specializers."
  (loop for ((method function) . source) in (and (find-class name nil)
                                                 (sb-introspect:who-specializes-directly name))
        collect (make-use "specializes"
                          (list method function (sb-introspect::definition-source-description source))
                          source)))

(defparameter +calls+
  '(("calls" . sb-introspect:who-calls) ("macroexpands" . sb-introspect:who-macroexpands)))

(defparameter +uses-of-variables+
  '(("references" . sb-introspect:who-references) ("binds" . sb-introspect:who-binds) ("sets" . sb-introspect:who-sets)))

(define-query "callers" (arguments)
  "Arguments: query, limit. Answers who calls the function, or expands the macro, of that name."
  (with-findings (arguments :data #'use-data)
    (uses-of (named (member-of arguments "query")) +calls+)))

(define-query "references" (arguments)
  "Arguments: query, limit. Answers all uses of that name: calls, expansions, references, bindings, methods on it."
  (with-findings (arguments :data #'use-data)
    (let ((name (named (member-of arguments "query"))))
      (append (uses-of name +calls+)
              (and (symbolp name) (uses-of name +uses-of-variables+))
              (and (symbolp name) (methods-on name))))))

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

(defun earlier-p (finding other)
  "Whether the form of FINDING was evaluated before that of OTHER."
  (flet ((when-of (finding)
           (let ((source (member-of finding "source")))
             (list (member-of source "evaluation") (member-of source "position")))))
    (destructuring-bind ((evaluation position) (other-evaluation other-position))
        (list (when-of finding) (when-of other))
      (or (< evaluation other-evaluation)
          (and (= evaluation other-evaluation) (< position other-position))))))

(defun evaluated-packages ()
  (loop for package in (set-difference (list-all-packages) *packages-of-image*)
        for source = (first (definition-sources (package-name package) :package))
        for finding = (evaluated-finding "package" (package-name package) source '())
        when finding collect finding))

(defun all-evaluated (symbols)
  (append (evaluated-packages)
          (evaluated-definitions symbols)
          (remove nil (mapcar #'evaluated-method (evaluated-methods-of symbols)))))

(defun wanted-p (finding text kinds)
  (and (search text (member-of finding "text") :test #'char-equal)
       (or (null kinds) (member (member-of finding "kind") kinds :test #'string=))))

(define-query "unsaved" (arguments)
  "Arguments: query, kinds?, limit. Answers the definitions with QUERY in their names whose newest source is an
evaluation of this image and no file, oldest first."
  (with-findings (arguments)
    (let ((text (member-of arguments "query"))
          (kinds (member-of arguments "kinds")))
      (stable-sort (remove-if-not (lambda (finding) (wanted-p finding text kinds))
                                  (all-evaluated (user-symbols)))
                   #'earlier-p))))
