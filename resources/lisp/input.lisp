;;;; What an evaluation reads: lines from its caller, where that is somebody who types, and otherwise the end of the
;;;; file at once, with a note. So no code waits for input that cannot come.

(in-package :lisp-harbor-agent)

(defvar *given-input* '() "Lines that came for the evaluation that runs, oldest first; :END for the end of the file.")
(defvar *input-lock* (make-mutex :name "lisp-harbor input"))
(defvar *input-came* (make-waitqueue :name "lisp-harbor input"))

(defun give-input (id line)
  "Hands LINE to evaluation ID; a string, or NIL for the end of the file. What comes too late is nobody's."
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
  "Asks the caller of EVALUATION for a line; NIL for the end of the file."
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
