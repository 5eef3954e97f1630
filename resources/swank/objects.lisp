;;;; Object numbers by which the harbor identifies objects of this image, separate for each connection.
;;;; The numbered objects are kept alive, so their number is limited. They are released with their
;;;; connection.

(in-package #:lisp-harbor.swank)

(defconstant +handles+ 500 "Maximum number of numbered objects of one connection.")
(defconstant +kept-evaluations+ 8 "Maximum number of evaluations whose values are kept for the inspector.")

(defvar *lock* (swank/backend:make-lock :name "lisp-harbor handles"))
(defvar *handles* (swank/backend:make-weak-key-hash-table :test 'eq) "The handles of each connection.")

(defclass handles ()
  ((given :initform 0 :accessor given :documentation "The number of the newest object.")
   (objects :initform '() :accessor objects :documentation "Numbers and objects, newest first.")
   (kept :initform '() :accessor kept :documentation "Evaluations, newest first: the id of each, and its first value.")))

(define-condition unknown-object (error)
  ((what :initarg :what :reader what-of))
  (:report (lambda (condition stream)
             (format stream "~A is not kept: only the ~D objects used last are. Inspect the value anew."
                     (what-of condition) +handles+))))

(defun first-of (list count)
  (subseq list 0 (min count (length list))))

(defun forget-closed-connections ()
  "Removes the handles of closed connections. Not all Lisps have weak hash tables."
  (loop for connection in (loop for key being the hash-keys of *handles* collect key)
        unless (member connection swank::*connections*)
          do (remhash connection *handles*)))

(defun new-handles ()
  (forget-closed-connections)
  (setf (gethash swank::*emacs-connection* *handles*) (make-instance 'handles)))

(defun call-with-handles (function)
  (swank/backend:call-with-lock-held
   *lock*
   (lambda ()
     (funcall function (or (gethash swank::*emacs-connection* *handles*) (new-handles))))))

(defmacro with-handles ((handles) &body body)
  `(call-with-handles (lambda (,handles) ,@body)))

(defun number-if-any (object)
  "Returns the existing number of OBJECT, or NIL."
  (with-handles (handles)
    (car (find object (objects handles) :key #'cdr :test #'eq))))

(defun number-of (object)
  "Returns the number of OBJECT and assigns one if needed."
  (or (number-if-any object)
      (with-handles (handles)
        (let ((number (incf (given handles))))
          (setf (objects handles) (first-of (acons number object (objects handles)) +handles+))
          number))))

(defun object-of (number)
  (let ((found (with-handles (handles) (assoc number (objects handles)))))
    (if found
        (cdr found)
        (error 'unknown-object :what (format nil "#o~D" number)))))

(defun keep-value (evaluation value)
  (with-handles (handles)
    (setf (kept handles) (first-of (acons evaluation value (kept handles)) +kept-evaluations+))))

(defun last-object ()
  "Returns the number of the most recent value."
  (call-in-repl (lambda () (number-of *))))

(defun kept-object (evaluation)
  "Returns the number of the first value of EVALUATION, which must have kept it."
  (let ((found (with-handles (handles) (assoc evaluation (kept handles)))))
    (if found
        (number-of (cdr found))
        (error 'unknown-object :what (format nil "The value of evaluation ~D" evaluation)))))
