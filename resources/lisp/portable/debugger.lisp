;;;; ABOUTME: Where every unhandled condition of the image arrives, in whatever thread.
;;;; ABOUTME: Nothing here waits for a terminal: an evaluation is ended, another thread reports and is aborted.

(in-package :lisp-harbor-agent)

(defvar *unhandled* nil
  "What becomes of an unhandled condition where code runs on behalf of the harbor: a function of the condition that
does not return. Bound in the evaluation thread, never globally.")

(defvar *wire-thread* nil "The thread that reads the wire and never runs user code.")

(defun enter-debugger (condition &optional hook)
  "The debugger of this image. Never returns."
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

(defun install-debugger ()
  "Makes ENTER-DEBUGGER the debugger of all threads."
  (setf *invoke-debugger-hook* #'enter-debugger
        *debugger-hook* #'enter-debugger))
