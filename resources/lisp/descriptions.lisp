;;;; The query `describe`: all definitions of a name, with lambda lists, documentation, source
;;;; locations, methods and slots. Printed values are bounded. The caller's text is neither read by the
;;;; reader nor evaluated.

(in-package :lisp-harbor-agent)

(defconstant +shown-methods+ 60 "Maximum number of methods of one generic function in an answer.")
(defconstant +shown-externals+ 500 "Maximum number of names of one package in an answer.")
(defconstant +shown-disassembly+ 30000 "Maximum number of characters of a disassembly.")

(defun text-list (objects)
  (mapcar #'source-text-of objects))

(defun class-names (classes)
  (text-list (mapcar #'class-name classes)))

;;; Functions.

(defun specializer-name (specializer)
  (typecase specializer
    (eql-specializer `(eql ,(eql-specializer-object specializer)))
    (class (class-name specializer))
    (t specializer)))

(defun method-form (method)
  "Returns the name of a method as (METHOD name qualifiers (specializers))."
  `(method ,(generic-function-name (method-generic-function method))
           ,@(method-qualifiers method)
           ,(mapcar #'specializer-name (method-specializers method))))

(defun method-text (method)
  (source-text-of (method-form method)))

(defun method-data (method)
  (optional-members "text" (method-text method)
                    "documentation" (documentation method t)
                    "source" (ignore-errors (method-location method))))

(defun methods-shown (generic-function)
  (let ((methods (generic-function-methods generic-function)))
    (mapcar #'method-data (up-to +shown-methods+ methods))))

(defun generic-function-members (name)
  (let ((function (fdefinition name)))
    (list "methods" (methods-shown function)
          "total" (length (generic-function-methods function)))))

;;; Variables.

(defun variable-members (symbol)
  (list "value" (and (boundp symbol) (preview (symbol-value symbol)))
        "unbound" (if (boundp symbol) nil :true)
        "type" (variable-type-text symbol)))

;;; Classes and types.

(defun slots-of (class)
  (if (class-finalized-p class)
      (class-slots class)
      (class-direct-slots class)))

(defun direct-slot (class name)
  "Returns the most specific direct slot NAME of CLASS, which has the readers and writers."
  (loop for ancestor in (if (class-finalized-p class) (class-precedence-list class) (list class))
        thereis (find name (ignore-errors (class-direct-slots ancestor)) :key #'slot-definition-name)))

(defun slot-phrases (slot direct accessor)
  "Returns the description of SLOT as a list of texts."
  (flet ((each (word names) (mapcar (lambda (name) (format nil "~A ~A" word (source-text-of name))) names)))
    (append (each "initarg" (slot-definition-initargs slot))
            (and (slot-definition-initfunction slot)
                 (each "initform" (list (slot-definition-initform slot))))
            (and accessor (each "accessor" (list accessor)))
            (and direct (each "reader" (slot-definition-readers direct)))
            (and direct (each "writer" (slot-definition-writers direct)))
            (unless (eq (slot-definition-type slot) t)
              (each "type" (list (slot-definition-type slot))))
            (unless (eq (slot-definition-allocation slot) :instance)
              (each "allocation" (list (slot-definition-allocation slot)))))))

(defun slot-data (class slot)
  (let ((direct (direct-slot class (slot-definition-name slot)))
        (accessor (ignore-errors (structure-accessor class slot))))
    (optional-members "name" (source-text-of (slot-definition-name slot))
                      "details" (format nil "~{~A~^, ~}" (ignore-errors (slot-phrases slot direct accessor)))
                      "documentation" (and direct (documentation direct t)))))

(defun class-members (symbol)
  (let ((class (find-class symbol)))
    (list "superclasses" (class-names (class-direct-superclasses class))
          "subclasses" (class-names (class-direct-subclasses class))
          "precedence" (and (class-finalized-p class) (class-names (class-precedence-list class)))
          "slots" (mapcar (lambda (slot) (slot-data class slot)) (ignore-errors (slots-of class)))
          "metaclass" (type-name-of class))))

;;; Names.

(defun particulars (name kind)
  "Returns the members that only definitions of this KIND have."
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

(defun external-name (symbol)
  "Returns the entry for SYMBOL, an export of the current package. It has no kind if SYMBOL has no definition."
  (let ((kinds (definition-kinds symbol)))
    (optional-members "kind" (and kinds (kinds-text symbol kinds))
                      "name" (source-text-of symbol)
                      "arglist" (own-arglist kinds))))

(defun external-names (package)
  "Returns the first names that PACKAGE exports, and their total number."
  (let ((symbols '()))
    (do-external-symbols (symbol package) (push symbol symbols))
    (setf symbols (sort symbols #'string< :key #'symbol-name))
    (values (let ((*package* package))
              (mapcar #'external-name (up-to +shown-externals+ symbols)))
            (length symbols))))

(defun package-data (package)
  (flet ((names (packages) (mapcar #'package-name packages)))
    (multiple-value-bind (external count) (external-names package)
      (optional-members "kind" "package"
                        "name" (package-name package)
                        "documentation" (documentation package t)
                        "source" (definition-location (package-name package) :package)
                        "nicknames" (package-nicknames package)
                        "uses" (names (package-use-list package))
                        "users" (names (package-used-by-list package))
                        "externals" count
                        "names" external
                        "locked" (and (package-locked-p package) :true)))))

(defun symbol-status (symbol)
  "Returns a text that says whether SYMBOL is internal or exported in the session's package and in its home
package."
  (let ((home (symbol-package symbol)))
    (flet ((status-in (package)
             (multiple-value-bind (found status) (find-symbol (symbol-name symbol) package)
               (if (and status (eq found symbol)) (string-downcase (symbol-name status)) "not accessible"))))
      (cond ((null home) "uninterned")
            ((eq home *package*) (format nil "~A in ~A" (status-in home) (short-package-name home)))
            (t (format nil "~A in ~A, ~A in ~A" (status-in home) (short-package-name home)
                       (status-in *package*) (short-package-name *package*)))))))

(defun data-of-name (name)
  "Returns all definitions of NAME. For a symbol, includes those of (SETF name)."
  (loop for (kind . each) in (if (symbolp name)
                                 (definition-kinds name)
                                 (mapcar (lambda (kind) (cons kind name)) (kinds-of-name name)))
        collect (definition-data each kind)))

(defun package-named-as (text)
  "Returns the package that TEXT names, with or without a trailing colon, or NIL."
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
  "Returns what TEXT names: a symbol with its definitions, a package, or both."
  (let* ((package (package-named-as text))
         (name (handler-case (named text)
                 (query-refused (refusal) (if package nil (error refusal))))))
    (if (or name (null package))
        (describe-name name package)
        (object "symbol" (package-name package)
                "status" "no symbol"
                "definitions" (list (package-data package))))))

(define-query "describe" (arguments)
  "Arguments: symbol. Returns all definitions of that name."
  (with-printing-time
    (let ((*file-texts* '()))
      (describe-text (member-of arguments "symbol")))))

(define-query "disassemble" (arguments)
  "Arguments: symbol. Returns the disassembly of that function as text."
  (let ((name (named (member-of arguments "symbol"))))
    (unless (member (function-kind name) '(:function :generic-function :macro))
      (refuse "unknown_symbol" "~A names no function that could be disassembled." (source-text-of name)))
    (values (print-bounded (or (and (symbolp name) (macro-function name)) (fdefinition name))
                           :limit +shown-disassembly+
                           :printer (lambda (function stream) (disassemble function :stream stream))))))
