;;;; The handler of every unhandled condition of the image, in any thread and with any hooks of the
;;;; user. It never waits for a terminal: an evaluation is ended or suspended; another thread reports
;;;; and is aborted.

(in-package :lisp-harbor-agent)

(define-implementation enter-debugger (condition &optional hook)
  (declare (ignore hook))
  ;; SBCL binds the hook to NIL around this call. A condition in the report must be handled here too.
  (let ((sb-ext:*invoke-debugger-hook* #'enter-debugger))
    (usable-package)
    (note-full-heap condition)
    (cond (*unhandled* (funcall *unhandled* condition))
          ((sb-thread:main-thread-p) (throw 'wire-fault (message-of condition)))
          (t (report-in-thread condition)
             (sb-thread:abort-thread)))))

(defun report-in-thread (condition)
  "Reports on stderr the condition that ended a thread of the user."
  (ignore-errors
   (let ((stream (make-event-stream "stderr")))
     (format stream "~&Unhandled ~A in thread ~A, which is ended:~%  ~A~%"
             (name-text (type-of condition))
             (print-bounded (sb-thread:thread-name sb-thread:*current-thread*) :limit 200)
             (message-of condition))
     (loop for text in (frame-texts (user-frames) nil)
           for index below 5
           do (format stream "  ~D: ~A~%" index text))
     (flush-output))))

(define-implementation install-debugger ()
  "Makes ENTER-DEBUGGER the only debugger. User code may set both hooks to NIL, and the function that SBCL
calls then would wait for a terminal, so that function is replaced too."
  (setf sb-ext:*invoke-debugger-hook* #'enter-debugger)
  (sb-ext:without-package-locks
    (setf (fdefinition 'sb-debug::%invoke-debugger) #'enter-debugger
          ;; DISABLE-DEBUGGER, which build scripts call, installs this function as the hook; an error
          ;; would then end the image.
          (fdefinition 'sb-debug::debugger-disabled-hook) #'enter-debugger)))
