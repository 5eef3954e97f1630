;;;; The agent's own threads. A copy of the process holds only the thread that made it, so they are ended before and
;;;; started again after. Threads of user code prevent a copy, and are named.

(in-package :lisp-harbor-agent)

(defconstant +ending-seconds+ 1 "How long an idle thread of the agent, or one that is just returning, may take to end.")
(defconstant +moment+ 0.1 "Seconds in which a thread of user code that lives may still end by itself.")

(define-implementation start-own-threads ()
  (ensure-output-thread)
  (ensure-evaluation-thread)
  (run-late-timers))

(defun wait-until-ended (thread)
  "Whether THREAD, if there is one, has ended; waits for it a while. It may have been one of a process that was saved."
  (flet ((ended-p () (not (and thread (sb-thread:thread-alive-p thread)))))
    (or (ended-p)
        (progn (sb-thread:join-thread thread :timeout +ending-seconds+ :default nil)
               (ended-p)))))

(defun ask-to-end ()
  "Has the evaluation thread return when it has done what was asked of it before."
  (sb-thread:with-mutex (*requests-lock*)
    (setf *requests* (append *requests* '(:end)))
    (sb-thread:condition-notify *requests-came*)))

(defun ask-to-stay ()
  "Takes back what ASK-TO-END has asked. False when the thread has seen it already."
  (sb-thread:with-mutex (*requests-lock*)
    (prog1 (member :end *requests*)
      (setf *requests* (remove :end *requests*)))))

(defun end-evaluation-thread ()
  "Ends the evaluation thread if it is idle, or about to be: an evaluation is answered before it is quite over."
  (ask-to-end)
  (cond ((wait-until-ended *evaluation-thread*)
         (ask-to-stay)                  ; nobody may have been there to see it
         t)
        ((ask-to-stay) nil)
        (t (wait-until-ended *evaluation-thread*))))

(defun end-own-threads ()
  "Ends every thread of the agent but this one, the wire's. False when one of them is busy."
  (setf *evaluation-thread-replaced* t)
  (and (null *current*)
       (every #'wait-until-ended *begun-queries*)
       (end-evaluation-thread)
       (wait-until-ended (end-output-thread))))

(defun other-threads ()
  "Threads beside this one. The finalizer's is SBCL's own, which ends it for a copy by itself."
  (remove-if (lambda (thread)
               (or (eq thread sb-thread:*current-thread*) (sb-thread::thread-ephemeral-p thread)))
             (sb-thread:list-all-threads)))

(defun within (seconds function)
  "The first true value of FUNCTION, called every 5 ms until SECONDS have passed; NIL where there is none."
  (loop repeat (ceiling seconds 0.005)
        thereis (funcall function)
        do (sleep 0.005)))

(defun lasting-threads ()
  "Threads beside this one that live and do not end by themselves in a moment. One that has ended may still be listed."
  (unless (within +moment+ (lambda () (null (other-threads))))
    (remove-if-not #'sb-thread:thread-alive-p (other-threads))))

(defun thread-text (thread)
  (let ((name (sb-thread:thread-name thread)))
    (if name (values (print-bounded name :limit 100)) "a thread without a name")))
