;;;; Questions to the world that evaluate nothing and change nothing: each is answered by one record.
;;;; What cannot be answered is told with a code that the harbor knows and a sentence.

(in-package "LISP-HARBOR-ACL2")

(defvar *queries* '() "From keywords to functions of the request's header and its body.")

(defmacro define-query (keyword (request body) &rest forms)
  "FORMS answer a JSON object, or throw by way of FAIL."
  `(push (cons ,keyword (lambda (,request ,body) (declare (ignorable ,request ,body)) ,@forms))
         *queries*))

(defun fail (code control &rest arguments)
  "Gives up the query. CODE is one of the harbor's; does not return."
  (throw 'query-failed (list :failure code (apply #'format nil control arguments))))

(defun query-answer (query request body)
  "What ACL2's own functions print meanwhile nobody hears."
  (let ((answer nil))
    (with-printed-to-string
      (setq answer (handler-case (funcall query request body)
                     (error (condition)
                       (list :failure "query_failed"
                             (format nil "ACL2 could not answer: ~a" (condition-text condition)))))))
    answer))

(defun answer-query (keyword request body)
  "The status that ends the answer."
  (let ((answer (catch 'query-failed
                  (query-answer (cdr (assoc keyword *queries*)) request body))))
    (if (eq (car answer) :failure)
        (emit "failure" "code" (second answer) "message" (third answer))
        (emit "answer" "value" answer))
    "ok"))

(define-query :commands (request body)
  (commands-object (getf request :from) (getf request :limit) (getf request :source)))
