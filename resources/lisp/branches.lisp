;;;; ABOUTME: Branches: forks that serve the harbor as images of their own, with the state of this one at that moment.

(in-package :lisp-harbor-agent)

(defun serve-as-branch ()
  "The life of a branch. Timers and programs stay with the image that it was made from."
  (setf sb-impl::*active-processes* '())
  (unschedule-timers)
  (serve))
