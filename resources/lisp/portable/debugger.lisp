;;;; Unhandled conditions on Lisps without debugger levels: an evaluation ends with a report; another
;;;; thread reports and is aborted. All evaluations run at the top level. This code never waits for a
;;;; terminal.

(in-package :lisp-harbor-agent)

(defvar *wire-thread* nil "The thread that reads the wire and never runs user code.")

(define-implementation enter-debugger (condition &optional hook)
  (declare (ignore hook))
  ;; Lisps bind the hook to NIL around this call. A condition in the report must be handled here too.
  (let ((*invoke-debugger-hook* #'enter-debugger)
        (*debugger-hook* #'enter-debugger))
    (usable-package)
    (cond (*unhandled* (funcall *unhandled* condition))
          ((eq (current-thread) *wire-thread*) (throw 'wire-fault (message-of condition)))
          (t (report-in-thread condition)
             (abort)))))

(defun report-in-thread (condition)
  "Reports on stderr the condition that ended a thread of the user."
  (ignore-errors
   (let ((stream (make-event-stream "stderr")))
     (format stream "~&Unhandled ~A in thread ~A, which is ended:~%  ~A~%"
             (name-text (type-of condition))
             (print-bounded (thread-name (current-thread)) :limit 200)
             (message-of condition))
     (flush-output))))

(define-implementation install-debugger ()
  (setf *invoke-debugger-hook* #'enter-debugger
        *debugger-hook* #'enter-debugger))

;;; Evaluations.

(define-implementation misplacement (evaluation)
  (unless (zerop (evaluation-level evaluation))
    (format nil "This was meant for ~A, but ~A holds no levels here." (level-name (evaluation-level evaluation))
            (lisp-implementation-type))))

(define-implementation end-or-hold (condition)
  (when (evaluation-holds *evaluation*)
    (note *evaluation* "The debugger level was not held: sessions of ~A report errors and return to the top level."
          (lisp-implementation-type)))
  ;; If the stack is exhausted, the condition is described after the unwind, when there is room.
  (throw 'evaluation-ended
    (cons "error" (if (typep condition 'storage-condition)
                      (lambda () (condition-data condition '()))
                      (condition-data condition (user-frames))))))

(define-implementation asked-arguments (restart)
  "Returns the arguments of the standard restarts. Restarts are listed only and cannot be invoked."
  (if (member (restart-name restart) '(use-value store-value)) '("value") '()))
