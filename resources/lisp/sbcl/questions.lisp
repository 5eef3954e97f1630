;;;; Debugger requests, answered in the suspended thread: only there can its stack be read and its
;;;; restarts be invoked. Every request gets exactly one answer, including the one that exits from the
;;;; level.

(in-package :lisp-harbor-agent)

(defconstant +frames-page+ 50 "Default number of frames in one answer.")

(defstruct question
  (id 0 :type integer)
  object
  (answer (object)))

(define-operation "debug" (request)
  "Members: id, action, and the arguments of that action."
  (enqueue-request (make-question :id (member-of request "id") :object request)))

(defvar *question* nil "The request that this thread answers. Never bound globally.")

(define-condition refused-question (error)
  ((reason :initarg :reason :reader reason-of))
  (:report (lambda (condition stream) (write-string (reason-of condition) stream)))
  (:documentation "Signalled for a debugger request that is invalid in the current state of the session."))

(defun refuse-question (control &rest arguments)
  (error 'refused-question :reason (apply #'format nil control arguments)))

(defun asked (question key &optional default)
  (let ((value (member-of (question-object question) key)))
    (if (null value) default value)))

(defun fail-question (condition)
  "Answers a request that caused the unhandled CONDITION."
  (throw 'question-failed
    (if (typep condition 'refused-question)
        (message-of condition)
        (format nil "~A: ~A" (name-text (type-of condition)) (message-of condition)))))

;;; Actions: functions of the request that return the answer.

(defun held-level-data (level)
  (object "level" (level-number level)
          "evaluation" (evaluation-id (level-evaluation level))
          "type" (name-text (type-of (level-condition level)))
          "message" (member-of (level-data level) "message")
          "object" (handle-of (level-condition level))))

(defun show-debugger (question)
  "Returns the levels, innermost first, the restarts of the innermost level, and a page of frames."
  (let* ((frames (all-held-frames))
         (offset (min (asked question "offset" 0) (length frames)))
         (end (min (length frames) (+ offset (asked question "limit" +frames-page+)))))
    (object "levels" (mapcar #'held-level-data *levels*)
            "restarts" (indexed #'restart-data (level-restarts (first *levels*)))
            "frames" (loop for frame in (subseq frames offset end)
                           for index from offset
                           collect (frame-data (held-frame-text frame index) index))
            "total" (length frames))))

(defun asked-frame (question)
  "Returns the frame that QUESTION names, by default the innermost one, and its index."
  (let ((index (asked question "frame" 0))
        (frames (all-held-frames)))
    (values (or (nth index frames)
                (refuse-question "There is no frame ~D; there ~[are none~;is one~:;are ~:*~D, from 0~]." index (length frames)))
            index)))

(defun show-frame (question)
  (multiple-value-bind (frame index) (asked-frame question)
    (frame-contents frame index)))

(defun frame-restart-name-p (name)
  (and (stringp name)
       (member name '("RETURN-FROM-FRAME" "RESTART-FRAME") :test #'string-equal)))

(defun choose-restart (question)
  (let ((designator (asked question "restart"))
        (codes (asked question "arguments")))
    (if (frame-restart-name-p designator)
        (multiple-value-bind (frame index) (asked-frame question)
          (take-frame-restart index frame designator codes))
        (take-restart (restart-named designator (level-restarts (first *levels*))) codes))
    (object)))

(defun step-on (question)
  (let ((level (first *levels*))
        (restart (cdr (assoc (asked question "step" "into")
                             '(("into" . "STEP-INTO") ("over" . "STEP-NEXT") ("out" . "STEP-OUT"))
                             :test #'string=))))
    (unless (typep (level-condition level) 'sb-ext:step-form-condition)
      (refuse-question "Nothing is being stepped at this level: evaluate (step FORM) with on_error debug."))
    (take-restart (restart-named restart (level-restarts level)) '())
    (object)))

(defun abort-levels (question)
  (let ((number (asked question "level" (1- (current-level)))))
    (unless (< -1 number (current-level))
      (refuse-question "There is no level ~D to return to; the session is at ~A." number (level-name (current-level))))
    (return-to-level number)))

(defparameter +actions+
  '(("show" . show-debugger) ("frame" . show-frame) ("restart" . choose-restart) ("step" . step-on)
    ("abort" . abort-levels)))

(defun perform (question)
  "Returns the answer of QUESTION's action. Does not return if it exits from the level."
  (let ((action (cdr (assoc (asked question "action") +actions+ :test #'equal))))
    (cond ((zerop (current-level)) (refuse-question "No debugger level is held."))
          ((null action) (refuse-question "There is no such action."))
          (t (sb-sys:with-interrupts (funcall action question))))))

(defun answer-question (question)
  "Carries out QUESTION and sends its value or its error, or nothing if control exited from the level."
  (let ((failure :null))
    (unwind-protect
         (progn (setf failure (catch 'question-failed
                                (let ((*unhandled* #'fail-question)
                                      (*question* question))
                                  (setf (question-answer question) (perform question))
                                  :null)))
                (forget-departures))
      (send "debugged" "id" (question-id question) "value" (question-answer question) "error" failure))))

(defmethod serve-one ((request question))
  (answer-question request))
