;;;; The backend interface for ECL: threads and locks, the wire's descriptor, stack frames, source
;;;; locations. ECL compiles to C, so this file can call C functions.

(in-package :lisp-harbor-agent)

(ffi:clines "#include <fcntl.h>" "#include <unistd.h>")

;;; Threads.

(define-implementation make-mutex (&key name)
  (mp:make-lock :name name))

(define-implementation with-mutex ((mutex) &body body)
  `(mp:with-lock (,mutex) ,@body))

(define-implementation with-recursive-lock ((mutex) &body body)
  `(flet ((body () ,@body))
     (if (mp:holding-lock-p ,mutex)
         (body)
         (mp:with-lock (,mutex) (body)))))

(define-implementation make-waitqueue (&key name)
  (declare (ignore name))
  (mp:make-condition-variable))

(define-implementation condition-wait (queue mutex)
  (mp:condition-variable-wait queue mutex))

(define-implementation condition-notify (queue)
  (mp:condition-variable-broadcast queue))

(define-implementation make-thread (function &key name arguments)
  (apply #'mp:process-run-function name function arguments))

(define-implementation current-thread ()
  mp:*current-process*)

(define-implementation thread-name (thread)
  (mp:process-name thread))

(define-implementation thread-alive-p (thread)
  (mp:process-active-p thread))

(define-implementation interrupt-thread (thread function)
  (mp:interrupt-process thread function))

(define-implementation end-thread (thread)
  (mp:process-kill thread))

(define-implementation call-with-loading-compiler (function)
  "Compiles to bytecodes, because the other compiler goes through C, which takes a minute."
  (ext:install-bytecodes-compiler)
  (unwind-protect (funcall function)
    (ext:install-c-compiler)))

;;; The process.

(deftype memory-fault-error ()
  'ext:segmentation-violation)

(define-implementation end-process (code)
  (ffi:c-inline (code) (:int) :void "_exit(#0)" :one-liner t))

(defun quit (&optional (code 0) (kill-all-threads t))
  "Replaces EXT:QUIT, which ends the wire's thread first: the process would end with that thread, with exit
code 0."
  (declare (ignore kill-all-threads))
  (mapc (lambda (hook) (ignore-errors (funcall hook))) si::*exit-hooks*)
  (end-process code))

(define-implementation install-exit ()
  (pushnew 'begin-exit si::*exit-hooks*)
  (setf (fdefinition 'ext:quit) #'quit))

;;; The wire.

(defvar *wire-input* nil)
(defvar *wire-output* nil)

(define-implementation open-wire ()
  "Opens descriptor 3 and sets close-on-exec, so that programs started by user code do not inherit it."
  (ffi:c-inline () () :void "fcntl(3, F_SETFD, FD_CLOEXEC)" :one-liner t)
  (flet ((open-as (direction)
           (ext:make-stream-from-fd 3 direction :buffering :full :element-type 'character
                                                :external-format '(:utf-8 :lf))))
    (setf *wire-input* (open-as :input)
          *wire-output* (open-as :output))))

(define-implementation read-wire-line ()
  (read-line *wire-input* nil nil))

(define-implementation print-on-wire (text)
  (write-string text *wire-output*)
  (finish-output *wire-output*))

(define-implementation working-directory ()
  (ext:getcwd))

;;; The stack. ECL records names of functions, not their arguments.

(defconstant +walked-frames+ 500
  "Maximum number of frames examined. An exhausted stack may have hundreds of thousands.")

(define-implementation internal-packages ()
  '("SYSTEM" "EXT" "MP" "CLOS" "LISP-HARBOR-AGENT"))

(define-implementation stack-calls ()
  "Returns the names of the functions that run in this thread, innermost first, up to the maximum."
  (loop for index = (si:ihs-top) then (si:ihs-prev index)
        repeat +walked-frames+
        while (plusp index)
        collect (si::ihs-fname index)))

;;; Information about definitions.

(define-implementation arglist-of (function)
  (ext:function-lambda-list function))

(define-implementation file-of (name)
  (multiple-value-bind (file position)
      (ext:compiled-function-file (or (and (symbolp name) (macro-function name)) (fdefinition name)))
    (and file (values (namestring file) position))))

(define-implementation declared-special-p (symbol)
  (si:specialp symbol))
