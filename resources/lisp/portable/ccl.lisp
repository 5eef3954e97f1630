;;;; ABOUTME: What the agent asks of CCL beyond the standard: threads and locks by SBCL's names, the wire's descriptor,
;;;; ABOUTME: stack frames, places of definitions. Written from CCL's manual: nobody has run it here.

(in-package :lisp-harbor-agent)

(defvar *invoke-debugger-hook* nil "CCL has *DEBUGGER-HOOK* alone, which is set beside it.")

(define-symbol-macro *handler-clusters* ccl::%handlers%)

;;; Locks.

(defun make-mutex (&key name)
  (ccl:make-lock name))

(defmacro with-mutex ((mutex) &body body)
  `(ccl:with-lock-grabbed (,mutex) ,@body))

(defmacro with-recursive-lock ((mutex) &body body)
  `(ccl:with-lock-grabbed (,mutex) ,@body))

(defstruct (waitqueue (:constructor make-waitqueue (&key name)))
  name
  (semaphore (ccl:make-semaphore))
  (waiting 0 :type integer))

(defun condition-wait (queue mutex)
  (incf (waitqueue-waiting queue))
  (ccl:release-lock mutex)
  (unwind-protect (ccl:wait-on-semaphore (waitqueue-semaphore queue))
    (ccl:grab-lock mutex)
    (decf (waitqueue-waiting queue))))

(defun condition-notify (queue)
  "Wakes all threads that wait in QUEUE; the caller holds their mutex."
  (loop repeat (waitqueue-waiting queue)
        do (ccl:signal-semaphore (waitqueue-semaphore queue))))

;;; Threads.

(define-condition interrupt-thread-error (error) ())

(defmacro without-interrupts (&body body)
  `(ccl:without-interrupts ,@body))

(defmacro with-local-interrupts (&body body)
  `(ccl:with-interrupts-enabled ,@body))

(defun make-thread (function &key name arguments)
  (apply #'ccl:process-run-function name function arguments))

(defun current-thread ()
  ccl:*current-process*)

(defun thread-name (thread)
  (ccl:process-name thread))

(defun thread-alive-p (thread)
  (not (ccl:process-exhausted-p thread)))

(defun interrupt-thread (thread function)
  "Has THREAD call FUNCTION at its next opportunity."
  (ccl:process-interrupt thread function))

;;; The process.

(define-condition memory-fault-error (error) ()
  (:documentation "Nobody signals it here: CCL has errors of its own for that."))

(defun end-process (code)
  "Ends the process at once, whatever its threads do."
  (ccl:external-call "_exit" :signed-fullword code :void))

(defun install-exit ()
  (pushnew 'begin-exit ccl:*lisp-cleanup-functions*))

(defun working-directory ()
  (ccl:current-directory))

;;; The wire.

(defvar *wire* nil)

(defun open-wire ()
  "Takes descriptor 3, and keeps it from the programs that user code may start."
  (let ((set-descriptor-flags 2) (close-on-exec 1))
    (ccl:external-call "fcntl" :signed-fullword 3 :signed-fullword set-descriptor-flags
                               :signed-fullword close-on-exec :signed-fullword))
  (setf *wire* (ccl::make-fd-stream 3 :direction :io :sharing :lock :encoding :utf-8)))

(defun line-from-wire ()
  "The next line without its newline; NIL at the end."
  (read-line *wire* nil nil))

(defun write-to-wire (text)
  (write-string text *wire*)
  (finish-output *wire*))

;;; The stack: names of functions.

(defparameter +internal-packages+ '("CCL" "LISP-HARBOR-AGENT")
  "Packages whose functions are no user's.")

(defun stack-calls ()
  "Names of the functions that run in this thread, innermost first."
  (let ((names '()))
    (ccl:map-call-frames (lambda (frame context)
                           (push (ccl:function-name (ccl:frame-function frame context)) names)))
    (nreverse names)))

;;; What CCL knows of definitions.

(defun arglist-of (function)
  "The lambda list of FUNCTION. Second value: whether it is known."
  (multiple-value-bind (arglist known) (ccl:arglist function)
    (values arglist (and known t))))

(defun file-of (name)
  "The file where the function NAME was defined and a position in it, or NIL."
  (let ((note (ccl:function-source-note (or (and (symbolp name) (macro-function name)) (fdefinition name)))))
    (and note (values (namestring (ccl:source-note-filename note)) (ccl:source-note-start-pos note)))))

(defun declared-special-p (symbol)
  (ccl:proclaimed-special-p symbol))

(defun package-locked-p (package)
  "CCL locks no packages."
  (declare (ignore package))
  nil)
