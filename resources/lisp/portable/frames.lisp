;;;; ABOUTME: The stack frames that belong to the user, as far as this Lisp tells them: calls, or names of functions only.
;;;; ABOUTME: What lies between the signalling call and the agent; frames are calls as STACK-CALLS answers them.

(in-package :lisp-harbor-agent)

(defconstant +reported-frames+ 20 "Frames in the report of a condition at most.")

(defun call-user-code (function)
  "Calls FUNCTION, which runs what the user sent. The frame of this call marks where the user's stack ends."
  (declare (notinline call-user-code) (optimize (debug 3)))
  (multiple-value-prog1 (funcall function)))

(defmacro as-user-code (&body body)
  `(call-user-code (lambda () ,@body)))

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
        (member (package-name (symbol-package operator)) +internal-packages+ :test #'string=))))

(defun user-frames ()
  "Calls from the one that signalled outwards to the user's outermost one."
  (let* ((calls (ignore-errors (stack-calls)))
         (own (ldiff calls (member 'call-user-code calls :key #'operator-of))))
    (reverse (member-if-not #'internal-call-p (reverse (member-if-not #'internal-call-p own))))))

(defun print-call (call stream)
  (let ((*print-length* 6) (*print-level* 3) (*print-pretty* nil))
    (prin1 call stream)))

(defun frame-texts (frames form)
  "FRAMES as texts, as many as a report has; where there are none, the evaluation of FORM."
  (loop for call in (or frames (list `(eval ,form)))
        repeat +reported-frames+
        collect (values (print-bounded call :limit 400 :printer #'print-call))))
