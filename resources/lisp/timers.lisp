;;;; ABOUTME: Timers of user code. One runs in the thread that made it, unless it was told another: in the evaluation thread.
;;;; ABOUTME: That thread may be replaced, and timers that belong to the one before move on to the new one.

(in-package :lisp-harbor-agent)

(defun move-timer (timer)
  "Gives TIMER to the evaluation thread when its own has ended: SBCL would drop it when it goes off."
  (let ((thread (sb-impl::%timer-thread timer)))
    (when (and (typep thread 'sb-thread:thread) (not (sb-thread:thread-alive-p thread)))
      (setf (sb-impl::%timer-thread timer) *evaluation-thread*))))

(defun move-timers ()
  "Moves all that are scheduled; the others follow when they are."
  (mapc #'move-timer (sb-ext:list-all-timers)))

(defun schedule-moved-timer (schedule-timer timer &rest arguments)
  (move-timer timer)
  (apply schedule-timer timer arguments))

(sb-int:encapsulate 'sb-ext:schedule-timer 'lisp-harbor 'schedule-moved-timer)

(defun unschedule-timers ()
  "For a process that has the timers of another one, where they go off."
  (mapc #'sb-ext:unschedule-timer (sb-ext:list-all-timers)))
