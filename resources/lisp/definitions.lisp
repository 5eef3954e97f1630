;;;; ABOUTME: What a name stands for: functions, variables, classes and the rest, each as a kind.
;;;; ABOUTME: The kinds are those of SB-INTROSPECT, which knows where each was defined.

(in-package :lisp-harbor-agent)

(defun function-kind (name)
  "What the function NAME is, or NIL."
  (cond ((not (fboundp name)) nil)
        ((and (symbolp name) (special-operator-p name)) :special-operator)
        ((and (symbolp name) (macro-function name)) :macro)
        ((typep (fdefinition name) 'generic-function) :generic-function)
        (t :function)))

(defun variable-kind (symbol)
  "What the variable SYMBOL is, or NIL. A keyword is no variable: it says nothing that its name does not."
  (unless (keywordp symbol)
    (ecase (sb-int:info :variable :kind symbol)
      ((:special :global :always-bound :unknown)
       (and (or (boundp symbol) (not (eq (sb-int:info :variable :kind symbol) :unknown))) :variable))
      (:constant :constant)
      (:macro :symbol-macro)
      (:alien :variable))))

(defun class-kind (symbol)
  (let ((class (find-class symbol nil)))
    (typecase class
      (null nil)
      (structure-class :structure)
      (sb-pcl::condition-class :condition)
      (t :class))))

(defun type-kind (symbol)
  "Whether SYMBOL names a type that is no class."
  (and (null (find-class symbol nil))
       (or (sb-int:info :type :expander symbol) (eq (sb-int:info :type :kind symbol) :primitive))
       :type))

(defun definition-sources (name kind)
  "Where NAME was defined as KIND; several for methods. SB-INTROSPECT wants a symbol also for a package."
  (ignore-errors (sb-introspect:find-definition-sources-by-name (if (stringp name) (make-symbol name) name) kind)))

(defun setf-kind (symbol)
  (and (sb-int:info :setf :expander symbol) :setf-expander))

(defun method-combination-kind (symbol)
  (and (definition-sources symbol :method-combination) :method-combination))

(defun compiler-macro-kind (name)
  (and (compiler-macro-function name) :compiler-macro))

(defun kinds-of-name (name)
  "What NAME itself is: a symbol, or (SETF symbol)."
  (remove nil
          (if (symbolp name)
              (list (function-kind name) (compiler-macro-kind name) (setf-kind name) (variable-kind name)
                    (class-kind name) (type-kind name) (method-combination-kind name))
              (list (function-kind name) (compiler-macro-kind name)))))

(defun definition-kinds (symbol)
  "An alist of all that SYMBOL stands for, from kind to name; (SETF SYMBOL) is included, packages are not."
  (loop for name in (list symbol (list 'setf symbol))
        nconc (mapcar (lambda (kind) (cons kind name)) (kinds-of-name name))))

(defun kind-text (kind)
  (substitute #\Space #\- (string-downcase (symbol-name kind))))

(defun definition-location (name kind)
  (let ((source (first (definition-sources name kind))))
    (and source (location source name))))

(defun lambda-list-of (name kind)
  "The lambda list of NAME as KIND. Second value: whether it has one."
  (case kind
    ((:function :generic-function :macro)
     (values (sb-introspect:function-lambda-list name) t))
    (:compiler-macro (values (sb-introspect:function-lambda-list (compiler-macro-function name)) t))
    (:type (multiple-value-bind (lambda-list known) (sb-introspect:deftype-lambda-list name)
             (values lambda-list (and known lambda-list t))))
    (t (values nil nil))))

(defun arglist-text (name kind)
  "The lambda list of NAME as text, or NIL where there is none."
  (multiple-value-bind (lambda-list known) (ignore-errors (lambda-list-of name kind))
    (and known (lambda-list-text lambda-list))))

(defparameter +documentation-types+
  '((:function . function) (:generic-function . function) (:macro . function) (:special-operator . function)
    (:compiler-macro . compiler-macro) (:setf-expander . setf) (:variable . variable) (:constant . variable)
    (:symbol-macro . variable) (:class . type) (:structure . type) (:condition . type) (:type . type)
    (:method-combination . method-combination)))

(defun documentation-of (name kind)
  "The documentation string of NAME as KIND, or NIL."
  (let ((type (cdr (assoc kind +documentation-types+))))
    (and type (ignore-errors (documentation name type)))))

(defun optional-members (&rest keys-and-values)
  "As OBJECT, without the members whose value is NIL."
  (apply #'object (loop for (key value) on keys-and-values by #'cddr
                        when value append (list key value))))

(defun up-to (limit list)
  "The first LIMIT elements of LIST."
  (subseq list 0 (min limit (length list))))
