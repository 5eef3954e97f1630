;;;; The standard streams of user code: output becomes events, input comes from the caller or is empty.
;;;; Bound anew for each evaluation, so that code which breaks them harms itself only.

(in-package :lisp-harbor-agent)

(defun null-input ()
  "An input stream at its end: reading never waits for anybody."
  (make-concatenated-stream))

(defun standard-streams (input shows-questions)
  "Fresh values for the seven standard stream variables, in the order of +STANDARD-STREAMS+. Questions are printed
only where somebody can answer them; what goes to *DEBUG-IO*, a backtrace for one, is no question."
  (let* ((output (make-event-stream "stdout"))
         (errors (make-event-stream "stderr"))
         (questions (if shows-questions output (make-broadcast-stream))))
    (list input output errors errors
          (make-two-way-stream input output)
          (make-two-way-stream input questions)
          (make-two-way-stream input output))))

(defparameter +standard-streams+
  '(*standard-input* *standard-output* *error-output* *trace-output* *terminal-io* *query-io* *debug-io*))

(defmacro with-standard-streams ((input shows-questions) &body body)
  `(progv +standard-streams+ (standard-streams ,input ,shows-questions)
     ,@body))

(defun install-standard-streams ()
  "Makes event streams the global ones, which threads of user code see."
  (mapc #'set +standard-streams+ (standard-streams (null-input) nil)))
