;;;; ABOUTME: Where SBCL has debugger levels: this agent holds no evaluation, so all of them run at the top level,
;;;; ABOUTME: and an unhandled condition is reported and ends its evaluation.

(in-package :lisp-harbor-agent)

(defun current-level ()
  "The number of the innermost level; 0 is the top level, and there is no other."
  0)

(defun level-name (number)
  (if (zerop number) "the top level" (format nil "debugger level ~D" number)))

(defun outer-restarts ()
  "The restarts of outer levels."
  '())

(defun frame-of (evaluation)
  "The frame in which EVALUATION's code runs: none."
  (declare (ignore evaluation))
  nil)

(defun eval-in-frame (frame form)
  (declare (ignore frame))
  (eval form))

(defun misplacement (evaluation)
  "NIL, or a sentence that says why EVALUATION cannot run where this thread is."
  (unless (zerop (evaluation-level evaluation))
    (format nil "This was meant for ~A, but ~A holds no levels here." (level-name (evaluation-level evaluation))
            (lisp-implementation-type))))

(defun abandonment (evaluation)
  "The outcome of EVALUATION if it was given up while it was held: it never is."
  (declare (ignore evaluation))
  nil)

(defun end-or-hold (condition)
  "Ends *EVALUATION* at an unhandled CONDITION. Does not return."
  (when (evaluation-holds *evaluation*)
    (note *evaluation* "The debugger level was not held: sessions of ~A report errors and return to the top level."
          (lisp-implementation-type)))
  (throw 'evaluation-ended (cons "error" (condition-data condition (user-frames)))))

(defvar *handlers-outside* '() "The condition handlers outside of all evaluations.")

(defun call-with-stepper (function)
  "Nothing is stepped here."
  (funcall function))

;;; Restarts are listed with what they may ask for; nobody takes one.

(defun asked-arguments (restart)
  (if (member (restart-name restart) '(use-value store-value)) '("value") '()))
