;;;; Wraps functions of ACL2's raw Lisp to observe or restrict them where there is no other hook. Their
;;;; logical definitions do not change, and ACL2 code reaches the old function only through the
;;;; wrapper.

(in-package "LISP-HARBOR-ACL2")

(defun wrap (name wrapper)
  "From now on calls of NAME go to WRAPPER, which receives its old function and the list of arguments. Functions that this
version of ACL2 does not have are skipped. Returns the new function of NAME."
  (when (fboundp name)
    (let ((inner (symbol-function name)))
      (setf (symbol-function name)
            (lambda (&rest arguments) (funcall wrapper inner arguments))))))

(defmacro with-function ((name function) &body body)
  "While BODY runs, calls of NAME go to FUNCTION. On GCL a wrapper is interpreted, so a frequently called function is
wrapped only while something is to be observed."
  (let ((before (gensym)))
    `(let ((,before (symbol-function ',name)))
       (setf (symbol-function ',name) ,function)
       (unwind-protect (progn ,@body)
         (setf (symbol-function ',name) ,before)))))
