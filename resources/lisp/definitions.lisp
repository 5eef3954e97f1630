;;;; Definitions of a name: functions, variables, classes and others, each with a kind. Information
;;;; beyond the standard comes from the backend interface.

(in-package :lisp-harbor-agent)

(defun function-kind (name)
  "Returns the kind of the function NAME, or NIL."
  (cond ((not (fboundp name)) nil)
        ((and (symbolp name) (special-operator-p name)) :special-operator)
        ((and (symbolp name) (macro-function name)) :macro)
        ((typep (fdefinition name) 'generic-function) :generic-function)
        (t :function)))

(defun class-kind (symbol)
  (let ((class (find-class symbol nil)))
    (typecase class
      (null nil)
      (structure-class :structure)
      (t (if (subtypep class 'condition) :condition :class)))))

(defun compiler-macro-kind (name)
  (and (compiler-macro-function name) :compiler-macro))

(defun kinds-of-name (name)
  "Returns the kinds of definition of NAME itself, a symbol or (SETF symbol)."
  (remove nil
          (if (symbolp name)
              (list (function-kind name) (compiler-macro-kind name) (setf-kind name) (variable-kind name)
                    (class-kind name) (type-kind name) (method-combination-kind name))
              (list (function-kind name) (compiler-macro-kind name)))))

(defun definition-kinds (symbol)
  "Returns an alist from kind to name of all definitions of SYMBOL and of (SETF SYMBOL), without packages."
  (loop for name in (list symbol (list 'setf symbol))
        nconc (mapcar (lambda (kind) (cons kind name)) (kinds-of-name name))))

(defun kind-text (kind)
  (substitute #\Space #\- (string-downcase (symbol-name kind))))

(defun arglist-text (name kind)
  "Returns the lambda list of NAME as text, or NIL if there is none."
  (multiple-value-bind (lambda-list known) (ignore-errors (lambda-list-of name kind))
    (and known (lambda-list-text lambda-list))))

(defparameter +documentation-types+
  '((:function . function) (:generic-function . function) (:macro . function) (:special-operator . function)
    (:compiler-macro . compiler-macro) (:setf-expander . setf) (:variable . variable) (:constant . variable)
    (:symbol-macro . variable) (:class . type) (:structure . type) (:condition . type) (:type . type)
    (:method-combination . method-combination)))

(defun documentation-of (name kind)
  "Returns the documentation string of NAME as KIND, or NIL."
  (let ((type (cdr (assoc kind +documentation-types+))))
    (and type (ignore-errors (documentation name type)))))
