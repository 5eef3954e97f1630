;;;; Unhandled conditions and the stack on Lisps whose debugger the agent cannot hold: an evaluation is ended, another
;;;; thread reports and is aborted. Nothing here waits for a terminal.

(in-package :lisp-harbor-agent)

(defvar *wire-thread* nil "The thread that reads the wire and never runs user code.")

(define-implementation enter-debugger (condition &optional hook)
  (declare (ignore hook))
  ;; Lisps bind the hook to NIL around this call; a condition in the report must come here too.
  (let ((*invoke-debugger-hook* #'enter-debugger)
        (*debugger-hook* #'enter-debugger))
    (usable-package)
    (cond (*unhandled* (funcall *unhandled* condition))
          ((eq (current-thread) *wire-thread*) (throw 'wire-fault (message-of condition)))
          (t (report-in-thread condition)
             (abort)))))

(defun report-in-thread (condition)
  "Tells on stderr what a thread of the user's died of."
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
