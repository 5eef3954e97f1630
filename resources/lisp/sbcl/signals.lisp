;;;; What reaches this process as a signal: Ctrl-C, which interrupts the evaluation, and the timers of user code; and how
;;;; the process ends.

(in-package :lisp-harbor-agent)

(define-implementation end-process (code)
  (sb-ext:exit :code code :abort t))

(define-implementation exiting-p ()
  "Whether this thread is unwound because the process ends: it has called EXIT itself, or another one has."
  (or *exiting* sb-impl::*exit-in-progress*))

(defun handle-sigint (signal info context)
  "Interrupts the evaluation instead of opening a debugger, wherever the Ctrl-C comes from."
  (declare (ignore signal info context))
  (interrupt-evaluation *current*))

(defun install-signal-handlers ()
  (sb-sys:enable-interrupt sb-unix:sigint #'handle-sigint)
  (sb-sys:enable-interrupt sb-unix:sigpipe :ignore))

;;; Timers. One runs in the thread that made it, unless it was told another: in the evaluation thread. That thread may be
;;; replaced; timers move on to the new one, and none is lost that goes off meanwhile.

(defvar *evaluation-thread-replaced* nil "Whether the evaluation thread is being ended, for a new one to follow soon.")
(defvar *late-timers* '() "Timers that have gone off meanwhile.")

(defun move-timer (timer)
  "Gives TIMER to the evaluation thread when its own has ended: SBCL would drop it when it goes off."
  (let ((thread (sb-impl::%timer-thread timer)))
    (when (and (typep thread 'sb-thread:thread) (not (sb-thread:thread-alive-p thread)))
      (setf (sb-impl::%timer-thread timer) *evaluation-thread*))))

(defun run-moved-timer (run-timer timer)
  "Called by the handler of SIGALRM, in whatever thread, with SBCL's own function for it."
  (cond ((and *evaluation-thread-replaced* (eq (sb-impl::%timer-thread timer) *evaluation-thread*))
         (sb-ext:atomic-push timer (symbol-value '*late-timers*)))
        (t (move-timer timer)
           (funcall run-timer timer))))

(sb-int:encapsulate 'sb-impl::run-timer 'lisp-harbor 'run-moved-timer)

(defun run-late-timers ()
  (setf *evaluation-thread-replaced* nil)
  (mapc #'sb-impl::run-timer (nreverse (shiftf *late-timers* '()))))

(defun unschedule-timers ()
  "For a process that has the timers of another one, where they go off."
  (setf *late-timers* '())
  (mapc #'sb-ext:unschedule-timer (sb-ext:list-all-timers)))
