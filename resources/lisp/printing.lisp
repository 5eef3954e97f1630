;;;; Printing of any object as text, bounded in size and time, without signalling errors. A failure in
;;;; a user's print-object method becomes a remark after the text.

(in-package :lisp-harbor-agent)

(defconstant +printing-seconds+ 2 "Maximum time to print one object.")
(defconstant +list-depth+ 100 "Default *PRINT-LEVEL* if the user has set none.")
(defconstant +right-margin+ 100)

;;; The time limit of printing, enforced by CALL-WITH-CLOCK.

(defvar *printing-seconds* nil
  "Time limit for the next object in seconds, when many are printed. Each object that exceeds it halves it, so
that the waits do not add up. Otherwise NIL.")

(defconstant +least-printing-seconds+ 0.05)

(defun spend-printing-time ()
  (when *printing-seconds*
    (setf *printing-seconds* (max +least-printing-seconds+ (/ *printing-seconds* 2)))))

;;; Failures of printing.

(defvar *print-failure* nil "The type of the last condition that a part of the object signalled while it was printed.")

(defun print-failure-p (condition)
  "Matches the conditions for which SBCL prints a remark, and records that there was one."
  (when (typep condition '(or error storage-condition))
    (setf *print-failure* (type-of condition))))

(defun fail-printing (condition &optional hook)
  "Ends the printing on an unhandled condition. The debugger of code that prints."
  (declare (ignore hook))
  (throw 'printing-failed (type-of condition)))

(defun prints-at-once-p (object)
  "Reports whether OBJECT prints in no time and has no parts, whatever code the user has added to the printer."
  (and (typep object '(or fixnum single-float double-float character symbol))
       (not (and *print-pretty* (nth-value 1 (pprint-dispatch object))))))

(defun call-stoppable (object function)
  "Returns the result of FUNCTION, which prints OBJECT, or :TIMEOUT, or the type of the condition that stopped it."
  (catch 'printing-failed
    (let ((*invoke-debugger-hook* #'fail-printing)
          (*debugger-hook* #'fail-printing))
      (handler-case (if (prints-at-once-p object) (funcall function) (call-with-clock function))
        ((or error storage-condition) (condition) (type-of condition))))))

(defun call-bounded (printer object stream)
  "Calls PRINTER. Returns NIL, or :CUT if the output exceeds the limit of STREAM, a bounded stream."
  (let ((writer (bounded-writer stream)))
    (catch 'bound-reached
      (funcall printer object writer)
      (finish-output writer)
      nil)))

(defun call-with-tamed-printer (function)
  "Calls FUNCTION, which prints one object, independently of any printing in progress and of the user's
settings."
  (let ((*print-readably* nil)
        (*print-level* (or *print-level* +list-depth+))
        (*print-right-margin* (or *print-right-margin* +right-margin+)))
    (call-printing-anew (lambda () (call-with-remarks function)))))

(defun print-once (object limit printer)
  "Returns the text of OBJECT; NIL, :CUT, :TIMEOUT or the type of the condition that stopped it; and the type
of a condition that a part of it signalled."
  (let* ((stream (make-bounded-stream limit))
         (*print-failure* nil)
         (stopped (call-with-tamed-printer
                   (lambda ()
                     (call-stoppable
                      object
                      (lambda ()
                        (call-labelling-cycles object (lambda ()
                                                        (setf stream (make-bounded-stream limit))
                                                        (call-bounded printer object stream)))))))))
    (values (bounded-text stream) stopped *print-failure*)))

(defun print-plainly (object limit printer)
  "Does the same as PRINT-ONCE, and retries without the pretty printer if a part fails only with it."
  (multiple-value-bind (text stopped failure) (print-once object limit printer)
    (when (and *print-pretty* (or failure (and stopped (not (keywordp stopped)))))
      (multiple-value-bind (plain stopped failure) (let ((*print-pretty* nil)) (print-once object limit printer))
        (unless (or stopped failure)
          (return-from print-plainly (values plain nil nil)))))
    (values text stopped failure)))

(defun print-bounded (object &key (limit 65536) (printer #'prin1))
  "Returns the text of OBJECT as PRINTER writes it under the session's printer variables, at most LIMIT
characters. The second value is NIL, or a phrase that says what is missing."
  (multiple-value-bind (text stopped failure) (print-plainly object limit printer)
    (case stopped
      ((nil) (values text (and failure (format nil "has a part that could not be printed: it signalled ~A"
                                               (name-text failure)))))
      (:cut (values text (format nil "was cut after ~D characters" limit)))
      (:timeout (spend-printing-time)
       (values (format nil "~A#<printing stopped>" text) "took too long to print"))
      (t (values (format nil "~A#<unprintable ~A>" text (type-name-of object))
                 (format nil "could not be printed: its printing signalled ~A" (name-text stopped)))))))

(defun message-of (condition)
  "Returns the report of CONDITION, at most 20,000 characters."
  (values (print-bounded condition :limit 20000 :printer #'princ)))

(defun type-name-of (object)
  (name-text (class-name (class-of object))))
