;;;; Stands in for the Lisp half of SLIME, as far as the harbor touches it: a server that answers each message alike, and
;;;; keeps its list of connections as *KEEPER* says: by its :SENTINEL, as SLIME did before 2.28, or by a :LOCK.
;;;; Both threads of a connection close it when it has ended, at the same time.

(defpackage #:swank-loader
  (:use #:cl)
  (:export #:init))

(defpackage #:swank/backend
  (:use #:cl)
  (:export #:spawn))

(defpackage #:swank
  (:use #:cl)
  (:export #:init))

(in-package #:swank/backend)

(defun spawn (function &key name)
  (sb-thread:make-thread function :name name))

(in-package #:swank)

(defvar *keeper* cl-user::*keeper*)
(defvar *swank-wire-protocol-version* (string-downcase *keeper*))
(defvar *global-debugger* t)
(defvar *log-output* nil)
(defvar *default-worker-thread-bindings* '())
(defvar *connections* '())

(defstruct (connection (:conc-name connection.) (:constructor new-connection (socket-io)))
  socket-io
  (ended (sb-thread:make-semaphore))
  (threads '()))

(defun swank-loader:init (&key setup reload quiet)
  (declare (ignore setup reload quiet)))

(defun init ())

(defun close-connection% (connection)
  (dolist (thread (connection.threads connection))
    (unless (eq thread sb-thread:*current-thread*)
      (ignore-errors (sb-thread:terminate-thread thread))))
  (close (connection.socket-io connection))
  (setf *connections* (remove connection *connections*)))

(ecase *keeper*
  (:sentinel
   (defun send-to-sentinel (message)
     (destructuring-bind (what connection) message
       (ecase what
         (:add-connection (push connection *connections*))
         (:close-connection (close-connection% connection)))))
   (defun add-connection (connection)
     (send-to-sentinel (list :add-connection connection)))
   (defun close-connection (connection condition backtrace)
     (declare (ignore condition backtrace))
     (send-to-sentinel (list :close-connection connection))))
  (:lock
   (defvar *connection-lock* (sb-thread:make-mutex))
   (defun add-connection (connection)
     (sb-thread:with-recursive-lock (*connection-lock*)
       (push connection *connections*)))
   (defun close-connection (connection condition backtrace)
     (declare (ignore condition backtrace))
     (sb-thread:with-recursive-lock (*connection-lock*)
       (close-connection% connection)))))

(defun make-connection (socket stream style)
  (declare (ignore socket style))
  (let ((connection (new-connection stream)))
    (add-connection connection)
    connection))

(defun message-length (stream)
  "The number in front of a message; NIL at the end."
  (let ((header (make-array 6 :element-type '(unsigned-byte 8))))
    (when (= (read-sequence header stream) 6)
      (parse-integer (map 'string #'code-char header) :radix 16))))

(defun answer-all (connection)
  (loop with stream = (connection.socket-io connection)
        for length = (message-length stream)
        while length
        do (read-sequence (make-array length :element-type '(unsigned-byte 8)) stream)
           (write-sequence (map 'vector #'char-code "000021(:background-message \"stands-in\")") stream)
           (finish-output stream))
  (sb-thread:signal-semaphore (connection.ended connection))
  (close-connection connection nil nil))

(defun close-later (connection)
  (sb-thread:wait-on-semaphore (connection.ended connection))
  (close-connection connection nil nil))

(defun serve-requests (connection)
  (setf (connection.threads connection)
        (list (swank/backend:spawn (lambda () (answer-all connection)) :name "reader-thread")
              (swank/backend:spawn (lambda () (close-later connection)) :name "control-thread"))))
