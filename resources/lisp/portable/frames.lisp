;;;; The stack frames that belong to the user, as far as this Lisp tells them: what lies between the signalling call and
;;;; the agent. A frame is a call as STACK-CALLS answers it.

(in-package :lisp-harbor-agent)

(define-implementation call-user-code (function)
  (declare (notinline call-user-code) (optimize (debug 3)))
  (multiple-value-prog1 (funcall function)))

(defparameter +signalling+ '(error cerror warn signal break invoke-debugger)
  "Functions through which a condition is signalled; their frames say nothing about the user's code.")

(defun operator-of (call)
  (if (consp call) (first call) call))

(defun internal-call-p (call)
  "Whether CALL is one of the Lisp's own, of the agent's, or signals."
  (let ((operator (operator-of call)))
    (or (not (symbolp operator))
        (null (symbol-package operator))
        (member operator +signalling+)
        (member operator '(eval funcall apply))
        (member (package-name (symbol-package operator)) (internal-packages) :test #'string=))))

(define-implementation user-frames ()
  (let* ((calls (ignore-errors (stack-calls)))
         (own (ldiff calls (member 'call-user-code calls :key #'operator-of))))
    (reverse (member-if-not #'internal-call-p (reverse (member-if-not #'internal-call-p own))))))

(define-implementation frame-texts (frames form)
  "FRAMES as texts; where there are none, the evaluation of FORM."
  (loop for call in (or frames (list `(eval ,form)))
        repeat +reported-frames+
        collect (values (print-bounded call :limit 400 :printer #'print-call))))
