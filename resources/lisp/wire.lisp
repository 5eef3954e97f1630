;;;; The wire to the harbor: one JSON object per line in both directions, over the socket on descriptor
;;;; 3. A table maps each request to its operation. Each file adds the operations that it implements.

(in-package :lisp-harbor-agent)

(defconstant +exit-wire-broken+ 97 "Exit code if the wire cannot be written.")
(defconstant +exit-wire-closed+ 98 "Exit code if the harbor has closed the wire.")

(defvar *wire-lock* (make-mutex :name "lisp-harbor wire"))

(defun event-line (event &rest keys-and-values)
  (with-output-to-string (out)
    (write-json (apply #'object "event" event keys-and-values) out)
    (write-char #\Newline out)))

(defun send (event &rest keys-and-values)
  "Sends one event. Blocks while the harbor does not read."
  (write-to-wire (apply #'event-line event keys-and-values)))

(defun receive ()
  "Waits for the next request and returns it. Returns NIL if the harbor has closed the wire. Signals
MALFORMED-JSON."
  (let ((line (line-from-wire)))
    (when line
      (let ((request (read-json line)))
        (if (json-object-p request) request (error 'malformed-json))))))

;;; Operations.

(defvar *operations* (make-hash-table :test 'equal) "The functions that carry out requests, by their name on the wire.")

(defmacro define-operation (name (request) documentation &body body)
  "Defines the operation for requests whose member \"op\" is NAME, a string. BODY runs in the wire's thread, so
it must not wait for user code. REQUEST is bound to the request's object. DOCUMENTATION lists its members."
  `(setf (gethash ,name *operations*)
         (lambda (,request) ,documentation ,@body)))

(defun dispatch (request)
  (let* ((name (member-of request "op"))
         (operation (gethash name *operations*)))
    (if operation
        (funcall operation request)
        (send "fault" "message" (format nil "unknown operation ~S" name)))))
