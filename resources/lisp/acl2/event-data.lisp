;;;; ACL2's own record of the last event: time, used rules and warnings. ACL2 creates a new object for
;;;; each event; code may assign it, so it is advice and never evidence.

(in-package "LISP-HARBOR-ACL2")

(defun milliseconds (seconds)
  (and (rationalp seconds) (round (* 1000 seconds))))

(defun total-milliseconds (times)
  "TIMES as ACL2 8.5 counts them: seconds for the proof, printing, the proof tree, and everything else."
  (milliseconds (let ((sum 0))
                  (dolist (seconds times sum)
                    (when (rationalp seconds) (incf sum seconds))))))

(defun event-data-object (data)
  "DATA is an alist, the value of LAST-EVENT-DATA. A negative number of steps means that the limit was reached."
  (flet ((datum (key) (cdr (assoc key data))))
    (let ((steps (datum 'acl2::prover-steps-counted))
          (times (datum 'acl2::time)))
      (object "steps" (and (integerp steps) steps)
              "milliseconds" (and (listp times) (total-milliseconds times))
              "rules" (lines-of (datum 'acl2::rules))
              "hint_events" (lines-of (datum 'acl2::hint-events))
              "splitter_rules" (lines-of (datum 'acl2::splitter-rules))
              "warnings" (lines-of (datum 'acl2::warnings))
              "abort_causes" (lines-of (datum 'acl2::abort-causes))))))
