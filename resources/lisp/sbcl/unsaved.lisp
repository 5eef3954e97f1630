;;;; The query `unsaved`: definitions made by evaluations of this image that are in no file. SBCL
;;;; records with each definition the evaluation that it came from.

(in-package :lisp-harbor-agent)

(defvar *packages-seen* '(() . ()) "All packages at the last look, and the user's of them.")

(defun user-packages ()
  "Called twice for each form. There are hundreds of packages, and they seldom change."
  (let ((all (list-all-packages)))
    (destructuring-bind (seen . user) *packages-seen*
      (if (and (= (length all) (length seen)) (loop for one in all for other in seen always (eq one other)))
          user
          (cdr (setf *packages-seen* (cons all (remove-if #'package-of-image-p all))))))))

(defun user-symbols ()
  (let ((symbols '()))
    (dolist (package (user-packages) symbols)
      (do-symbols (symbol package)
        (when (eq (symbol-package symbol) package) (push symbol symbols))))))

(defun evaluated-finding (kind text source more)
  "Returns a finding for a definition made only by an evaluation, or NIL if SOURCE is a file or unknown."
  (when (and source
             (null (sb-introspect:definition-source-pathname source))
             (evaluation-in source))
    (apply #'optional-members "kind" kind "text" text "source" (location source) more)))

(defun value-member (symbol kind)
  (and (member kind '(:variable :constant)) (boundp symbol) (preview (symbol-value symbol))))

(defun made-by-defstruct-p (name)
  "Reports whether a structure definition created the function NAME: an accessor, a constructor or similar."
  (let ((transform (sb-int:info :function :source-transform name)))
    (and (consp transform) (typep (car transform) 'sb-kernel:defstruct-description))))

(defun evaluated-definition (name kind)
  (unless (and (eq kind :function) (made-by-defstruct-p name))
    (evaluated-finding (kind-text kind) (source-text-of name)
                       (first (definition-sources name kind))
                       (list "arglist" (arglist-text name kind) "value" (value-member name kind)))))

(defun evaluated-method (method)
  "Returns a finding for METHOD if an evaluation defined it. Accessors belong to their class and are left out."
  (unless (typep method 'standard-accessor-method)
    (evaluated-finding "method" (method-text method)
                       (ignore-errors (sb-introspect:find-definition-source method)) '())))

(defun evaluated-definitions (symbols)
  (loop for symbol in symbols
        append (loop for (kind . name) in (definition-kinds symbol)
                     for finding = (evaluated-definition name kind)
                     when finding collect finding)))

(defun methods-around (symbols)
  "Returns the methods of generic functions named by SYMBOLS, and methods specialized on classes named by them."
  (let ((methods (make-hash-table :test #'eq)))
    (flet ((add (method)
             (setf (gethash method methods) t)))
      (dolist (symbol symbols)
        (when (find-class symbol nil)
          (mapc #'add (specializer-direct-methods (find-class symbol))))
        (loop for (kind . name) in (definition-kinds symbol)
              when (eq kind :generic-function)
                do (mapc #'add (generic-function-methods (fdefinition name))))))
    (loop for method being the hash-keys of methods collect method)))

(defun earlier-p (finding other)
  "Reports whether the form of FINDING was evaluated before that of OTHER."
  (flet ((when-of (finding)
           (let ((source (member-of finding "source")))
             (list (member-of source "evaluation") (member-of source "position")))))
    (destructuring-bind ((evaluation position) (other-evaluation other-position))
        (list (when-of finding) (when-of other))
      (or (< evaluation other-evaluation)
          (and (= evaluation other-evaluation) (< position other-position))))))

(defun evaluated-packages ()
  (loop for package in (user-packages)
        for source = (first (definition-sources (package-name package) :package))
        for finding = (evaluated-finding "package" (package-name package) source '())
        when finding collect finding))

(defun all-evaluated (symbols)
  (append (evaluated-packages)
          (evaluated-definitions symbols)
          (remove nil (mapcar #'evaluated-method (methods-around symbols)))))

(defun wanted-p (finding text kinds)
  (and (search text (member-of finding "text") :test #'char-equal)
       (or (null kinds) (member (member-of finding "kind") kinds :test #'string=))))

(define-query "unsaved" (arguments)
  "Arguments: query, kinds?, limit. Returns the definitions with QUERY in their names whose newest source is an
evaluation of this image and not a file, oldest first."
  (with-findings (arguments)
    (let ((text (member-of arguments "query"))
          (kinds (member-of arguments "kinds")))
      (stable-sort (remove-if-not (lambda (finding) (wanted-p finding text kinds))
                                  (all-evaluated (user-symbols)))
                   #'earlier-p))))
