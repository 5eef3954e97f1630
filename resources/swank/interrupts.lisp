;;;; Interrupts exactly one evaluation from another thread. Swank's own interrupt opens the debugger in
;;;; whatever the thread executes at that time, and a second one can hang the thread while it waits for
;;;; messages (swank.lisp, invoke-or-queue-interrupt). This one acts only while user code runs.

(in-package #:lisp-harbor.swank)

(defclass running ()
  ((id :initarg :id :reader id)
   (connection :initarg :connection :reader connection)
   (thread :initarg :thread :reader thread)
   (stopped :initform nil :accessor stopped :documentation "True while it unwinds.")))

(defvar *evaluation* nil "The innermost evaluation of this thread.")
(defvar *running-lock* (swank/backend:make-lock :name "lisp-harbor evaluations"))
(defvar *running* '() "The running evaluations of all connections of harbors.")

(defmacro with-running (&body body)
  `(swank/backend:call-with-lock-held *running-lock* (lambda () ,@body)))

(defun call-as-evaluation (id function)
  "Returns the value of FUNCTION, or :INTERRUPTED if evaluation ID was interrupted."
  (let* ((running (make-instance 'running :id id :connection swank::*emacs-connection*
                                          :thread (swank/backend:current-thread)))
         (*evaluation* running))
    (with-running (push running *running*))
    (unwind-protect (catch running (funcall function))
      (with-running (setf *running* (remove running *running*))))))

(defun stop (running)
  "Called in the thread of RUNNING. Does nothing while Swank's own code runs there, which must not be
interrupted."
  (when (and (eq running *evaluation*)
             (boundp 'swank::*slime-interrupts-enabled*)
             swank::*slime-interrupts-enabled*)
    (setf (stopped running) t)
    (throw running :interrupted)))

(defun interrupt (id again)
  "Interrupts evaluation ID. Returns true if it was running. AGAIN also ends a cleanup form that runs by then."
  (let ((running (with-running
                   (find-if (lambda (each)
                              (and (eql (id each) id) (eq (connection each) swank::*emacs-connection*)))
                            *running*))))
    (when (and running (or again (not (stopped running))))
      (swank/backend:interrupt-thread (thread running) (lambda () (stop running))))
    (and running (stopped running))))
