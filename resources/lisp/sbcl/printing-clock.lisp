;;;; What SBCL alone offers to printing: timers that end it, and remarks in place of what cannot be printed. A user's
;;;; PRINT-OBJECT may handle every condition, so it is ended by a throw, and by another where it goes on.

(in-package :lisp-harbor-agent)

(defvar *printing* nil "What is being printed in this thread, as a token: a clock that is late stops nothing else.")

(define-implementation call-with-clock (function)
  (let* ((token (list nil))
         (timer (sb-ext:make-timer (lambda () (when (eq *printing* token) (throw 'printing-ended :timeout)))
                                   :thread sb-thread:*current-thread*)))
    (unwind-protect
         (catch 'printing-ended
           (let ((*printing* token))
             (sb-ext:schedule-timer timer (or *printing-seconds* +printing-seconds+) :repeat-interval 0.1)
             (funcall function)))
      (sb-ext:unschedule-timer timer))))

(define-implementation call-with-remarks (function)
  (let ((sb-ext:*suppress-print-errors* '(satisfies print-failure-p)))
    (funcall function)))
