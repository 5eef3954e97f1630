;;;; Puts code of ours around functions of ACL2's raw Lisp, where nothing else hears what they do. Their logical definitions
;;;; stay as they are, and ACL2 code reaches the old function only through ours.

(in-package "LISP-HARBOR-ACL2")

(defun wrap (name wrapper)
  "From now on calls of NAME go to WRAPPER, which gets its old function and the list of arguments. One that this version of
ACL2 does not have is passed over. Answers what NAME has now."
  (when (fboundp name)
    (let ((inner (symbol-function name)))
      (setf (symbol-function name)
            (lambda (&rest arguments) (funcall wrapper inner arguments))))))

(defmacro with-function ((name function) &body body)
  "While BODY runs, calls of NAME go to FUNCTION. On GCL a wrapper is interpreted, so that what is called very often is left as
it was wherever nothing is to be looked at."
  (let ((before (gensym)))
    `(let ((,before (symbol-function ',name)))
       (setf (symbol-function ',name) ,function)
       (unwind-protect (progn ,@body)
         (setf (symbol-function ',name) ,before)))))
