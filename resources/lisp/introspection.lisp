;;;; ABOUTME: What SBCL knows of its definitions beyond the standard: kinds, places, lambda lists, types.
;;;; ABOUTME: The kinds are those of SB-INTROSPECT, which knows where each was defined.

(in-package :lisp-harbor-agent)

;;; Kinds.

(defun variable-kind (symbol)
  "What the variable SYMBOL is, or NIL. A keyword is no variable: it says nothing that its name does not."
  (unless (keywordp symbol)
    (ecase (sb-int:info :variable :kind symbol)
      ((:special :global :always-bound :unknown)
       (and (or (boundp symbol) (not (eq (sb-int:info :variable :kind symbol) :unknown))) :variable))
      (:constant :constant)
      (:macro :symbol-macro)
      (:alien :variable))))

(defun type-kind (symbol)
  "Whether SYMBOL names a type that is no class."
  (and (null (find-class symbol nil))
       (or (sb-int:info :type :expander symbol) (eq (sb-int:info :type :kind symbol) :primitive))
       :type))

(defun setf-kind (symbol)
  (and (sb-int:info :setf :expander symbol) :setf-expander))

;;; Places.

(defun definition-sources (name kind)
  "Where NAME was defined as KIND; several for methods. SB-INTROSPECT wants a symbol also for a package."
  (ignore-errors (sb-introspect:find-definition-sources-by-name (if (stringp name) (make-symbol name) name) kind)))

(defun method-combination-kind (symbol)
  (and (definition-sources symbol :method-combination) :method-combination))

(defun definition-location (name kind)
  (let ((source (first (definition-sources name kind))))
    (and source (location source name))))

(defun method-location (method)
  (let ((name (generic-function-name (method-generic-function method))))
    (location (sb-introspect:find-definition-source method) name)))

;;; Lambda lists and types.

(defun lambda-list-of (name kind)
  "The lambda list of NAME as KIND. Second value: whether it has one."
  (case kind
    ((:function :generic-function :macro)
     (values (sb-introspect:function-lambda-list name) t))
    (:compiler-macro (values (sb-introspect:function-lambda-list (compiler-macro-function name)) t))
    (:type (multiple-value-bind (lambda-list known) (sb-introspect:deftype-lambda-list name)
             (values lambda-list (and known lambda-list t))))
    (t (values nil nil))))

(defun function-members (name)
  (let ((inline (sb-int:info :function :inlinep name)))
    (list "type" (source-text-of (sb-introspect:function-type name))
          "inline" (and inline (string-downcase (symbol-name inline))))))

(defun variable-type-text (symbol)
  "The type that the variable SYMBOL was declared to have, or NIL."
  (let ((type (sb-int:info :variable :type symbol)))
    (and (not (eq type sb-kernel:*universal-type*))
         (source-text-of (sb-kernel:type-specifier type)))))

(defun symbol-macro-members (symbol)
  (list "expansion" (source-text-of (sb-int:info :variable :macro-expansion symbol))))

(defun structure-accessor (class slot)
  "The name of the accessor of SLOT where CLASS is a structure's; or NIL."
  (when (typep class 'structure-class)
    (sb-kernel:dsd-accessor-name
     (find (slot-definition-name slot)
           (sb-kernel:dd-slots (sb-kernel:find-defstruct-description (class-name class)))
           :key #'sb-kernel:dsd-name))))

(defun type-members (symbol)
  (multiple-value-bind (expansion expanded) (ignore-errors (sb-ext:typexpand-1 symbol))
    ;; A type that wants arguments has none.
    (list "expansion" (and (eq expanded t) (source-text-of expansion)))))
