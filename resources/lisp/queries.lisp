;;;; Questions about the image, answered beside the evaluation that runs: each on a thread of its own.
;;;; An answer may run methods of the user, so it may fail, loop or end its thread; the harbor hears of all that.

(in-package :lisp-harbor-agent)

(defvar *query-threads* '() "An alist from the id of each query that is being answered to its thread.")
(defvar *begun-queries* '() "The threads that answer, also those that have just answered and are about to end.")
(defvar *queries-lock* (make-mutex :name "lisp-harbor queries"))
(defvar *query-functions* (make-hash-table :test 'equal) "What answers, by the name that the wire uses.")

(define-condition query-refused (error)
  ((code :initarg :code :reader refusal-code)
   (message :initarg :message :reader refusal-message))
  (:report (lambda (condition stream) (write-string (refusal-message condition) stream))))

(defun refuse (code control &rest arguments)
  "Ends the query with an error that the caller can mend; CODE is one of electron/contract/errors.ts."
  (error 'query-refused :code code :message (apply #'format nil control arguments)))

(defmacro define-query (name (arguments) documentation &body body)
  "Answers queries called NAME, a string, with the JSON value of BODY. ARGUMENTS is bound to the request's object."
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
  "What to send as answer: a value, or what went wrong."
  (handler-case (run-query name arguments)
    (query-refused (refusal) (failed (refusal-code refusal) (refusal-message refusal)))
    (unknown-handle (condition) (failed "unknown_handle" (message-of condition)))
    (serious-condition (condition)
      (failed "query_failed"
              (format nil "~A while the image looked: ~A" (name-text (type-of condition)) (message-of condition))))))

(defun leave-query (condition hook)
  "The debugger of code that runs for a query."
  (declare (ignore hook))
  (throw 'query-ended
    (failed "query_failed" (format nil "A method of the image entered the debugger: ~A" (message-of condition)))))

(defmacro with-query-surroundings (&body body)
  "Runs BODY with streams that lead nowhere and variables that it may set: what a method prints, or does to the
session's package or reader, is no part of an answer."
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
  "The thread that answers query ID, or NIL. The list is never changed, only replaced: reading it needs no lock."
  (cdr (assoc id *query-threads*)))

(defun forget-query (id)
  (with-mutex (*queries-lock*)
    (setf *query-threads* (remove id *query-threads* :key #'car))))

(defun send-answer (id answer)
  "Sends ANSWER; what a method of the user made it of may be no JSON."
  (handler-case (apply #'send "answer" "id" id answer)
    (error (condition)
      (apply #'send "answer" "id" id
             (failed "query_failed" (format nil "The answer cannot be sent: ~A" (message-of condition)))))))

(defun answer-query (id name arguments)
  "Answers query ID, once, whatever becomes of its code. It can be interrupted inside the CATCH only."
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
  "Members: id, name, arguments. A thread is started that answers."
  (let ((id (member-of request "id"))
        (name (member-of request "name"))
        (arguments (or (member-of request "arguments") (object))))
    (with-mutex (*queries-lock*)
      (let ((thread (make-thread #'answer-query :name "lisp-harbor query" :arguments (list id name arguments))))
        (push (cons id thread) *query-threads*)
        (setf *begun-queries* (cons thread (remove-if-not #'thread-alive-p *begun-queries*)))))))

(defun abandon-query (id &optional (reason "It was given up."))
  "Unwinds the thread that answers query ID. May be asked again, for code that loops in its cleanup forms."
  (let ((thread (query-thread id)))
    (when thread
      (ignore-errors
       (interrupt
        thread
        (lambda () (when (query-thread id) (throw 'query-ended (failed "took_too_long" reason)))))))))

(define-operation "abandon" (request)
  "Members: id, that of the query."
  (abandon-query (member-of request "id")))
