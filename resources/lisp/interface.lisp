;;;; How the agent's files say what they need of the Lisp that they run in, and how the files of each Lisp answer that.
;;;; The needs are declared once, in backend.lisp. What is implemented otherwise, or not at all, ends the build.

(in-package :lisp-harbor-agent)

(eval-when (:compile-toplevel :load-toplevel :execute)

  (defvar *interface* (make-hash-table :test 'equal) "All declarations, by the names of the functions.")

  (defstruct (declaration (:type list))
    "DEFAULT is a list of forms, empty where every Lisp needs an implementation of its own."
    kind lambda-list documentation default (implemented nil))

  (defun declare-interface (name &rest parts)
    "Notes a declaration. One that is read again keeps that it is implemented."
    (let ((earlier (gethash name *interface*))
          (new (apply #'make-declaration parts)))
      (setf (declaration-implemented new) (and earlier (declaration-implemented earlier))
            (gethash name *interface*) new)))

  (defun declaration-of (name lambda-list)
    "The declaration of NAME. Signals an error where there is none or where it has another lambda list."
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
    "BODY, that of a function, with DOCUMENTATION unless it begins with its own."
    (if (and (stringp (first body)) (rest body))
        body
        (cons documentation body)))

  (defun imported-name-p (name)
    "Whether NAME, a symbol or (SETF symbol), is one that package.lisp imports from the Lisp itself."
    (let ((home (symbol-package (if (consp name) (second name) name))))
      (not (member home (mapcar #'find-package '("LISP-HARBOR-AGENT" "LISP-HARBOR"))))))

  (defun open-declarations ()
    "Names and declarations, as conses, of what this Lisp neither implements nor has under the same name."
    (loop for name being the hash-keys of *interface* using (hash-value declaration)
          unless (or (declaration-implemented declaration) (imported-name-p name))
            collect (cons name declaration)))

  (defun parameters-of (lambda-list)
    "The variables of LAMBDA-LIST, which gives none of them a default."
    (set-difference lambda-list lambda-list-keywords))

  (defun default-definition (name declaration)
    `(defun ,name ,(declaration-lambda-list declaration)
       ,(declaration-documentation declaration)
       (declare (ignorable ,@(parameters-of (declaration-lambda-list declaration))))
       ,@(declaration-default declaration))))

(defmacro define-interface (name lambda-list documentation &body default)
  "Declares the function NAME, which the agent's files call and each Lisp implements. DEFAULT, where there is one, is its
body in Lisps that do not."
  `(eval-when (:compile-toplevel :load-toplevel :execute)
     (declare-interface ',name :kind 'defun :lambda-list ',lambda-list :documentation ,documentation
                               :default ',default)))

(defmacro define-macro-interface (name lambda-list documentation)
  "As DEFINE-INTERFACE, for a macro."
  `(eval-when (:compile-toplevel :load-toplevel :execute)
     (declare-interface ',name :kind 'defmacro :lambda-list ',lambda-list :documentation ,documentation)))

(defmacro define-implementation (name lambda-list &body body)
  "Defines the function or macro NAME of the interface, with the lambda list that is declared. Its documentation is that
of the declaration unless BODY begins with another."
  (let ((declaration (declaration-of name lambda-list)))
    `(progn
       (eval-when (:compile-toplevel :load-toplevel :execute)
         (note-implementation ',name))
       (,(declaration-kind declaration) ,name ,lambda-list
        ,@(documented (declaration-documentation declaration) body)))))

(defmacro complete-interface ()
  "Defines by its default what this Lisp has not implemented. What has no default is told in an error."
  (let* ((open (open-declarations))
         (missing (remove-if #'declaration-default open :key #'cdr)))
    (when missing
      (error "~A does not implement ~{~S~^, ~}." (lisp-implementation-type) (mapcar #'car missing)))
    `(progn ,@(loop for (name . declaration) in open collect (default-definition name declaration)))))
