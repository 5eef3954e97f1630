;;;; What the harbor asks over the wire: a table of operations, to which each file adds those that it carries out.

(in-package :lisp-harbor-agent)

(defvar *operations* (make-hash-table :test 'equal) "What carries out a request, by the name that the wire uses.")

(defmacro define-operation (name (request) documentation &body body)
  "Carries out requests whose member \"op\" is NAME, a string. BODY runs in the wire's thread, so it waits for nothing that
user code does. REQUEST is bound to the request's object; DOCUMENTATION lists its members."
  `(setf (gethash ,name *operations*)
         (lambda (,request) ,documentation ,@body)))

(defun dispatch (request)
  (let* ((name (member-of request "op"))
         (operation (gethash name *operations*)))
    (if operation
        (funcall operation request)
        (send "fault" "message" (format nil "unknown operation ~S" name)))))
