;;;; ECL's part of the interface: threads and locks, the wire's descriptor, stack frames, places of definitions. It is
;;;; compiled through C, so it may name C's functions.

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

;;; The process.

(deftype memory-fault-error ()
  'ext:segmentation-violation)

(define-implementation end-process (code)
  (ffi:c-inline (code) (:int) :void "_exit(#0)" :one-liner t))

(defun quit (&optional (code 0) (kill-all-threads t))
  "In place of EXT:QUIT, which ends the wire's thread first: the process would end with that one, and code 0."
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
  "Takes descriptor 3, and keeps it from the programs that user code may start."
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

;;; The stack. ECL keeps names of functions, not their arguments.

(defconstant +walked-frames+ 500 "Frames looked at; the stack may be exhausted and hundred thousands deep.")

(define-implementation internal-packages ()
  '("SYSTEM" "EXT" "MP" "CLOS" "LISP-HARBOR-AGENT"))

(define-implementation stack-calls ()
  "Names of the functions that run in this thread, innermost first, as far as they are looked at."
  (loop for index = (si:ihs-top) then (si:ihs-prev index)
        repeat +walked-frames+
        while (plusp index)
        collect (si::ihs-fname index)))

;;; What ECL knows of definitions.

(define-implementation arglist-of (function)
  (ext:function-lambda-list function))

(define-implementation file-of (name)
  (multiple-value-bind (file position)
      (ext:compiled-function-file (or (and (symbolp name) (macro-function name)) (fdefinition name)))
    (and file (values (namestring file) position))))

(define-implementation declared-special-p (symbol)
  (si:specialp symbol))
