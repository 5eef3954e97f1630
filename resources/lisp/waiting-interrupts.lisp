;;;; A limit on the interrupts that threads send to each other. Interrupts that accumulate while they
;;;; are deferred nest as soon as they are allowed, because the exit from each one allows the next; at
;;;; the ninth SBCL ends the process.

(in-package :lisp-harbor-agent)

(defconstant +most-waiting+ 4 "Maximum number of interrupts pending in a thread. User code needs room for its own.")

(defvar *waiting-interrupts* '() "The thread of each interrupt that is still pending.")
(defvar *waiting-interrupts-lock* (make-mutex :name "lisp-harbor interrupts"))

(defmacro with-waiting-interrupts (&body body)
  "Runs BODY while this thread owns the lock. Defers interrupts, because a nested one would wait for the lock
that its own thread owns."
  `(without-interrupts (with-mutex (*waiting-interrupts-lock*) ,@body)))

(defun begin-waiting (thread)
  "Returns false if enough interrupts are pending in THREAD already."
  (with-waiting-interrupts
    ;; Interrupts of a thread that has ended never run.
    (setf *waiting-interrupts* (remove-if-not #'thread-alive-p *waiting-interrupts*))
    (when (< (count thread *waiting-interrupts*) +most-waiting+)
      (push thread *waiting-interrupts*))))

(defun end-waiting (thread)
  (with-waiting-interrupts
    (setf *waiting-interrupts* (remove thread *waiting-interrupts* :count 1))))

(defun interrupt (thread function)
  "Makes THREAD call FUNCTION, unless so many calls are pending there that one more has no effect. Signals
INTERRUPT-THREAD-ERROR if THREAD has ended."
  (when (begin-waiting thread)
    (interrupt-thread thread (lambda () (end-waiting thread) (funcall function)))))
