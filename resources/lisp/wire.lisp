;;;; The wire to the harbor: one JSON object a line, both ways, over the socket on descriptor 3. What the harbor asks is a
;;;; table of operations, to which each file adds those that it carries out.

(in-package :lisp-harbor-agent)

(defconstant +exit-wire-broken+ 97 "Exit code when the wire cannot be written.")
(defconstant +exit-wire-closed+ 98 "Exit code when the harbor has closed the wire.")

(defvar *wire-lock* (make-mutex :name "lisp-harbor wire"))

(defun send (event &rest keys-and-values)
  "Sends one event; blocks while the harbor does not read."
  (write-to-wire (with-output-to-string (out)
                   (write-json (apply #'object "event" event keys-and-values) out)
                   (write-char #\Newline out))))

(defun receive ()
  "The next request, waited for; NIL when the harbor has closed the wire. Signals MALFORMED-JSON."
  (let ((line (line-from-wire)))
    (when line
      (let ((request (read-json line)))
        (if (json-object-p request) request (error 'malformed-json))))))

;;; Operations.

(defvar *operations* (make-hash-table :test 'equal) "What carries out a request, by the name that the wire uses.")

(defmacro define-operation (name (request) documentation &body body)
  "Carries out requests whose member \"op\" is NAME, a string. BODY runs in the wire's thread, so it must not wait for user
code. REQUEST is bound to the request's object; DOCUMENTATION lists its members."
  `(setf (gethash ,name *operations*)
         (lambda (,request) ,documentation ,@body)))

(defun dispatch (request)
  (let* ((name (member-of request "op"))
         (operation (gethash name *operations*)))
    (if operation
        (funcall operation request)
        (send "fault" "message" (format nil "unknown operation ~S" name)))))
