;;;; ABOUTME: What an evaluation costs, its profile and its limit of processor time: only SBCL counts these.
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

(defun call-with-cpu-watch (evaluation function)
  "No limit of processor time is kept here."
  (declare (ignore evaluation))
  (funcall function))

(defun profiling-obstacle (evaluation)
  "NIL, or a sentence that says why EVALUATION cannot be profiled as it asks."
  (and (evaluation-profile evaluation)
       (format nil "~A has no profiler here. Leave profile out." (lisp-implementation-type))))
