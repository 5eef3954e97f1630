;;;; Marks of definitions. A mark is an object that SBCL creates anew whenever a definition is
;;;; evaluated: the function, or an object that records its source. It shows whether a reloaded file
;;;; has redefined a name, and which file that was.

(in-package :lisp-harbor-agent)

(defun class-mark (class)
  (if (typep class '(or sb-pcl::condition-class sb-pcl::structure-class))
      (sb-kernel::classoid-source-location (sb-pcl::class-classoid class))
      (sb-pcl::definition-source class)))

(defun setf-expander-mark (name)
  (let ((expander (sb-int:info :setf :expander (if (consp name) (second name) name))))
    (if (typep expander '(cons symbol)) (cddr expander) expander)))

(defun mark-of (name kind)
  "Returns the mark of NAME as KIND, one of DEFINITION-KINDS, :METHOD with a method as name, or :PACKAGE with a
package."
  (case kind
    (:function (fdefinition name))
    (:macro (macro-function name))
    (:compiler-macro (compiler-macro-function name))
    (:generic-function (sb-pcl::definition-source (fdefinition name)))
    (:method (and (method-generic-function name) (sb-pcl::definition-source name)))
    ((:variable :constant :symbol-macro) (sb-int:info :source-location kind name))
    ((:class :structure :condition) (class-mark (find-class name)))
    (:type (or (sb-int:info :type :source-location name) (sb-int:info :type :expander name)))
    (:setf-expander (setf-expander-mark name))
    (:method-combination
     (sb-pcl::method-combination-info-source-location (gethash name sb-pcl::**method-combinations**)))
    (:package (sb-impl::package-source-location name))))

(defun file-of-mark (mark)
  "Returns the file that MARK names, as a namestring, or NIL."
  (typecase mark
    (sb-c:definition-source-location (sb-c:definition-source-location-namestring mark))
    (function (sb-c::debug-source-namestring
               (sb-c::debug-info-source (sb-introspect::function-debug-info mark))))))

(defun still-marked-p (mark name kind)
  "Reports whether NAME as KIND exists and has not been redefined since it had MARK."
  (eq mark (ignore-errors (mark-of name kind))))

;;; Definitions by file.

(defstruct (file-definition (:conc-name defined-))
  name kind mark
  (part nil)                            ; true if another definition created it, as a structure creates its functions
  (text nil))                           ; its readable name, once it is needed

(defun marked-definition (name kind)
  "Returns NAME as KIND with the file that it came from, or NIL if it came from none."
  (let* ((mark (ignore-errors (mark-of name kind)))
         (file (ignore-errors (file-of-mark mark))))
    (when (stringp file)
      (values (make-file-definition :name name :kind kind :mark mark
                               :part (if (eq kind :method)
                                         (typep name 'standard-accessor-method)
                                         (and (eq kind :function) (made-by-defstruct-p name))))
              file))))

(defun full-name (namestring)
  "Returns the host's name of the file that SBCL recorded as NAMESTRING."
  (let ((pathname (translate-logical-pathname namestring)))
    (sb-ext:native-namestring (or (probe-file pathname) pathname))))

(defun definitions-by-file ()
  "Returns all definitions of this image that came from files, in a table keyed by full file name."
  (let ((found (make-hash-table :test #'equal))
        (full-names (make-hash-table :test #'equal)))
    (flet ((add (name kind)
             (multiple-value-bind (definition file) (marked-definition name kind)
               (when definition
                 (push definition
                       (gethash (or (gethash file full-names)
                                    (setf (gethash file full-names) (full-name file)))
                                found))))))
      (let ((symbols (user-symbols)))
        (dolist (symbol symbols)
          (loop for (kind . name) in (definition-kinds symbol) do (add name kind)))
        (dolist (method (methods-around symbols)) (add method :method)))
      (dolist (package (set-difference (list-all-packages) *packages-of-image*)) (add package :package)))
    found))
