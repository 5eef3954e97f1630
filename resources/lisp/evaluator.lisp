;;;; ABOUTME: The evaluation thread and its queue. The session's state is the image's, not the thread's,
;;;; ABOUTME: so a thread that user code has ended is replaced and nothing is lost.

(in-package :lisp-harbor-agent)

(defvar *requests* '() "Evaluations that wait, oldest first.")
(defvar *requests-lock* (sb-thread:make-mutex :name "lisp-harbor requests"))
(defvar *requests-came* (sb-thread:make-waitqueue :name "lisp-harbor requests"))

(defun next-request ()
  (sb-thread:with-mutex (*requests-lock*)
    (loop until *requests*
          do (sb-thread:condition-wait *requests-came* *requests-lock*))
    (pop *requests*)))

(defun serve-evaluation (evaluation)
  "Evaluates, and answers also when the thread is ended on the way."
  (let ((answered nil))
    (unwind-protect
         (progn (evaluate evaluation)
                (setf answered t))
      (unless (or answered (exiting-p))
        (setf *evaluation-thread* nil)
        (flush-output)
        (send "done"
              "id" (evaluation-id evaluation)
              "outcome" "interrupted"
              "package" (short-package-name (usable-package))
              "condition" :null
              "notes" '("The code ended the thread that evaluated it; a new thread serves the session."))))))

(defun evaluate-forever ()
  (loop (serve-evaluation (next-request))))

(defun ensure-evaluation-thread ()
  (unless (and *evaluation-thread* (sb-thread:thread-alive-p *evaluation-thread*))
    (setf *evaluation-thread* (sb-thread:make-thread #'evaluate-forever :name "lisp-harbor evaluation"))))

(defun request-evaluation (evaluation)
  "Queues EVALUATION for the evaluation thread."
  (sb-thread:with-mutex (*requests-lock*)
    (setf *requests* (append *requests* (list evaluation)))
    (sb-thread:condition-notify *requests-came*))
  (ensure-evaluation-thread))
