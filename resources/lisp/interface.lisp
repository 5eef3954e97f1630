;;;; Macros that declare and implement the backend interface. backend.lisp declares each function once.
;;;; The build fails if a Lisp implements one with a different lambda list or does not implement it.

(in-package :lisp-harbor-agent)

(eval-when (:compile-toplevel :load-toplevel :execute)

  (defvar *interface* (make-hash-table :test 'equal) "All declarations, by function name.")

  (defstruct (declaration (:type list))
    "DEFAULT is a list of forms. It is empty if every Lisp needs its own implementation."
    kind lambda-list documentation default (implemented nil))

  (defun declare-interface (name &rest parts)
    "Records a declaration. Repeating a declaration does not reset its implemented flag."
    (let ((earlier (gethash name *interface*))
          (new (apply #'make-declaration parts)))
      (setf (declaration-implemented new) (and earlier (declaration-implemented earlier))
            (gethash name *interface*) new)))

  (defun declaration-of (name lambda-list)
    "Returns the declaration of NAME. Signals an error if there is none or if its lambda list differs."
    (let ((declaration (gethash name *interface*)))
      (cond ((null declaration)
             (error "~S is implemented, but backend.lisp does not declare it." name))
            ((not (equal lambda-list (declaration-lambda-list declaration)))
             (error "~S is implemented with the lambda list ~S, but backend.lisp declares ~S."
                    name lambda-list (declaration-lambda-list declaration)))
            (t declaration))))

  (defun note-implementation (name)
    (setf (declaration-implemented (gethash name *interface*)) t))

  (defun documented (documentation body)
    "Returns BODY, a function body, with DOCUMENTATION unless it begins with a docstring."
    (if (and (stringp (first body)) (rest body))
        body
        (cons documentation body)))

  (defun imported-name-p (name)
    "Reports whether NAME, a symbol or (SETF symbol), is imported by package.lisp from the Lisp itself."
    (let ((home (symbol-package (if (consp name) (second name) name))))
      (not (member home (mapcar #'find-package '("LISP-HARBOR-AGENT" "LISP-HARBOR"))))))

  (defun open-declarations ()
    "Returns the declarations that this Lisp neither implements nor provides under the same name, as conses of
name and declaration."
    (loop for name being the hash-keys of *interface* using (hash-value declaration)
          unless (or (declaration-implemented declaration) (imported-name-p name))
            collect (cons name declaration)))

  (defun parameters-of (lambda-list)
    "Returns the variables of LAMBDA-LIST, in which no parameter has a default."
    (set-difference lambda-list lambda-list-keywords))

  (defun default-definition (name declaration)
    `(defun ,name ,(declaration-lambda-list declaration)
       ,(declaration-documentation declaration)
       (declare (ignorable ,@(parameters-of (declaration-lambda-list declaration))))
       ,@(declaration-default declaration))))

(defmacro define-interface (name lambda-list documentation &body default)
  "Declares the function NAME, which the agent's files call and each Lisp implements. DEFAULT, if given, is the
body used in Lisps that have no implementation."
  `(eval-when (:compile-toplevel :load-toplevel :execute)
     (declare-interface ',name :kind 'defun :lambda-list ',lambda-list :documentation ,documentation
                               :default ',default)))

(defmacro define-macro-interface (name lambda-list documentation)
  "Does the same as DEFINE-INTERFACE for a macro."
  `(eval-when (:compile-toplevel :load-toplevel :execute)
     (declare-interface ',name :kind 'defmacro :lambda-list ',lambda-list :documentation ,documentation)))

(defmacro define-implementation (name lambda-list &body body)
  "Defines the function or macro NAME of the interface, with the declared lambda list. Uses the documentation
of the declaration unless BODY begins with a docstring."
  (let ((declaration (declaration-of name lambda-list)))
    `(progn
       (eval-when (:compile-toplevel :load-toplevel :execute)
         (note-implementation ',name))
       (,(declaration-kind declaration) ,name ,lambda-list
        ,@(documented (declaration-documentation declaration) body)))))

(defmacro complete-interface ()
  "Defines the functions that this Lisp does not implement by their defaults. Signals an error that lists those
without a default."
  (let* ((open (open-declarations))
         (missing (remove-if #'declaration-default open :key #'cdr)))
    (when missing
      (error "~A does not implement ~{~S~^, ~}." (lisp-implementation-type) (mapcar #'car missing)))
    `(progn ,@(loop for (name . declaration) in open collect (default-definition name declaration)))))
