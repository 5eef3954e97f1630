;;;; Printing with SBCL's timers, and with remarks in place of parts that cannot be printed. A user's
;;;; PRINT-OBJECT method may handle every condition, so printing is ended by a throw, which is repeated
;;;; if the method continues.

(in-package :lisp-harbor-agent)

(defvar *printing* nil
  "A token for the printing in progress in this thread, so that a late timer does not stop a later one.")

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
