;;;; The stack frames of the user, as far as this Lisp provides them: those between the signalling call
;;;; and the agent. A frame is a call as returned by STACK-CALLS.

(in-package :lisp-harbor-agent)

(define-implementation call-user-code (function)
  (declare (notinline call-user-code) (optimize (debug 3)))
  (multiple-value-prog1 (funcall function)))

(defparameter +signalling+ '(error cerror warn signal break invoke-debugger)
  "Functions through which a condition is signalled. Their frames are of no interest to the user.")

(defun operator-of (call)
  (if (consp call) (first call) call))

(defun internal-call-p (call)
  "Reports whether CALL belongs to the Lisp or to the agent, or signals a condition."
  (let ((operator (operator-of call)))
    (or (not (symbolp operator))
        (null (symbol-package operator))
        (member operator +signalling+)
        (member operator '(eval funcall apply))
        (member (package-name (symbol-package operator)) (internal-packages) :test #'string=))))

(defun calls-of-user (calls)
  "Returns the part of CALLS, a stack, above the agent's."
  (ldiff calls (member 'call-user-code calls :key #'operator-of)))

(define-implementation user-frames ()
  (let ((own (calls-of-user (ignore-errors (stack-calls)))))
    (reverse (member-if-not #'internal-call-p (reverse (member-if-not #'internal-call-p own))))))

(define-implementation frame-texts (frames form)
  "Returns FRAMES as texts. If there are none, returns the evaluation of FORM."
  (loop for call in (or frames (list `(eval ,form)))
        repeat +reported-frames+
        collect (values (print-bounded call :limit 400 :printer #'print-call))))

;;; The place that running code has reached.

(defun own-call-p (call)
  (let ((operator (operator-of call)))
    (not (or (internal-call-p call)
             (eq (symbol-package operator) (find-package :common-lisp))))))

(defun place-in (calls)
  "Returns the texts of the place that CALLS, the stack of a thread, have reached."
  (place-texts (remove-if-not #'own-call-p (calls-of-user calls))))

(define-implementation calls-in-progress ()
  (place-in (stack-calls)))
