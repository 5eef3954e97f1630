;;;; Inspector parts of symbols, packages, functions, generic functions and classes. The source
;;;; location is shown as a fact.

(in-package :lisp-harbor-agent)

(defun location-facts (source name)
  "Returns the location that SOURCE names, as facts."
  (let ((place (and source (location source name))))
    (when place
      (if (member-of place "file")
          (list (fact "source" "~A~@[:~D~]" (member-of place "file") (member-of place "line")))
          (list (fact "source" "evaluation ~D" (member-of place "evaluation")))))))

(defun documentation-facts (documentation)
  (and documentation (list (fact "documentation" "~A" documentation))))

(defun named-parts (word objects)
  "Returns OBJECTS as read-only parts named WORD with a number."
  (loop for object in objects
        for number from 0
        collect (make-part :name (format nil "~A ~A" word (princ-to-digits number)) :value object)))

;;; Symbols.

(defmethod kind-of-object ((object symbol))
  "symbol")

(defmethod facts-of ((object symbol))
  (append (list (fact "name" "~A" (preview (symbol-name object)))
                (fact "status" "~A" (symbol-status object)))
          (loop for (kind . name) in (definition-kinds object)
                collect (fact "stands for" "~A ~A" (kind-text kind) (source-text-of name)))))

(defun function-part (symbol)
  (make-part :name "function"
             :value (and (fboundp symbol) (or (macro-function symbol) (fdefinition symbol)))
             :bound (and (fboundp symbol) t)))

(defun symbol-parts (symbol)
  (let ((bound (boundp symbol)))
    (list (make-part :name "value" :value (and bound (symbol-value symbol)) :bound bound
                     :setter (unless (constantp symbol) (setter-of (symbol-value symbol))))
          (function-part symbol)
          (make-part :name "property list" :value (symbol-plist symbol) :setter (setter-of (symbol-plist symbol)))
          (make-part :name "package" :value (symbol-package symbol))
          (make-part :name "class" :value (find-class symbol nil) :bound (and (find-class symbol nil) t)))))

(defmethod part-count ((object symbol))
  (length (symbol-parts object)))

(defmethod parts-between ((object symbol) start end)
  (listed-parts (symbol-parts object) start end))

;;; Packages: the external symbols, then the other present ones.

(defmethod kind-of-object ((object package))
  "package")

(defmethod facts-of ((object package))
  (if (package-name object)
      (flet ((names (word packages)
               (and packages (list (fact word "~{~A~^, ~}" (mapcar #'package-name packages))))))
        (append (and (package-nicknames object) (list (fact "nicknames" "~{~A~^, ~}" (package-nicknames object))))
                (names "uses" (package-use-list object))
                (names "used by" (package-used-by-list object))
                (list (fact "locked" "~:[no~;yes~]" (sb-ext:package-locked-p object)))
                (documentation-facts (documentation object t))))
      (list (fact "deleted" "this package was deleted"))))

(defun sorted-symbols (symbols)
  (sort symbols #'string< :key #'symbol-name))

(defun package-parts (package)
  (let ((external '()) (internal '()))
    (when (package-name package)
      (do-external-symbols (symbol package) (push symbol external))
      (do-symbols (symbol package)
        (when (eq :internal (nth-value 1 (find-symbol (symbol-name symbol) package)))
          (pushnew symbol internal))))
    (append (named-parts "external" (sorted-symbols external))
            (named-parts "internal" (sorted-symbols internal)))))

(defmethod part-count ((object package))
  (length (package-parts object)))

(defmethod parts-between ((object package) start end)
  (listed-parts (package-parts object) start end))

;;; Functions and methods.

(defun function-name-of (function)
  (if (typep function 'generic-function)
      (generic-function-name function)
      (sb-kernel:%fun-name function)))

(defun name-of-definition (name)
  "Returns NAME if a definition can have it, or NIL for the names that SBCL gives to lambdas."
  (and (sb-introspect:valid-function-name-p name) name))

(defmethod kind-of-object ((object function))
  (if (typep object 'generic-function) "generic function" "function"))

(defmethod facts-of ((object function))
  (let ((name (function-name-of object)))
    (append (list (fact "name" "~A" (source-text-of name))
                  (fact "arglist" "~A" (lambda-list-text (sb-introspect:function-lambda-list object))))
            (unless (typep object 'generic-function)
              (list (fact "type" "~A" (source-text-of (sb-introspect:function-type object)))))
            (documentation-facts (documentation object t))
            (ignore-errors
             (location-facts (sb-introspect:find-definition-source object) (name-of-definition name))))))

(defun function-parts (function)
  (cond ((typep function 'generic-function)
         (named-parts "method" (generic-function-methods function)))
        ((sb-kernel:closurep function)
         (named-parts "closed-over value" (mapcar #'closed-over-value (sb-kernel:%closure-values function))))))

(defun closed-over-value (value)
  "Returns what VALUE, an element of a closure, is for its code: a variable that is assigned is kept in a cell."
  (if (and (sb-kernel:%other-pointer-p value)
           (eql (sb-kernel:%other-pointer-widetag value) sb-vm:value-cell-widetag))
      (sb-kernel:value-cell-ref value)
      value))

(defmethod part-count ((object function))
  (length (function-parts object)))

(defmethod parts-between ((object function) start end)
  (listed-parts (function-parts object) start end))

(defmethod facts-of ((object method))
  (append (list (fact "method" "~A" (method-text object)))
          (documentation-facts (documentation object t))
          (ignore-errors (location-facts (sb-introspect:find-definition-source object)
                                         (function-name-of (method-generic-function object))))))

;;; Classes.

(defmethod kind-of-object ((object class))
  "class")

(defmethod facts-of ((object class))
  (append (list (fact "name" "~A" (source-text-of (class-name object)))
                (fact "finalized" "~:[no~;yes~]" (class-finalized-p object)))
          (and (class-finalized-p object)
               (list (fact "precedence" "~{~A~^, ~}" (class-names (class-precedence-list object)))))
          (documentation-facts (documentation object t))
          (ignore-errors (location-facts (sb-introspect:find-definition-source object) (class-name object)))))

(defun class-parts (class)
  (append (named-parts "superclass" (class-direct-superclasses class))
          (named-parts "subclass" (class-direct-subclasses class))
          (loop for slot in (ignore-errors (slots-of class))
                collect (make-part :name (format nil "slot ~A" (source-text-of (slot-definition-name slot)))
                                   :value slot))
          (named-parts "method" (specializer-direct-methods class))))

(defmethod part-count ((object class))
  (length (class-parts object)))

(defmethod parts-between ((object class) start end)
  (listed-parts (class-parts object) start end))
