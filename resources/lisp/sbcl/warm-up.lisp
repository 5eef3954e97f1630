;;;; Runs the agent once before its core is saved, so that the core contains the caches of CLOS. The
;;;; first error of a session is then reported in under one millisecond instead of ten.

(in-package :lisp-harbor-agent)

(defparameter +typical-code+
  '("(+ 1 2)"
    "(progn (print '(1 \"a\" :b 2.5)) (format *error-output* \"~a~%\" 1) (warn \"w\") (values 1 2))"
    "(make-hash-table)"
    "(error \"e\")"
    "(car 1)"
    "(undefined-function-of-nobody)"
    "(read-line)"
    "(list 1"))

(defparameter +typical-queries+
  (list (list "describe" (object "symbol" "cl:print-object"))
        (list "definitions" (object "query" "cl:car"))
        (list "completions" (object "query" "m-v-b"))
        (list "inspect" (object))))

(defun warm-up ()
  "Evaluates typical code and discards the results."
  (let ((*wire-descriptor* (sb-unix:unix-open "/dev/null" sb-unix:o_wronly 0))
        (*package* (make-package "LISP-HARBOR-WARM-UP" :use '("COMMON-LISP")))
        - + ++ +++ * ** *** / // ///)
    (unwind-protect
         (dolist (code +typical-code+)
           (evaluate (make-evaluation :code code)))
         (loop for (name arguments) in +typical-queries+
               do (with-query-surroundings (answer-of name arguments)))
      (sb-unix:unix-close *wire-descriptor*)
      (forget-handles)
      (delete-package *package*)
      (setf *package* (find-package "COMMON-LISP-USER")))))
