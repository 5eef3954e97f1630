;;;; Printing on Lisps without timers: one thread watches all printing in progress and ends what
;;;; exceeds the time limit. A user's PRINT-OBJECT method may handle every condition, so printing is
;;;; ended by a throw, which is repeated if the method continues.

(in-package :lisp-harbor-agent)

(defconstant +clock-tick+ 0.1 "Seconds between two checks of the printing in progress.")

(defstruct printing
  "Printing in progress in a thread, and its deadline in internal time units."
  thread
  (ends 0 :type integer))

(defvar *printing* nil "The printing in progress in this thread, so that a late throw does not stop a later one.")
(defvar *printings* '() "All printing in progress.")
(defvar *printings-lock* (make-mutex :name "lisp-harbor printing"))
(defvar *printing-began* (make-waitqueue :name "lisp-harbor printing"))

(defun stop-printing (printing)
  (interrupt (printing-thread printing)
             (lambda () (when (eq *printing* printing) (throw 'printing-ended :timeout)))))

(defun watch-printing ()
  "Enforces the time limit. The main function of the clock thread."
  (loop
    (with-mutex (*printings-lock*)
      (loop until *printings*
            do (condition-wait *printing-began* *printings-lock*)))
    (sleep +clock-tick+)
    (dolist (printing *printings*)
      (when (> (get-internal-real-time) (printing-ends printing))
        (stop-printing printing)))))

(defvar *clock-thread* nil "The clock thread. User code can end it like any other thread.")

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

(defconstant +followed-objects+ 4000
  "Maximum number of conses and elements examined, in print order. Little is shown of later ones.")

(defun followed-level ()
  "Maximum depth to which an object is examined. Deeper parts are not printed."
  (min (or *print-level* +list-depth+) 1000))

(defun has-no-parts-p (object)
  (typep object '(or symbol number character string bit-vector pathname package function)))

(defun simple-p (object)
  "Reports whether the visible part of OBJECT consists of conses, arrays and atoms and has no cycle. False if
it contains an object that a method prints."
  (let ((left +followed-objects+)
        (above (make-hash-table :test 'eq)))
    (labels ((enter (object)
               (when (minusp (decf left)) (return-from simple-p t))
               (when (gethash object above) (return-from simple-p nil))
               (setf (gethash object above) t))
             (check-conses (cons level)
               (let ((rest cons))
                 (loop while (consp rest)
                       do (enter rest)
                          (check (car rest) (1- level))
                          (setf rest (cdr rest)))
                 (check rest (1- level))
                 (loop for each on cons do (remhash each above))))
             (check-elements (array level)
               (enter array)
               (dotimes (index (array-total-size array))
                 (check (row-major-aref array index) (1- level)))
               (remhash array above))
             (check (object level)
               (when (minusp (decf left)) (return-from simple-p t))
               (cond ((or (has-no-parts-p object) (not (plusp level))))
                     ((consp object) (check-conses object level))
                     ((arrayp object) (check-elements object level))
                     (t (return-from simple-p nil)))))
      (check object (followed-level))
      t)))

(define-implementation call-labelling-cycles (object function)
  (let ((*print-circle* (or *print-circle* (not (simple-p object)))))
    (funcall function)))

;;; The session's printer variables. These Lisps cannot access the global value of a bound variable.

(defvar *session-values* (make-hash-table :test 'eq) "The session's value of each printer variable.")

(define-implementation symbol-global-value (symbol)
  (gethash symbol *session-values*))

(define-implementation (setf symbol-global-value) (value symbol)
  (setf (gethash symbol *session-values*) value))
