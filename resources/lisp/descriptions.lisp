;;;; ABOUTME: The query `describe`: all that a name stands for, with arglists, documentation, places, methods and slots.
;;;; ABOUTME: Printed values are bounded; nothing of the caller is read or evaluated.

(in-package :lisp-harbor-agent)

(defconstant +shown-methods+ 60 "Methods of one generic function in an answer.")
(defconstant +shown-disassembly+ 30000 "Characters of a disassembly.")

(defun text-list (objects)
  (mapcar #'source-text-of objects))

(defun class-names (classes)
  (text-list (mapcar #'class-name classes)))

;;; Functions.

(defun specializer-name (specializer)
  (typecase specializer
    (sb-mop:eql-specializer `(eql ,(sb-mop:eql-specializer-object specializer)))
    (class (class-name specializer))
    (t specializer)))

(defun method-text (method)
  "A method as (METHOD name qualifiers (specializers))."
  (source-text-of `(method ,(sb-mop:generic-function-name (sb-mop:method-generic-function method))
                           ,@(method-qualifiers method)
                           ,(mapcar #'specializer-name (sb-mop:method-specializers method)))))

(defun method-location (method)
  (let ((name (sb-mop:generic-function-name (sb-mop:method-generic-function method))))
    (location (sb-introspect:find-definition-source method) name)))

(defun method-data (method)
  (optional-members "text" (method-text method)
                    "documentation" (documentation method t)
                    "source" (ignore-errors (method-location method))))

(defun methods-shown (generic-function)
  (let ((methods (sb-mop:generic-function-methods generic-function)))
    (mapcar #'method-data (up-to +shown-methods+ methods))))

(defun generic-function-members (name)
  (let ((function (fdefinition name)))
    (list "methods" (methods-shown function)
          "total" (length (sb-mop:generic-function-methods function)))))

(defun function-members (name)
  (let ((inline (sb-int:info :function :inlinep name)))
    (list "type" (source-text-of (sb-introspect:function-type name))
          "inline" (and inline (string-downcase (symbol-name inline))))))

;;; Variables.

(defun variable-members (symbol)
  (let ((type (sb-int:info :variable :type symbol)))
    (list "value" (and (boundp symbol) (preview (symbol-value symbol)))
          "unbound" (if (boundp symbol) nil :true)
          "type" (and (not (eq type sb-kernel:*universal-type*))
                      (source-text-of (sb-kernel:type-specifier type))))))

(defun symbol-macro-members (symbol)
  (list "expansion" (source-text-of (sb-int:info :variable :macro-expansion symbol))))

;;; Classes and types.

(defun slots-of (class)
  (if (sb-mop:class-finalized-p class)
      (sb-mop:class-slots class)
      (sb-mop:class-direct-slots class)))

(defun direct-slot (class name)
  "The most specific direct slot NAME of CLASS: it knows readers and writers."
  (loop for ancestor in (if (sb-mop:class-finalized-p class) (sb-mop:class-precedence-list class) (list class))
        thereis (find name (ignore-errors (sb-mop:class-direct-slots ancestor)) :key #'sb-mop:slot-definition-name)))

(defun structure-accessor (class slot)
  "The name of the accessor of SLOT where CLASS is a structure's; or NIL."
  (when (typep class 'structure-class)
    (sb-kernel:dsd-accessor-name
     (find (sb-mop:slot-definition-name slot)
           (sb-kernel:dd-slots (sb-kernel:find-defstruct-description (class-name class)))
           :key #'sb-kernel:dsd-name))))

(defun slot-phrases (slot direct accessor)
  "What there is to say of SLOT, as a list of texts."
  (flet ((each (word names) (mapcar (lambda (name) (format nil "~A ~A" word (source-text-of name))) names)))
    (append (each "initarg" (sb-mop:slot-definition-initargs slot))
            (and (sb-mop:slot-definition-initfunction slot)
                 (each "initform" (list (sb-mop:slot-definition-initform slot))))
            (and accessor (each "accessor" (list accessor)))
            (and direct (each "reader" (sb-mop:slot-definition-readers direct)))
            (and direct (each "writer" (sb-mop:slot-definition-writers direct)))
            (unless (eq (sb-mop:slot-definition-type slot) t)
              (each "type" (list (sb-mop:slot-definition-type slot))))
            (unless (eq (sb-mop:slot-definition-allocation slot) :instance)
              (each "allocation" (list (sb-mop:slot-definition-allocation slot)))))))

(defun slot-data (class slot)
  (let ((direct (direct-slot class (sb-mop:slot-definition-name slot)))
        (accessor (ignore-errors (structure-accessor class slot))))
    (optional-members "name" (source-text-of (sb-mop:slot-definition-name slot))
                      "details" (format nil "~{~A~^, ~}" (ignore-errors (slot-phrases slot direct accessor)))
                      "documentation" (and direct (documentation direct t)))))

(defun class-members (symbol)
  (let ((class (find-class symbol)))
    (list "superclasses" (class-names (sb-mop:class-direct-superclasses class))
          "subclasses" (class-names (sb-mop:class-direct-subclasses class))
          "precedence" (and (sb-mop:class-finalized-p class) (class-names (sb-mop:class-precedence-list class)))
          "slots" (mapcar (lambda (slot) (slot-data class slot)) (ignore-errors (slots-of class)))
          "metaclass" (type-name-of class))))

(defun type-members (symbol)
  (multiple-value-bind (expansion expanded) (ignore-errors (sb-ext:typexpand-1 symbol))
    ;; A type that wants arguments has none.
    (list "expansion" (and (eq expanded t) (source-text-of expansion)))))

;;; A name.

(defun particulars (name kind)
  "Members that only definitions of this KIND have."
  (ecase kind
    (:function (function-members name))
    (:generic-function (append (function-members name) (generic-function-members name)))
    ((:variable :constant) (variable-members name))
    (:symbol-macro (symbol-macro-members name))
    ((:class :structure :condition) (class-members name))
    (:type (type-members name))
    ((:macro :special-operator :compiler-macro :setf-expander :method-combination) '())))

(defun definition-data (name kind)
  (apply #'optional-members
         "kind" (kind-text kind)
         "name" (source-text-of name)
         "arglist" (arglist-text name kind)
         "documentation" (documentation-of name kind)
         "source" (definition-location name kind)
         (particulars name kind)))

(defun package-data (package)
  (flet ((names (packages) (mapcar #'package-name packages)))
    (let ((external 0))
      (do-external-symbols (symbol package) (declare (ignorable symbol)) (incf external))
      (optional-members "kind" "package"
                        "name" (package-name package)
                        "documentation" (documentation package t)
                        "source" (definition-location (package-name package) :package)
                        "nicknames" (package-nicknames package)
                        "uses" (names (package-use-list package))
                        "users" (names (package-used-by-list package))
                        "externals" external
                        "locked" (and (sb-ext:package-locked-p package) :true)))))

(defun symbol-status (symbol)
  "How SYMBOL is found in the session's package and in its own, in words."
  (let ((home (symbol-package symbol)))
    (flet ((status-in (package)
             (multiple-value-bind (found status) (find-symbol (symbol-name symbol) package)
               (if (and status (eq found symbol)) (string-downcase (symbol-name status)) "not accessible"))))
      (cond ((null home) "uninterned")
            ((eq home *package*) (format nil "~A in ~A" (status-in home) (short-package-name home)))
            (t (format nil "~A in ~A, ~A in ~A" (status-in home) (short-package-name home)
                       (status-in *package*) (short-package-name *package*)))))))

(defun data-of-name (name)
  "All definitions of NAME; of a symbol also those of (SETF name)."
  (loop for (kind . each) in (if (symbolp name)
                                 (definition-kinds name)
                                 (mapcar (lambda (kind) (cons kind name)) (kinds-of-name name)))
        collect (definition-data each kind)))

(defun package-named-as (text)
  "The package that TEXT, perhaps with a colon behind, names; or NIL."
  (let ((name (string-right-trim ":" (without-quote text))))
    (or (find-package name) (find-package (string-upcase name)))))

(defun symbol-in (name)
  (if (symbolp name) name (second name)))

(defun describe-name (name package)
  (let ((definitions (append (data-of-name name)
                             (and package (list (package-data package))))))
    (unless definitions
      (refuse "unknown_symbol" "The symbol ~A exists (~A) but stands for nothing: no function, variable, class or type."
              (source-text-of name) (symbol-status (symbol-in name))))
    (object "symbol" (source-text-of name)
            "status" (symbol-status (symbol-in name))
            "definitions" definitions)))

(defun describe-text (text)
  "What TEXT names: a symbol with its definitions, a package, or both."
  (let* ((package (package-named-as text))
         (name (handler-case (named text)
                 (query-refused (refusal) (if package nil (error refusal))))))
    (if (or name (null package))
        (describe-name name package)
        (object "symbol" (package-name package)
                "status" "no symbol"
                "definitions" (list (package-data package))))))

(define-query "describe" (arguments)
  "Arguments: symbol. Answers all that it stands for."
  (with-printing-time
    (let ((*file-texts* '()))
      (describe-text (member-of arguments "symbol")))))

(define-query "disassemble" (arguments)
  "Arguments: symbol. Answers the machine code of that function as text."
  (let ((name (named (member-of arguments "symbol"))))
    (unless (member (function-kind name) '(:function :generic-function :macro))
      (refuse "unknown_symbol" "~A names no function that could be disassembled." (source-text-of name)))
    (values (print-bounded (or (and (symbolp name) (macro-function name)) (fdefinition name))
                           :limit +shown-disassembly+
                           :printer (lambda (function stream) (disassemble function :stream stream))))))
