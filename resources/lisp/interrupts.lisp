;;;; ABOUTME: Stopping the evaluation that runs, from another thread, and only that one.
;;;; ABOUTME: Guarded by the evaluation's id, so that an interrupt which comes late cannot hit the next evaluation.

(in-package :lisp-harbor-agent)

(defvar *evaluation-thread* nil "The thread that evaluates; replaced when user code ends it.")

(defun call-in-evaluation (id function)
  "Has the evaluation thread call FUNCTION if evaluation ID still runs by then. False when it does not run now."
  (let ((thread *evaluation-thread*))
    (when (and id thread (eql id *current*))
      (handler-case
          (sb-thread:interrupt-thread thread (lambda () (when (eql id *current*) (funcall function))))
        (sb-thread:interrupt-thread-error () nil)
        (:no-error (&rest values) (declare (ignore values)) t)))))

(defun interrupt-evaluation (id)
  "Unwinds evaluation ID to the top level, through its cleanup forms. False when it does not run."
  (call-in-evaluation id (lambda () (throw 'evaluation-ended (list "interrupted")))))

(defvar *exiting* nil "Whether the main thread has begun to end the process; it ends the other threads then.")

(defun begin-exit ()
  "An exit hook."
  (setf *exiting* t)
  (deliver-output))

(defun exiting-p ()
  "Whether this thread is unwound because the process ends: it has called EXIT itself, or another one has."
  (or *exiting* sb-impl::*exit-in-progress*))

(defun handle-sigint (signal info context)
  "Ctrl-C, wherever it comes from, interrupts the evaluation instead of opening a debugger."
  (declare (ignore signal info context))
  (interrupt-evaluation *current*))

(defun install-signal-handlers ()
  (sb-sys:enable-interrupt sb-unix:sigint #'handle-sigint)
  (sb-sys:enable-interrupt sb-unix:sigpipe :ignore))
