;;;; ABOUTME: What the agent asks of ECL beyond the standard: threads and locks by SBCL's names, the wire's descriptor,
;;;; ABOUTME: stack frames, places of definitions. Compiled through C, so it may name C's functions.

(in-package :lisp-harbor-agent)

(ffi:clines "#include <fcntl.h>" "#include <unistd.h>")

;;; Threads.

(define-condition interrupt-thread-error (error) ())

(defun make-mutex (&key name)
  (mp:make-lock :name name))

(defmacro with-mutex ((mutex) &body body)
  `(mp:with-lock (,mutex) ,@body))

(defmacro with-recursive-lock ((mutex) &body body)
  `(flet ((body () ,@body))
     (if (mp:holding-lock-p ,mutex)
         (body)
         (mp:with-lock (,mutex) (body)))))

(defun make-waitqueue (&key name)
  (declare (ignore name))
  (mp:make-condition-variable))

(defun condition-wait (queue mutex)
  (mp:condition-variable-wait queue mutex))

(defun condition-notify (queue)
  (mp:condition-variable-broadcast queue))

(defun make-thread (function &key name arguments)
  (apply #'mp:process-run-function name function arguments))

(defun current-thread ()
  mp:*current-process*)

(defun thread-name (thread)
  (mp:process-name thread))

(defun thread-alive-p (thread)
  (mp:process-active-p thread))

(defun interrupt-thread (thread function)
  "Has THREAD call FUNCTION at its next opportunity."
  (mp:interrupt-process thread function))

;;; The process.

(deftype memory-fault-error ()
  'ext:segmentation-violation)

(defun end-process (code)
  "Ends the process at once, whatever its threads do."
  (ffi:c-inline (code) (:int) :void "_exit(#0)" :one-liner t))

(defun quit (&optional (code 0) (kill-all-threads t))
  "In place of EXT:QUIT, which ends the wire's thread first: the process would end with that one, and code 0."
  (declare (ignore kill-all-threads))
  (mapc (lambda (hook) (ignore-errors (funcall hook))) si::*exit-hooks*)
  (end-process code))

(defun install-exit ()
  (pushnew 'begin-exit si::*exit-hooks*)
  (setf (fdefinition 'ext:quit) #'quit))

;;; The wire.

(defvar *wire-input* nil)
(defvar *wire-output* nil)

(defun open-wire ()
  "Takes descriptor 3, and keeps it from the programs that user code may start."
  (ffi:c-inline () () :void "fcntl(3, F_SETFD, FD_CLOEXEC)" :one-liner t)
  (flet ((open-as (direction)
           (ext:make-stream-from-fd 3 direction :buffering :full :element-type 'character
                                                :external-format '(:utf-8 :lf))))
    (setf *wire-input* (open-as :input)
          *wire-output* (open-as :output))))

(defun line-from-wire ()
  "The next line without its newline; NIL at the end."
  (read-line *wire-input* nil nil))

(defun write-to-wire (text)
  (write-string text *wire-output*)
  (finish-output *wire-output*))

(defun working-directory ()
  (ext:getcwd))

;;; The stack. ECL keeps names of functions, not their arguments.

(defconstant +walked-frames+ 500 "Frames looked at; the stack may be exhausted and hundred thousands deep.")

(defparameter +internal-packages+ '("SYSTEM" "EXT" "MP" "CLOS" "LISP-HARBOR-AGENT")
  "Packages whose functions are no user's.")

(defun stack-calls ()
  "Names of the functions that run in this thread, innermost first, as far as they are looked at."
  (loop for index = (si:ihs-top) then (si:ihs-prev index)
        repeat +walked-frames+
        while (plusp index)
        collect (si::ihs-fname index)))

;;; What ECL knows of definitions.

(defun arglist-of (function)
  "The lambda list of FUNCTION. Second value: whether it is known."
  (ext:function-lambda-list function))

(defun file-of (name)
  "The file where the function NAME was defined and a position in it, or NIL."
  (multiple-value-bind (file position)
      (ext:compiled-function-file (or (and (symbolp name) (macro-function name)) (fdefinition name)))
    (and file (values (namestring file) position))))

(defun declared-special-p (symbol)
  (si:specialp symbol))
