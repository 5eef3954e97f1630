;;;; ABOUTME: Looks at the calls that code makes of functions which are not ours: of the compiler, of test frameworks.
;;;; ABOUTME: They go on as if nobody looked.

(in-package :lisp-harbor-agent)

(defun call-around (name wrapper function)
  "Calls FUNCTION. Each call of the function NAME meanwhile goes to WRAPPER, with that function before its arguments."
  (sb-int:encapsulate name wrapper wrapper)
  (unwind-protect (funcall function)
    (sb-int:unencapsulate name wrapper)))

(defun call-observed (name observer function)
  "Calls FUNCTION. OBSERVER is called with the arguments of each call of the function NAME before that goes on."
  (call-around name
               (lambda (observed &rest arguments)
                 (funcall observer arguments)
                 (apply observed arguments))
               function))
