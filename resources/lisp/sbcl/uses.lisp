;;;; The queries that find uses of a name: callers and all other references. SBCL's compiler records
;;;; them with the compiled code.

(in-package :lisp-harbor-agent)

(defun user-name-of (name)
  "Returns NAME of a function in readable form. SBCL uses internal names for methods and for code outside of
functions."
  (cond ((top-level-form-name-p name) '(top level form))
        ((atom name) name)
        ((member (first name) '(sb-pcl::fast-method sb-pcl::slow-method)) `(method ,@(rest name)))
        ((eq (first name) 'sb-c::top-level-form) '(top-level form))
        (t name)))

(defstruct (use (:constructor make-use (how name source)))
  "A use of a name. HOW is a word, NAME the name of the function that contains the use."
  how
  name
  source)

(defun use-data (use)
  (optional-members "kind" (use-how use)
                    "text" (source-text-of (user-name-of (use-name use)))
                    "source" (location (use-source use))))

(defun place-of (use)
  "Returns the key, for EQUAL, by which findings of one location are merged."
  (let ((source (use-source use)))
    (list (use-how use) (use-name use)
          (sb-introspect:definition-source-pathname source)
          (sb-introspect:definition-source-form-path source)
          (sb-introspect:definition-source-form-number source)
          (sb-introspect:definition-source-plist source))))

(defun uses-of (name functions)
  "Returns the findings of FUNCTIONS, an alist from a word to a function of SB-INTROSPECT, for NAME. Each
location occurs once."
  (let ((seen (make-hash-table :test 'equal)))
    (loop for (how . function) in functions
          append (loop for (user . source) in (ignore-errors (funcall function name))
                       for use = (make-use how user source)
                       for place = (place-of use)
                       unless (gethash place seen)
                         collect use and do (setf (gethash place seen) t)))))

(defun methods-on (name)
  "Returns the uses of the class NAME, if there is one, as a specializer."
  (loop for method in (and (find-class name nil) (specializer-direct-methods (find-class name)))
        for source = (ignore-errors (sb-introspect:find-definition-source method))
        when source
          collect (make-use "specializes" (method-form method) source)))

(defparameter +calls+
  '(("calls" . sb-introspect:who-calls) ("macroexpands" . sb-introspect:who-macroexpands)))

(defparameter +uses-of-variables+
  '(("references" . sb-introspect:who-references) ("binds" . sb-introspect:who-binds) ("sets" . sb-introspect:who-sets)))

(define-query "callers" (arguments)
  "Arguments: query, limit. Returns the callers of the function of that name, or the expansions of the macro."
  (with-findings (arguments :data #'use-data)
    (uses-of (named (member-of arguments "query")) +calls+)))

(define-query "references" (arguments)
  "Arguments: query, limit. Returns all uses of that name: calls, expansions, references, bindings, methods on
it."
  (with-findings (arguments :data #'use-data)
    (let ((name (named (member-of arguments "query"))))
      (append (uses-of name +calls+)
              (and (symbolp name) (uses-of name +uses-of-variables+))
              (and (symbolp name) (methods-on name))))))
