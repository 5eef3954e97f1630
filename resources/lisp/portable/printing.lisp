;;;; Printing on Lisps that have no timers: one thread watches what is being printed, and ends what takes too long. A
;;;; user's PRINT-OBJECT may handle every condition, so it is ended by a throw, and by another where it goes on.

(in-package :lisp-harbor-agent)

(defconstant +clock-tick+ 0.1 "Seconds between two looks at what is being printed.")

(defstruct printing
  "What is being printed in a thread, until when, in internal units of time."
  thread
  (ends 0 :type integer))

(defvar *printing* nil "What is being printed in this thread: a clock that is late stops nothing else.")
(defvar *printings* '() "All that is being printed.")
(defvar *printings-lock* (make-mutex :name "lisp-harbor printing"))
(defvar *printing-began* (make-waitqueue :name "lisp-harbor printing"))

(defun stop-printing (printing)
  (interrupt (printing-thread printing)
             (lambda () (when (eq *printing* printing) (throw 'printing-ended :timeout)))))

(defun watch-printing ()
  "The thread of the clock."
  (loop
    (with-mutex (*printings-lock*)
      (loop until *printings*
            do (condition-wait *printing-began* *printings-lock*)))
    (sleep +clock-tick+)
    (dolist (printing *printings*)
      (when (> (get-internal-real-time) (printing-ends printing))
        (stop-printing printing)))))

(defvar *clock-thread* nil "The clock; user code can end it, as any other thread.")

(defun ensure-clock-thread ()
  (unless (and *clock-thread* (thread-alive-p *clock-thread*))
    (setf *clock-thread* (make-thread #'watch-printing :name "lisp-harbor clock"))))

(defun begin-printing (printing)
  (ensure-clock-thread)
  (with-mutex (*printings-lock*)
    (push printing *printings*)
    (condition-notify *printing-began*)))

(defun end-printing (printing)
  (with-mutex (*printings-lock*)
    (setf *printings* (remove printing *printings*))))

(define-implementation call-with-clock (function)
  (let ((printing (make-printing :thread (current-thread)
                                 :ends (+ (get-internal-real-time)
                                          (floor (* (or *printing-seconds* +printing-seconds+)
                                                    internal-time-units-per-second))))))
    (unwind-protect
         (catch 'printing-ended
           (let ((*printing* printing))
             (begin-printing printing)
             (funcall function)))
      (end-printing printing))))

;;; Labels.

(defconstant +followed-objects+ 1000 "Conses and elements looked at to find out that an object is a tree.")

(defun tree-p (object)
  "Whether OBJECT consists of conses, arrays and what has no parts, and no way through it leads back. False where it is too
large to tell, or holds what a method prints."
  (let ((left +followed-objects+))
    (labels ((check (object above)
               (loop (when (minusp (decf left)) (return-from tree-p nil))
                     (when (member object above :test #'eq) (return-from tree-p nil))
                     (typecase object
                       ((or symbol number character string bit-vector pathname package function) (return))
                       (cons (push object above)
                        (check (car object) above)
                        (setf object (cdr object)))
                       (array (dotimes (index (array-total-size object) (return))
                                (check (row-major-aref object index) (cons object above))))
                       (t (return-from tree-p nil))))))
      (check object '())
      t)))

(define-implementation call-labelling-cycles (object function)
  (let ((*print-circle* (or *print-circle* (not (tree-p object)))))
    (funcall function)))

;;; The session's printer variables. These Lisps cannot tell a variable's global value from one that is bound.

(defvar *session-values* (make-hash-table :test 'eq) "The session's value of each printer variable.")

(define-implementation symbol-global-value (symbol)
  (gethash symbol *session-values*))

(define-implementation (setf symbol-global-value) (value symbol)
  (setf (gethash symbol *session-values*) value))
