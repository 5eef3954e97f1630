;;;; Marks of definitions. A mark is an object that SBCL creates anew whenever a definition is
;;;; evaluated: the function, or an object that records its source. It shows whether a reloaded file
;;;; has redefined a name.

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

;;; Definitions.

(defstruct (file-definition (:conc-name defined-))
  name kind mark
  (part nil)                            ; true if another definition created it, as a structure creates its functions
  (class nil)                           ; the class, once it is needed: its name no longer leads to it
  (text nil))                           ; its readable name, once it is needed

(defvar *withdrawing* nil "True inside of a load of the harbor, which removes definitions. A plain LOAD only records.")

(defstruct file-record
  (definitions '() :type list)          ; FILE-DEFINITIONs
  (symbols (make-hash-table :test #'eq)) ; the symbols that its compilation and its load read, as keys
  (text "" :type string))

(defvar *file-records* (make-hash-table :test #'equal) "Maps the full name of each loaded project file to its FILE-RECORD.")

(defun marked-definition (name kind mark)
  (make-file-definition :name name :kind kind :mark mark
                        :part (if (eq kind :method)
                                  (typep name 'standard-accessor-method)
                                  (and (eq kind :function) (made-by-defstruct-p name)))))

(defun methods-of (symbol)
  "Returns the methods of the generic functions SYMBOL and (SETF SYMBOL), and those on the class SYMBOL."
  (flet ((methods-named (name)
           (and (fboundp name) (typep (fdefinition name) 'generic-function)
                (generic-function-methods (fdefinition name)))))
    (append (methods-named symbol) (methods-named `(setf ,symbol))
            (and (find-class symbol nil) (specializer-direct-methods (find-class symbol))))))

(defun marks-of (symbol)
  "Returns a list of (kind name mark) of the definitions of SYMBOL, of (SETF SYMBOL), and of the methods of both
and on the class SYMBOL."
  (append (loop for (kind . name) in (definition-kinds symbol)
                for mark = (ignore-errors (mark-of name kind))
                when mark collect (list kind name mark))
          (loop for method in (ignore-errors (methods-of symbol))
                for mark = (ignore-errors (mark-of method :method))
                when mark collect (list :method method mark))))

(defun packages-with-marks ()
  (loop for package in (user-packages) collect (list :package package (mark-of package :package))))
