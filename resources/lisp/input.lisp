;;;; Input of an evaluation. If the caller is interactive, lines are requested from it; otherwise the
;;;; input is at end of file and the evaluation gets a note. So code never waits for input that cannot
;;;; arrive.

(in-package :lisp-harbor-agent)

(defvar *given-input* '() "Lines received for the running evaluation, oldest first. :END is the end of the file.")
(defvar *input-lock* (make-mutex :name "lisp-harbor input"))
(defvar *input-came* (make-waitqueue :name "lisp-harbor input"))

(defun give-input (id line)
  "Passes LINE, a string or NIL for the end of the file, to evaluation ID. A line that arrives too late is
discarded."
  (with-mutex (*input-lock*)
    (when (eql id *current*)
      (setf *given-input* (append *given-input* (list (or line :end))))
      (condition-notify *input-came*))))

(define-operation "input" (request)
  "Members: evaluation, text."
  (give-input (member-of request "evaluation") (member-of request "text")))

(defun take-given-input ()
  (with-mutex (*input-lock*)
    (loop until *given-input*
          do (condition-wait *input-came* *input-lock*))
    (pop *given-input*)))

(defun forget-given-input ()
  (with-mutex (*input-lock*)
    (setf *given-input* '())))

(defun ask-for-line (evaluation)
  "Requests a line from the caller of EVALUATION. Returns NIL at the end of the file."
  (deliver-output)
  (forget-given-input)
  (send "input-wanted" "id" (evaluation-id evaluation))
  (let ((line (take-given-input)))
    (if (eq line :end) nil line)))

(defun next-line (evaluation)
  (cond ((evaluation-answers-input evaluation) (ask-for-line evaluation))
        (t (note evaluation "The code read from its input, which is empty here. Give it text, for example ~
                             (with-input-from-string (*standard-input* \"…\") …); questions read *query-io*.")
           nil)))
