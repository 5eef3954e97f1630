;;;; Signals of this process: Ctrl-C, which interrupts the evaluation, and the timers of user code.
;;;; Also the exit of the process.

(in-package :lisp-harbor-agent)

(define-implementation end-process (code)
  (sb-ext:exit :code code :abort t))

(define-implementation exiting-p ()
  "Reports whether this thread unwinds because the process exits: this thread or another one has called EXIT."
  (or *exiting* sb-impl::*exit-in-progress*))

(defun handle-sigint (signal info context)
  "Interrupts the evaluation instead of opening a debugger when the process receives SIGINT."
  (declare (ignore signal info context))
  (interrupt-evaluation *current*))

(defun install-signal-handlers ()
  (sb-sys:enable-interrupt sb-unix:sigint #'handle-sigint)
  (sb-sys:enable-interrupt sb-unix:sigpipe :ignore))

;;; Timers. By default a timer runs in the thread that created it, the evaluation thread. If that
;;; thread is replaced, its timers move to the new one. Timers that expire in between are not lost.

(defvar *evaluation-thread-replaced* nil "True while the evaluation thread is being replaced.")
(defvar *late-timers* '() "Timers that have expired meanwhile.")

(defun move-timer (timer)
  "Assigns TIMER to the evaluation thread if its own thread has ended. Otherwise SBCL drops it when it expires."
  (let ((thread (sb-impl::%timer-thread timer)))
    (when (and (typep thread 'sb-thread:thread) (not (sb-thread:thread-alive-p thread)))
      (setf (sb-impl::%timer-thread timer) *evaluation-thread*))))

(defun run-moved-timer (run-timer timer)
  "Called by the handler of SIGALRM, in any thread, with SBCL's own function for it."
  (cond ((and *evaluation-thread-replaced* (eq (sb-impl::%timer-thread timer) *evaluation-thread*))
         (sb-ext:atomic-push timer (symbol-value '*late-timers*)))
        (t (move-timer timer)
           (funcall run-timer timer))))

(sb-int:encapsulate 'sb-impl::run-timer 'lisp-harbor 'run-moved-timer)

(defun run-late-timers ()
  (setf *evaluation-thread-replaced* nil)
  (mapc #'sb-impl::run-timer (nreverse (shiftf *late-timers* '()))))

(defun unschedule-timers ()
  "Removes the timers inherited from another process, in which they expire."
  (setf *late-timers* '())
  (mapc #'sb-ext:unschedule-timer (sb-ext:list-all-timers)))
