;;;; Printing any object as text: bounded in size and in time, and never failing.
;;;; What a user's print-object does wrong becomes a remark beside the text.

(in-package :lisp-harbor-agent)

(defconstant +printing-seconds+ 2 "How long one object may take to print.")
(defconstant +list-depth+ 100 "Nesting printed when the user has set no *PRINT-LEVEL*.")
(defconstant +right-margin+ 100)

;;; How long printing may take; CALL-WITH-CLOCK sees to it.

(defvar *printing-seconds* nil
  "Seconds that the next object may take, where many are printed. Each that takes too long halves them, so that the waits
cannot add up. NIL elsewhere.")

(defconstant +least-printing-seconds+ 0.05)

(defun spend-printing-time ()
  (when *printing-seconds*
    (setf *printing-seconds* (max +least-printing-seconds+ (/ *printing-seconds* 2)))))

;;; What fails on the way.

(defvar *print-failure* nil "The type of the last condition that a part of the object signalled while it was printed.")

(defun print-failure-p (condition)
  "True of the conditions in whose place SBCL prints a remark; remembers that there was one."
  (when (typep condition '(or error storage-condition))
    (setf *print-failure* (type-of condition))))

(defun fail-printing (condition &optional hook)
  "The debugger of code that prints: nobody is to be asked how a value is to be shown."
  (declare (ignore hook))
  (throw 'printing-failed (type-of condition)))

(defun call-stoppable (function)
  "What FUNCTION, which prints, answers; :TIMEOUT, or the type of the condition that stopped it."
  (catch 'printing-failed
    (let ((*invoke-debugger-hook* #'fail-printing)
          (*debugger-hook* #'fail-printing))
      (handler-case (call-with-clock function)
        ((or error storage-condition) (condition) (type-of condition))))))

(defun call-bounded (printer object stream)
  "Calls PRINTER; answers NIL, or :CUT where there was more than STREAM, a bounded one, takes."
  (let ((writer (bounded-writer stream)))
    (catch 'bound-reached
      (funcall printer object writer)
      (finish-output writer)
      nil)))

(defun call-with-tamed-printer (function)
  "Calls FUNCTION, which prints one object, whatever is being printed around it and whatever the user has set."
  (let ((*print-readably* nil)
        (*print-level* (or *print-level* +list-depth+))
        (*print-right-margin* (or *print-right-margin* +right-margin+)))
    (call-printing-anew (lambda () (call-with-remarks function)))))

(defun print-once (object limit printer)
  "The text of OBJECT; NIL, :CUT, :TIMEOUT or the type of what stopped it; and the type of what a part of it signalled."
  (let* ((stream (make-bounded-stream limit))
         (*print-failure* nil)
         (stopped (call-with-tamed-printer
                   (lambda ()
                     (call-stoppable
                      (lambda ()
                        (call-labelling-cycles object (lambda ()
                                                        (setf stream (make-bounded-stream limit))
                                                        (call-bounded printer object stream)))))))))
    (values (bounded-text stream) stopped *print-failure*)))

(defun print-plainly (object limit printer)
  "As PRINT-ONCE; without the pretty printer when something fails in it that the plain one prints."
  (multiple-value-bind (text stopped failure) (print-once object limit printer)
    (when (and *print-pretty* (or failure (and stopped (not (keywordp stopped)))))
      (multiple-value-bind (plain stopped failure) (let ((*print-pretty* nil)) (print-once object limit printer))
        (unless (or stopped failure)
          (return-from print-plainly (values plain nil nil)))))
    (values text stopped failure)))

(defun print-bounded (object &key (limit 65536) (printer #'prin1))
  "The text of OBJECT as PRINTER writes it under the session's printer variables, LIMIT characters at most.
Second value: NIL, or a phrase that says what is missing."
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
  "What CONDITION reports, 20,000 characters at most."
  (values (print-bounded condition :limit 20000 :printer #'princ)))

(defun type-name-of (object)
  (name-text (class-name (class-of object))))
