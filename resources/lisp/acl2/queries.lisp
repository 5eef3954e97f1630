;;;; Queries to the world, which evaluate and change nothing: each is answered with one record. A
;;;; failure has a code that the harbor knows and a sentence.

(in-package "LISP-HARBOR-ACL2")

(defvar *queries* '() "From keywords to functions of the request's header and its body.")

(defmacro define-query (keyword (request body) &rest forms)
  "FORMS return a JSON object, or call FAIL."
  `(push (cons ,keyword (lambda (,request ,body) (declare (ignorable ,request ,body)) ,@forms))
         *queries*))

(defun fail (code control &rest arguments)
  "Aborts the query. CODE is an error code of the harbor; does not return."
  (throw 'query-failed (list :failure code (apply #'format nil control arguments))))

(defun query-answer (query request body)
  "Output of ACL2's own functions is discarded."
  (let ((answer nil))
    (with-printed-to-string
      (setq answer (handler-case (funcall query request body)
                     (error (condition)
                       (list :failure "query_failed"
                             (format nil "The query failed in ACL2: ~a" (condition-text condition)))))))
    answer))

(defun answer-query (keyword request body)
  "The status at the end of the answer."
  (let ((answer (catch 'query-failed
                  (query-answer (cdr (assoc keyword *queries*)) request body))))
    (if (eq (car answer) :failure)
        (emit "failure" "code" (second answer) "message" (third answer))
        (emit "answer" "value" answer))
    "ok"))

(define-query :commands (request body)
  (commands-object (getf request :from) (getf request :limit) (getf request :source)))

(define-query :written (request text)
  ;; For each command that one of the parts of TEXT represents, the index of the last of them. LENGTHS are in bytes.
  (array-of (written-objects (forms-in (parts text (getf request :lengths))))))
