;;;; ABOUTME: What an evaluation costs, and its profile: only SBCL counts these.
;;;; ABOUTME: Here a meter stands still.

(in-package :lisp-harbor-agent)

(defstruct meter)

(defmacro metered ((meter) &body body)
  (declare (ignore meter))
  `(progn ,@body))

(defun stop-meter (meter)
  (declare (ignore meter)))

(defun cost-data (meter)
  "No cost was counted."
  (declare (ignore meter))
  :null)

(defun call-profiled (evaluation function)
  (declare (ignore evaluation))
  (funcall function))

(defun profiling-obstacle (evaluation)
  "NIL: nobody asks for a profile where the harbor knows that there is none."
  (declare (ignore evaluation))
  nil)
