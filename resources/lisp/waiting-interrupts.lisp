;;;; Interrupts of threads by others, bounded. Those that gather while code lets none in are taken one inside the other as
;;;; soon as it does, for the exit from each lets in the next; at the ninth SBCL ends the process.

(in-package :lisp-harbor-agent)

(defconstant +most-waiting+ 4 "Interrupts that may wait in a thread; user code needs room for its own.")

(defvar *waiting-interrupts* '() "The thread of each interrupt that has not been taken yet.")
(defvar *waiting-interrupts-lock* (make-mutex :name "lisp-harbor interrupts"))

(defmacro with-waiting-interrupts (&body body)
  "Runs BODY alone. An interrupt that came meanwhile would wait for the lock that its own thread holds."
  `(without-interrupts (with-mutex (*waiting-interrupts-lock*) ,@body)))

(defun begin-waiting (thread)
  "False when enough interrupts wait in THREAD already."
  (with-waiting-interrupts
    ;; Those of a thread that has ended are never taken.
    (setf *waiting-interrupts* (remove-if-not #'thread-alive-p *waiting-interrupts*))
    (when (< (count thread *waiting-interrupts*) +most-waiting+)
      (push thread *waiting-interrupts*))))

(defun end-waiting (thread)
  (with-waiting-interrupts
    (setf *waiting-interrupts* (remove thread *waiting-interrupts* :count 1))))

(defun interrupt (thread function)
  "Has THREAD call FUNCTION, unless so many calls wait there that one more would change nothing. Signals
INTERRUPT-THREAD-ERROR when THREAD has ended."
  (when (begin-waiting thread)
    (interrupt-thread thread (lambda () (end-waiting thread) (funcall function)))))
