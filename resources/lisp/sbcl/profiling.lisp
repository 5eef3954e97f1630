;;;; Profiling of evaluations with SBCL's statistical profiler. It is started before the code runs and
;;;; always stopped afterwards. A process has only one profiler, so only one evaluation at a time can
;;;; use it.

(in-package :lisp-harbor-agent)

(defconstant +sample-interval+ 5/1000 "CPU time between two samples, in seconds.")
(defconstant +most-samples+ 20000
  "Maximum number of samples of one evaluation. SBCL keeps up to sixty frames of each until it ends.")

(define-implementation profile-mode (name)
  (cdr (assoc name '(("cpu" . :cpu) ("alloc" . :alloc)) :test #'equal)))

(defvar *profiled* nil "The evaluation being profiled, or NIL.")

(defun profiler-in-use-p ()
  "Reports whether user code has started the profiler."
  (let ((mode (find-symbol "*PROFILING*" "SB-SPROF")))
    (and mode (boundp mode) (symbol-value mode))))

(define-implementation profiling-obstacle (evaluation)
  (cond ((null (evaluation-profile evaluation)) nil)
        (*profiled*
         (format nil "Evaluation ~D is being profiled and has not ended; two profiles at a time are not possible. ~
                      Leave profile out, or end that one first."
                 (evaluation-id *profiled*)))
        ((profiler-in-use-p)
         "SB-SPROF runs already, started by the code itself: (sb-sprof:stop-profiling) ends that.")))

(defun start-profile (evaluation)
  (sb-sprof:reset)
  (setf *profiled* evaluation)
  (sb-sprof:start-profiling :mode (evaluation-profile evaluation)
                            :sample-interval +sample-interval+
                            :max-samples +most-samples+
                            :threads :all))

(defun send-samples (evaluation)
  (let ((samples (take-samples)))
    (if (plusp (samples-count samples))
        (apply #'send "profile"
               "id" (evaluation-id evaluation)
               "mode" (string-downcase (evaluation-profile evaluation))
               (samples-members samples))
        (note evaluation "The profile is empty: ~A. Profile more of the same work, for example ~
                          (loop repeat 100 do …)."
              (if (eq (evaluation-profile evaluation) :cpu)
                  (format nil "a sample is taken after every ~D ms of CPU time, and the code used less"
                          (round (* 1000 +sample-interval+)))
                  "a sample is taken whenever a thread needs a fresh region to allocate in, and none did")))
    (when (>= (samples-taken samples) +most-samples+)
      (note evaluation "Profiling stopped after ~D samples; what ran after them is not in the profile."
            +most-samples+))))

(defun end-profile (evaluation)
  "Stops the profiler and sends its results."
  (sb-sprof:stop-profiling)
  (setf *profiled* nil)
  (unless (exiting-p)
    (handler-case (send-samples evaluation)
      (serious-condition (condition)
        (note evaluation "The samples of the profiler could not be read: ~A" (message-of condition)))))
  (sb-sprof:reset))

(define-implementation call-profiled (evaluation function)
  (cond ((evaluation-profile evaluation)
         (unwind-protect
              (progn (start-profile evaluation)
                     (funcall function))
           (end-profile evaluation)))
        (t (funcall function))))

;;; While an evaluation is suspended, its time and the work done for the debugger are not part of its
;;; cost.

(defun rest-from-work (evaluation)
  (stop-meter (evaluation-meter evaluation))
  (when (eq evaluation *profiled*) (sb-sprof:stop-sampling)))

(defun go-on-working (evaluation)
  (when (eq evaluation *profiled*) (sb-sprof:start-sampling))
  (start-meter (evaluation-meter evaluation)))

(defmacro at-rest ((evaluation) &body body)
  "Runs BODY while EVALUATION waits, without counting the cost."
  `(unwind-protect
        (progn (rest-from-work ,evaluation)
               ,@body)
     (go-on-working ,evaluation)))
