;;;; Removal of definitions from the image, by kind. A definition whose removal signals an error stays
;;;; and is reported.

(in-package :lisp-harbor-agent)

(defun forget-variable (name kind)
  (sb-int:clear-info :variable :kind name)
  (sb-int:clear-info :variable :always-bound name)
  (sb-int:clear-info :variable :macro-expansion name)
  (sb-int:clear-info :source-location kind name)
  (unless (eq kind :symbol-macro) (makunbound name)))

(defun forget-type (name)
  (sb-int:clear-info :type :expander name)
  (sb-int:clear-info :type :source-location name)
  (sb-int:clear-info :type :kind name)
  (sb-kernel::values-specifier-type-cache-clear))

(defun forget-method (method)
  "Removes METHOD. Also removes its generic function if that has no other methods and no definition of its own."
  (let ((function (method-generic-function method)))
    (remove-method function method)
    (unless (or (generic-function-methods function)
                (file-of-mark (sb-pcl::definition-source function)))
      (fmakunbound (generic-function-name function)))))

(defun forget-generic-function (name)
  "Removes the function NAME unless it has methods, which would create it again in a new image."
  (unless (generic-function-methods (fdefinition name))
    (fmakunbound name)))

(defun forget-definition (name kind)
  (ecase kind
    ((:function :macro) (fmakunbound name))
    (:generic-function (forget-generic-function name))
    (:compiler-macro (setf (compiler-macro-function name) nil))
    (:setf-expander (sb-int:clear-info :setf :expander (if (consp name) (second name) name)))
    ((:variable :constant :symbol-macro) (forget-variable name kind))
    ((:class :structure :condition) (setf (find-class name) nil))
    (:type (forget-type name))
    (:method (forget-method name))))
