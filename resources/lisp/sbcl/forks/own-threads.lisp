;;;; The agent's own threads. A fork contains only the thread that called fork, so the others are ended
;;;; before and started again afterwards. Threads of user code prevent a fork and are reported by name.

(in-package :lisp-harbor-agent)

(defconstant +ending-seconds+ 1 "Maximum time to wait for the end of an idle or returning thread of the agent.")
(defconstant +moment+ 0.1 "Time in which a thread of user code may still end by itself, in seconds.")

(define-implementation start-own-threads ()
  (ensure-output-thread)
  (ensure-evaluation-thread)
  (run-late-timers))

(defun wait-until-ended (thread)
  "Waits a short time for the end of THREAD, if there is one, and reports whether it has ended. It may be a
thread of a saved process."
  (flet ((ended-p () (not (and thread (sb-thread:thread-alive-p thread)))))
    (or (ended-p)
        (progn (sb-thread:join-thread thread :timeout +ending-seconds+ :default nil)
               (ended-p)))))

(defun ask-to-end ()
  "Makes the evaluation thread return after the requests queued so far."
  (sb-thread:with-mutex (*requests-lock*)
    (setf *requests* (append *requests* '(:end)))
    (sb-thread:condition-notify *requests-came*)))

(defun ask-to-stay ()
  "Withdraws the request of ASK-TO-END. Returns false if the thread has taken it already."
  (sb-thread:with-mutex (*requests-lock*)
    (prog1 (member :end *requests*)
      (setf *requests* (remove :end *requests*)))))

(defun end-evaluation-thread ()
  "Ends the evaluation thread if it is idle or about to be: the result of an evaluation is sent shortly before
its end."
  (ask-to-end)
  (cond ((wait-until-ended *evaluation-thread*)
         (ask-to-stay)                  ; The thread may not have existed to take it.
         t)
        ((ask-to-stay) nil)
        (t (wait-until-ended *evaluation-thread*))))

(defun end-own-threads ()
  "Ends every thread of the agent except this one, the wire's. Returns false if one of them is busy."
  (setf *evaluation-thread-replaced* t)
  (and (null *current*)
       (every #'wait-until-ended *begun-queries*)
       (end-evaluation-thread)
       (wait-until-ended (end-output-thread))))

(defun other-threads ()
  "Returns the threads other than this one. The finalizer thread belongs to SBCL, which stops it for a fork by
itself."
  (remove-if (lambda (thread)
               (or (eq thread sb-thread:*current-thread*) (sb-thread::thread-ephemeral-p thread)))
             (sb-thread:list-all-threads)))

(defun within (seconds function)
  "Calls FUNCTION every 5 ms until it returns true or SECONDS have passed. Returns its value, or NIL."
  (loop repeat (ceiling seconds 0.005)
        thereis (funcall function)
        do (sleep 0.005)))

(defun lasting-threads ()
  "Returns the threads other than this one that are alive and do not end shortly. A thread that has ended may
still be listed."
  (unless (within +moment+ (lambda () (null (other-threads))))
    (remove-if-not #'sb-thread:thread-alive-p (other-threads))))

(defun thread-text (thread)
  (let ((name (sb-thread:thread-name thread)))
    (if name (values (print-bounded name :limit 100)) "a thread without a name")))
