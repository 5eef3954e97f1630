;;;; The cost of an evaluation: real, run and GC time and bytes allocated, read before and after each
;;;; form. The values are those of the whole process, as with TIME, so they include threads that the
;;;; code starts.

(in-package :lisp-harbor-agent)

(defstruct (meter (:constructor new-meter))
  "Lists as returned by READINGS. USED is NIL until something was evaluated. SINCE is NIL while the meter is
stopped."
  (used '() :type list)
  (since '() :type list))

(defun real-microseconds ()
  "Reads the system clock. GET-INTERNAL-REAL-TIME advances only in kernel ticks of four milliseconds."
  (multiple-value-bind (seconds microseconds) (sb-ext:get-time-of-day)
    (+ (* seconds 1000000) microseconds)))

(defun microseconds (units)
  (round (* units 1000000) internal-time-units-per-second))

(defun readings ()
  "Returns real, run and GC time in microseconds, and the bytes allocated since the process began."
  (list (real-microseconds)
        (microseconds (get-internal-run-time))
        (microseconds sb-ext:*gc-run-time*)
        (sb-ext:get-bytes-consed)))

(define-implementation make-meter ()
  (new-meter))

(defun start-meter (meter)
  (setf (meter-since meter) (readings)))

(define-implementation stop-meter (meter)
  (when (meter-since meter)
    (let ((before (or (meter-used meter) '(0 0 0 0))))
      (setf (meter-used meter) (mapcar (lambda (used since now) (+ used (max 0 (- now since))))
                                       before (meter-since meter) (readings))
            (meter-since meter) '()))))

(define-implementation call-metered (meter function)
  (start-meter meter)
  (multiple-value-prog1 (funcall function)
    (stop-meter meter)))

(define-implementation cost-data (meter)
  (if (meter-used meter)
      (destructuring-bind (real run gc bytes) (meter-used meter)
        (object "real" real "run" run "gc" gc "bytes" bytes))
      :null))
