;;;; ABOUTME: The standard streams of user code: output becomes events, input comes from the caller or is empty.
;;;; ABOUTME: Bound anew for each evaluation, so that code which breaks them harms itself only.

(in-package :lisp-harbor-agent)

(defun null-input ()
  "An input stream at its end: reading never waits for anybody."
  (make-concatenated-stream))

(defun standard-streams (input shows-questions)
  "Fresh values for the seven standard stream variables, in the order of +STANDARD-STREAMS+. Questions are printed
only where somebody can answer them."
  (let* ((output (make-instance 'event-stream :kind "stdout"))
         (errors (make-instance 'event-stream :kind "stderr"))
         (conversation (make-two-way-stream input (if shows-questions output (make-broadcast-stream)))))
    (list input output errors errors (make-two-way-stream input output) conversation conversation)))

(defparameter +standard-streams+
  '(*standard-input* *standard-output* *error-output* *trace-output* *terminal-io* *query-io* *debug-io*))

(defmacro with-standard-streams ((input shows-questions) &body body)
  `(progv +standard-streams+ (standard-streams ,input ,shows-questions)
     ,@body))

(defun install-standard-streams ()
  "Makes event streams the global ones, which threads of user code see."
  (mapc #'set +standard-streams+ (standard-streams (null-input) nil)))

;;; Programs that user code runs.

(defun our-stream-p (stream)
  (typecase stream
    (synonym-stream (our-stream-p (symbol-value (synonym-stream-symbol stream))))
    (two-way-stream (our-stream-p (two-way-stream-output-stream stream)))
    (event-stream t)))

(defun run-program-with-any-bytes (run-program program arguments &rest options)
  "Has what a program prints to the session's streams decoded whatever its bytes are. SBCL would signal an error at
the first one that is not UTF-8, and lose the rest."
  (apply run-program program arguments
         (if (or (our-stream-p (getf options :output)) (our-stream-p (getf options :error)))
             `(,@options :external-format (:utf-8 :replacement #.(code-char #xFFFD)))
             options)))

(sb-int:encapsulate 'sb-ext:run-program 'lisp-harbor 'run-program-with-any-bytes)
