;;;; ABOUTME: Looks at the calls that code makes of functions which are not ours: of the compiler, of test frameworks.
;;;; ABOUTME: They go on as if nobody looked.

(in-package :lisp-harbor-agent)

(defun call-observed (name observer function)
  "Calls FUNCTION. OBSERVER is called with the arguments of each call of the function NAME before that goes on."
  (sb-int:encapsulate name 'lisp-harbor-observer
                      (lambda (observed &rest arguments)
                        (funcall observer arguments)
                        (apply observed arguments)))
  (unwind-protect (funcall function)
    (sb-int:unencapsulate name 'lisp-harbor-observer)))
