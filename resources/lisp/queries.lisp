;;;; Queries about the image, answered in parallel to the running evaluation, each in its own thread.
;;;; An answer may run methods of the user, so it may fail, loop or end its thread; all of these are
;;;; reported to the harbor.

(in-package :lisp-harbor-agent)

(defvar *query-threads* '() "An alist from the id of each query in progress to its thread.")
(defvar *begun-queries* '() "The threads of queries, including those that have just answered and are about to end.")
(defvar *queries-lock* (make-mutex :name "lisp-harbor queries"))
(defvar *query-functions* (make-hash-table :test 'equal)
  "The functions that answer queries, by their name on the wire.")

(define-condition query-refused (error)
  ((code :initarg :code :reader refusal-code)
   (message :initarg :message :reader refusal-message))
  (:report (lambda (condition stream) (write-string (refusal-message condition) stream))))

(defun refuse (code control &rest arguments)
  "Ends the query with an error that the caller can correct. CODE is one of electron/contract/errors.ts."
  (error 'query-refused :code code :message (apply #'format nil control arguments)))

(defmacro define-query (name (arguments) documentation &body body)
  "Defines the answer to queries named NAME, a string: the JSON value of BODY. ARGUMENTS is bound to the
request's object."
  `(setf (gethash ,name *query-functions*)
         (lambda (,arguments) ,documentation ,@body)))

(defun run-query (name arguments)
  (let ((function (gethash name *query-functions*))
        (package (member-of arguments "package")))
    (unless function (refuse "not_supported" "This image does not know the query ~A." name))
    (let ((*package* (if package (existing-package package) *package*)))
      (list "value" (funcall function arguments)))))

(defun failed (code message)
  (list "error" (object "code" code "message" message)))

(defun answer-of (name arguments)
  "Returns the answer to send: a value or an error."
  (handler-case (run-query name arguments)
    (query-refused (refusal) (failed (refusal-code refusal) (refusal-message refusal)))
    (unknown-handle (condition) (failed "unknown_handle" (message-of condition)))
    (serious-condition (condition)
      (failed "query_failed"
              (format nil "~A while the image looked: ~A" (name-text (type-of condition)) (message-of condition))))))

(defun leave-query (condition hook)
  "Ends the query on an unhandled condition. The debugger of code that runs for a query."
  (declare (ignore hook))
  (throw 'query-ended
    (failed "query_failed" (format nil "A method of the image entered the debugger: ~A" (message-of condition)))))

(defmacro with-query-surroundings (&body body)
  "Runs BODY with streams that discard their output and with rebound variables. Output of a method, or its
changes to the session's package or readtable, do not affect the answer."
  `(progv +standard-streams+ (silent-streams)
     (let ((*package* *package*)
           (*readtable* *readtable*)
           (*debugger-hook* #'leave-query)
           (*invoke-debugger-hook* #'leave-query))
       (usable-package)
       ,@body)))

(defun silent-streams ()
  "Values for +STANDARD-STREAMS+."
  (let* ((input (null-input))
         (output (make-broadcast-stream))
         (both (make-two-way-stream input output)))
    (list input output output output both both both)))

(defun query-thread (id)
  "Returns the thread that answers query ID, or NIL. The list is replaced, never modified, so reading it needs
no lock."
  (cdr (assoc id *query-threads*)))

(defun forget-query (id)
  (with-mutex (*queries-lock*)
    (setf *query-threads* (remove id *query-threads* :key #'car))))

(defun send-answer (id answer)
  "Sends ANSWER. A user's method may have produced a value that is not valid JSON."
  (handler-case (apply #'send "answer" "id" id answer)
    (error (condition)
      (apply #'send "answer" "id" id
             (failed "query_failed" (format nil "The answer cannot be sent: ~A" (message-of condition)))))))

(defun answer-query (id name arguments)
  "Answers query ID exactly once, even if its code fails. It can be interrupted only inside the CATCH."
  (let ((answer (failed "query_failed" "The code that ran for the answer ended its thread.")))
    (without-interrupts
      (unwind-protect
           (setf answer (catch 'query-ended
                          (with-local-interrupts
                            (with-query-surroundings (answer-of name arguments)))))
        (forget-query id)
        (unless (exiting-p)
          (send-answer id answer))))))

(define-operation "query" (request)
  "Members: id, name, arguments. Starts a thread that answers."
  (let ((id (member-of request "id"))
        (name (member-of request "name"))
        (arguments (or (member-of request "arguments") (object))))
    (with-mutex (*queries-lock*)
      (let ((thread (make-thread #'answer-query :name "lisp-harbor query" :arguments (list id name arguments))))
        (push (cons id thread) *query-threads*)
        (setf *begun-queries* (cons thread (remove-if-not #'thread-alive-p *begun-queries*)))))))

(defun abandon-query (id &optional (reason "It was given up."))
  "Unwinds the thread that answers query ID. May be repeated for code that loops in its cleanup forms."
  (let ((thread (query-thread id)))
    (when thread
      (ignore-errors
       (interrupt
        thread
        (lambda () (when (query-thread id) (throw 'query-ended (failed "took_too_long" reason)))))))))

(define-operation "abandon" (request)
  "Members: id, the id of the query."
  (abandon-query (member-of request "id")))

(define-query "calls" (arguments)
  "Argument: evaluation. Returns the calls in progress of that evaluation, innermost first."
  (calls-of-evaluation (member-of arguments "evaluation")))
