;;;; The standard streams of user code. Output is sent as events. Input comes from the caller or is
;;;; empty. The variables are rebound for each evaluation, so that code that breaks a stream affects
;;;; only itself.

(in-package :lisp-harbor-agent)

(defun null-input ()
  "Returns an input stream at end of file. Reading from it never blocks."
  (make-concatenated-stream))

(defun standard-streams (input shows-questions)
  "Returns new values for the seven standard stream variables, in the order of +STANDARD-STREAMS+. Prompts are
printed only if the caller can answer. Output to *DEBUG-IO*, such as a backtrace, is not a prompt."
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
  "Makes event streams the global streams, which threads of user code use."
  (mapc #'set +standard-streams+ (standard-streams (null-input) nil)))
