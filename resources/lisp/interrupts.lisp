;;;; Stops the evaluation that runs, from another thread. An interrupt names its evaluation, so one that comes late
;;;; cannot hit the next.

(in-package :lisp-harbor-agent)

(defvar *evaluation-thread* nil "The thread that evaluates; replaced when user code ends it.")

(defun call-in-evaluation (id function)
  "Has the evaluation thread call FUNCTION if evaluation ID still runs by then. False when it does not run now."
  (let ((thread *evaluation-thread*))
    (when (and id thread (eql id *current*))
      (handler-case
          (interrupt thread (lambda () (when (eql id *current*) (funcall function))))
        (interrupt-thread-error () nil)
        (:no-error (&rest values) (declare (ignore values)) t)))))

(defun interrupt-evaluation (id)
  "Unwinds evaluation ID to the top level, through its cleanup forms. False when it does not run."
  (call-in-evaluation id (lambda () (throw 'evaluation-ended (list "interrupted")))))

(define-operation "interrupt" (request)
  "Members: id, evaluation. The reply tells whether that evaluation ran."
  (send "reply"
        "id" (member-of request "id")
        "done" (if (interrupt-evaluation (member-of request "evaluation")) :true :false)))

(defvar *exiting* nil "Whether the main thread has begun to end the process; it ends the other threads then.")

(defun begin-exit ()
  "An exit hook."
  (setf *exiting* t)
  (deliver-output))
