;;;; Stopping one evaluation from another thread, and only that one. Swank's own interrupt opens the debugger in
;;;; whatever the thread does by then, and a second one can hang it while it waits for messages (swank.lisp,
;;;; invoke-or-queue-interrupt); this one acts only while code of the user runs.

(in-package #:lisp-harbor.swank)

(defclass running ()
  ((id :initarg :id :reader id)
   (connection :initarg :connection :reader connection)
   (thread :initarg :thread :reader thread)
   (stopped :initform nil :accessor stopped :documentation "Whether it is being unwound.")))

(defvar *evaluation* nil "What this thread evaluates, innermost.")
(defvar *running-lock* (swank/backend:make-lock :name "lisp-harbor evaluations"))
(defvar *running* '() "What all connections of harbors evaluate.")

(defmacro with-running (&body body)
  `(swank/backend:call-with-lock-held *running-lock* (lambda () ,@body)))

(defun call-as-evaluation (id function)
  "The value of FUNCTION, or :INTERRUPTED when evaluation ID was told to stop."
  (let* ((running (make-instance 'running :id id :connection swank::*emacs-connection*
                                          :thread (swank/backend:current-thread)))
         (*evaluation* running))
    (with-running (push running *running*))
    (unwind-protect (catch running (funcall function))
      (with-running (setf *running* (remove running *running*))))))

(defun stop (running)
  "Called in the thread of RUNNING. Does nothing while Swank's own code runs there, which must not be cut off."
  (when (and (eq running *evaluation*)
             (boundp 'swank::*slime-interrupts-enabled*)
             swank::*slime-interrupts-enabled*)
    (setf (stopped running) t)
    (throw running :interrupted)))

(defun interrupt (id again)
  "True when evaluation ID has been told to stop. AGAIN ends a cleanup form as well that it went to by then."
  (let ((running (with-running
                   (find-if (lambda (each)
                              (and (eql (id each) id) (eq (connection each) swank::*emacs-connection*)))
                            *running*))))
    (when (and running (or again (not (stopped running))))
      (swank/backend:interrupt-thread (thread running) (lambda () (stop running))))
    (and running (stopped running))))
