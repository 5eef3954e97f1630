;;;; Programs that user code runs. Their output to the session's streams is decoded even if it is not
;;;; valid UTF-8, and none of them outlives the image.

(in-package :lisp-harbor-agent)

(define-implementation end-programs ()
  "Kills the programs that user code started. Each leads its own process group, which the harbor does not know."
  (dolist (process (copy-list sb-impl::*active-processes*))
    (ignore-errors (sb-ext:process-kill process sb-unix:sigkill :process-group))))

(defun our-stream-p (stream)
  (typecase stream
    (synonym-stream (our-stream-p (symbol-value (synonym-stream-symbol stream))))
    (two-way-stream (our-stream-p (two-way-stream-output-stream stream)))
    (event-stream t)))

(defun run-program-with-any-bytes (run-program program arguments &rest options)
  "Makes output of programs to the session's streams decode with replacement characters. Otherwise SBCL signals
an error at the first invalid byte and loses the rest."
  (apply run-program program arguments
         (if (or (our-stream-p (getf options :output)) (our-stream-p (getf options :error)))
             `(,@options :external-format (:utf-8 :replacement #.(code-char #xFFFD)))
             options)))

(sb-int:encapsulate 'sb-ext:run-program 'lisp-harbor 'run-program-with-any-bytes)
