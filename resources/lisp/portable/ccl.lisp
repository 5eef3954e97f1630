;;;; The backend interface for CCL: threads and locks, the wire's descriptor, stack frames, source
;;;; locations. Written from CCL's manual and not tested.

(in-package :lisp-harbor-agent)

(defvar *invoke-debugger-hook* nil "CCL has only *DEBUGGER-HOOK*, which is set as well.")

(define-symbol-macro *handler-clusters* ccl::%handlers%)

;;; Locks.

(define-implementation make-mutex (&key name)
  (ccl:make-lock name))

(define-implementation with-mutex ((mutex) &body body)
  `(ccl:with-lock-grabbed (,mutex) ,@body))

(define-implementation with-recursive-lock ((mutex) &body body)
  `(ccl:with-lock-grabbed (,mutex) ,@body))

(defstruct (waitqueue (:constructor new-waitqueue (name)))
  name
  (semaphore (ccl:make-semaphore))
  (waiting 0 :type integer))

(define-implementation make-waitqueue (&key name)
  (new-waitqueue name))

(define-implementation condition-wait (queue mutex)
  (incf (waitqueue-waiting queue))
  (ccl:release-lock mutex)
  (unwind-protect (ccl:wait-on-semaphore (waitqueue-semaphore queue))
    (ccl:grab-lock mutex)
    (decf (waitqueue-waiting queue))))

(define-implementation condition-notify (queue)
  "Wakes all threads that wait on QUEUE. The caller owns the mutex of QUEUE."
  (loop repeat (waitqueue-waiting queue)
        do (ccl:signal-semaphore (waitqueue-semaphore queue))))

;;; Threads.

(define-implementation without-interrupts (&body body)
  `(ccl:without-interrupts ,@body))

(define-implementation with-local-interrupts (&body body)
  `(ccl:with-interrupts-enabled ,@body))

(define-implementation make-thread (function &key name arguments)
  (apply #'ccl:process-run-function name function arguments))

(define-implementation current-thread ()
  ccl:*current-process*)

(define-implementation thread-name (thread)
  (ccl:process-name thread))

(define-implementation end-thread (thread)
  (ccl:process-kill thread))

(define-implementation thread-alive-p (thread)
  (not (ccl:process-exhausted-p thread)))

(define-implementation interrupt-thread (thread function)
  (ccl:process-interrupt thread function))

;;; The process.

(define-implementation end-process (code)
  (ccl:external-call "_exit" :signed-fullword code :void))

(define-implementation install-exit ()
  (pushnew 'begin-exit ccl:*lisp-cleanup-functions*))

(define-implementation working-directory ()
  (ccl:current-directory))

;;; The wire.

(defvar *wire* nil)

(define-implementation open-wire ()
  "Opens descriptor 3 and sets close-on-exec, so that programs started by user code do not inherit it."
  (let ((set-descriptor-flags 2) (close-on-exec 1))
    (ccl:external-call "fcntl" :signed-fullword 3 :signed-fullword set-descriptor-flags
                               :signed-fullword close-on-exec :signed-fullword))
  (setf *wire* (ccl::make-fd-stream 3 :direction :io :sharing :lock :encoding :utf-8)))

(define-implementation read-wire-line ()
  (read-line *wire* nil nil))

(define-implementation print-on-wire (text)
  (write-string text *wire*)
  (finish-output *wire*))

;;; The stack: names of functions.

(define-implementation internal-packages ()
  '("CCL" "LISP-HARBOR-AGENT"))

(define-implementation stack-calls ()
  "Returns the names of the functions that run in this thread, innermost first."
  (let ((names '()))
    (ccl:map-call-frames (lambda (frame context)
                           (push (ccl:function-name (ccl:frame-function frame context)) names)))
    (nreverse names)))

;;; Information about definitions.

(define-implementation arglist-of (function)
  (multiple-value-bind (arglist known) (ccl:arglist function)
    (values arglist (and known t))))

(define-implementation file-of (name)
  (let ((note (ccl:function-source-note (or (and (symbolp name) (macro-function name)) (fdefinition name)))))
    (and note (values (namestring (ccl:source-note-filename note)) (ccl:source-note-start-pos note)))))

(define-implementation declared-special-p (symbol)
  (ccl:proclaimed-special-p symbol))
