;;;; ABOUTME: Printing any object as text: bounded in size and in time, and never failing.
;;;; ABOUTME: What a user's print-object does wrong becomes a remark beside the text.

(in-package :lisp-harbor-agent)

(defconstant +printing-seconds+ 2 "How long one object may take to print.")
(defconstant +list-length+ 5000 "Elements printed of a list when the user has set no *PRINT-LENGTH*.")
(defconstant +list-depth+ 100 "Nesting printed when the user has set no *PRINT-LEVEL*.")
(defconstant +right-margin+ 100)

(defclass bounded-stream (sb-gray:fundamental-character-output-stream)
  ((left :initarg :left :accessor left-of)
   (column :initform 0 :accessor column-of)
   (target :initform (make-string-output-stream) :reader target-of))
  (:documentation "Collects at most LEFT characters, then throws to BOUND-REACHED."))

(defmethod sb-gray:stream-write-string ((stream bounded-stream) string &optional (start 0) end)
  (let* ((end (or end (length string)))
         (count (min (left-of stream) (- end start)))
         (newline (position #\Newline string :start start :end end :from-end t)))
    (write-string string (target-of stream) :start start :end (+ start count))
    (decf (left-of stream) count)
    (setf (column-of stream) (if newline (- end newline 1) (+ (column-of stream) (- end start))))
    (when (< count (- end start)) (throw 'bound-reached :cut))
    string))

(defmethod sb-gray:stream-write-char ((stream bounded-stream) char)
  (sb-gray:stream-write-string stream (string char))
  char)

(defmethod sb-gray:stream-line-column ((stream bounded-stream))
  (column-of stream))

(defmethod stream-element-type ((stream bounded-stream))
  'character)

(defun call-bounded (printer object stream)
  "Calls PRINTER; answers NIL, :CUT, :TIMEOUT, or the type of the condition that stopped it."
  (handler-case
      ;; With *PRINT-CIRCLE* a first pass writes nowhere: only the clock ends an endless PRINT-OBJECT.
      (sb-ext:with-timeout +printing-seconds+
        (catch 'bound-reached
          (funcall printer object stream)
          nil))
    (sb-ext:timeout () :timeout)
    ((or error storage-condition) (condition) (type-of condition))))

(defun print-bounded (object &key (limit 65536) (printer #'prin1))
  "The text of OBJECT as PRINTER writes it under the session's printer variables, LIMIT characters at most.
Second value: NIL, or a phrase that says what is missing."
  (let* ((stream (make-instance 'bounded-stream :left limit))
         (stopped (let ((*print-circle* t)
                        (*print-readably* nil)
                        (*print-length* (or *print-length* +list-length+))
                        (*print-level* (or *print-level* +list-depth+))
                        (*print-right-margin* (or *print-right-margin* +right-margin+)))
                    (call-bounded printer object stream)))
         (text (get-output-stream-string (target-of stream))))
    (case stopped
      ((nil) (values text nil))
      (:cut (values text (format nil "was cut after ~D characters" limit)))
      (:timeout (values (format nil "~A#<printing stopped>" text)
                        (format nil "took longer than ~D seconds to print" +printing-seconds+)))
      (t (values (format nil "~A#<unprintable ~A>" text (type-name-of object))
                 (format nil "could not be printed: its printing signalled ~A" (name-text stopped)))))))

(defun message-of (condition)
  "What CONDITION reports, 20,000 characters at most."
  (values (print-bounded condition :limit 20000 :printer #'princ)))

(defun type-name-of (object)
  (name-text (class-name (class-of object))))
