;;;; SBCL's information about definitions beyond the standard: kinds, source locations, lambda lists,
;;;; types. The kinds are those of SB-INTROSPECT, which knows the source locations.

(in-package :lisp-harbor-agent)

;;; Kinds.

(define-implementation variable-kind (symbol)
  (unless (keywordp symbol)
    (ecase (sb-int:info :variable :kind symbol)
      ((:special :global :always-bound :unknown)
       (and (or (boundp symbol) (not (eq (sb-int:info :variable :kind symbol) :unknown))) :variable))
      (:constant :constant)
      (:macro :symbol-macro)
      (:alien :variable))))

(define-implementation type-kind (symbol)
  (and (null (find-class symbol nil))
       (or (sb-int:info :type :expander symbol) (eq (sb-int:info :type :kind symbol) :primitive))
       :type))

(define-implementation setf-kind (symbol)
  (and (sb-int:info :setf :expander symbol) :setf-expander))

;;; Source locations.

(defun definition-sources (name kind)
  "Returns the definition sources of NAME as KIND, several for methods. SB-INTROSPECT requires a symbol even
for a package."
  (ignore-errors (sb-introspect:find-definition-sources-by-name (if (stringp name) (make-symbol name) name) kind)))

(define-implementation method-combination-kind (symbol)
  (and (definition-sources symbol :method-combination) :method-combination))

(define-implementation definition-location (name kind)
  (let ((source (first (definition-sources name kind))))
    (and source (location source name))))

(define-implementation method-location (method)
  (let ((name (generic-function-name (method-generic-function method))))
    (location (sb-introspect:find-definition-source method) name)))

;;; Lambda lists and types.

(define-implementation lambda-list-of (name kind)
  (case kind
    ((:function :generic-function :macro)
     (values (sb-introspect:function-lambda-list name) t))
    (:compiler-macro (values (sb-introspect:function-lambda-list (compiler-macro-function name)) t))
    (:type (multiple-value-bind (lambda-list known) (sb-introspect:deftype-lambda-list name)
             (values lambda-list (and known lambda-list t))))
    (t (values nil nil))))

(define-implementation function-members (name)
  (let ((inline (sb-int:info :function :inlinep name)))
    (list "type" (source-text-of (sb-introspect:function-type name))
          "inline" (and inline (string-downcase (symbol-name inline))))))

(define-implementation variable-type-text (symbol)
  (let ((type (sb-int:info :variable :type symbol)))
    (and (not (eq type sb-kernel:*universal-type*))
         (source-text-of (sb-kernel:type-specifier type)))))

(define-implementation symbol-macro-members (symbol)
  (list "expansion" (source-text-of (sb-int:info :variable :macro-expansion symbol))))

(define-implementation structure-accessor (class slot)
  (when (typep class 'structure-class)
    (sb-kernel:dsd-accessor-name
     (find (slot-definition-name slot)
           (sb-kernel:dd-slots (sb-kernel:find-defstruct-description (class-name class)))
           :key #'sb-kernel:dsd-name))))

(define-implementation type-members (symbol)
  (multiple-value-bind (expansion expanded) (ignore-errors (sb-ext:typexpand-1 symbol))
    ;; A type that requires arguments has no expansion.
    (list "expansion" (and (eq expanded t) (source-text-of expansion)))))
