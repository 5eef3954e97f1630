;;;; Interrupts of the running evaluation from another thread. An interrupt names its evaluation, so
;;;; that a late interrupt cannot hit the next one.

(in-package :lisp-harbor-agent)

(defvar *evaluation-thread* nil "The evaluation thread. Replaced when user code ends it.")

(defun call-in-evaluation (id function)
  "Makes the evaluation thread call FUNCTION if evaluation ID still runs at that time. Returns false if it does
not run now."
  (let ((thread *evaluation-thread*))
    (when (and id thread (eql id *current*))
      (handler-case
          (interrupt thread (lambda () (when (eql id *current*) (funcall function))))
        (interrupt-thread-error () nil)
        (:no-error (&rest values) (declare (ignore values)) t)))))

(defun interrupt-evaluation (id)
  "Unwinds evaluation ID to the top level and runs its cleanup forms. Returns false if it does not run."
  (call-in-evaluation id (lambda ()
                           (note-place)
                           (throw 'evaluation-ended (list "interrupted")))))

(define-operation "interrupt" (request)
  "Members: id, evaluation. The reply says whether that evaluation was running."
  (send "reply"
        "id" (member-of request "id")
        "done" (if (interrupt-evaluation (member-of request "evaluation")) :true :false)))

(defvar *exiting* nil "True once the main thread has begun to end the process, which ends the other threads.")

(defun begin-exit ()
  "Sets the flag. Runs as an exit hook."
  (setf *exiting* t)
  (deliver-output))
