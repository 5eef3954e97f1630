;;;; The agent's own streams, implemented with Gray streams: output that is sent as events, bounded
;;;; text, and input requested from the caller.

(in-package :lisp-harbor-agent)

(defun last-newline (string start end)
  "Returns the position of the last newline of that part of STRING, or NIL. A loop with a declared type, because the part
may have millions of characters."
  (declare (type fixnum start end))
  (macrolet ((look () '(loop for at of-type fixnum from (1- end) downto start
                             when (char= (char string at) #\Newline) return at)))
    (typecase string
      ((simple-array character (*)) (look))
      (simple-base-string (look))
      (t (look)))))

;;; Output events.

(defclass event-stream (fundamental-character-output-stream)
  ((kind :initarg :kind :reader kind-of)
   (column :initform 0 :accessor column-of))
  (:documentation "A character output stream that sends its text as output events of one KIND."))

(defun write-part (stream string start end)
  (let ((newline (last-newline string start end))
        (buffer *output*))
    (setf (column-of stream) (if newline (- end newline 1) (+ (column-of stream) (- end start))))
    (with-output-buffer (buffer)
      (append-to-buffer buffer (kind-of stream) string start end)
      (when (and newline (quiet-for-a-while-p buffer)) (send-buffer buffer)))))

(defmethod stream-write-char ((stream event-stream) char)
  (write-part stream (string char) 0 1)
  char)

(defmethod stream-write-string ((stream event-stream) string &optional (start 0) end)
  (write-part stream string start (or end (length string)))
  string)

(defmethod stream-line-column ((stream event-stream))
  (column-of stream))

(defmethod stream-line-length ((stream event-stream))
  100)

(defmethod stream-force-output ((stream event-stream))
  (flush-output)
  nil)

(defmethod stream-finish-output ((stream event-stream))
  (flush-output)
  nil)

(define-implementation make-event-stream (kind)
  (make-instance 'event-stream :kind kind))

;;; Bounded text.

(defclass bounded-stream (fundamental-character-output-stream)
  ((left :initarg :left :accessor left-of)
   (column :initform 0 :accessor column-of)
   (target :initform (make-string-output-stream) :reader target-of))
  (:documentation "Collects at most LEFT characters, then throws to BOUND-REACHED."))

(defmethod stream-write-string ((stream bounded-stream) string &optional (start 0) end)
  (let* ((end (or end (length string)))
         (count (min (left-of stream) (- end start)))
         (newline (last-newline string start end)))
    (write-string string (target-of stream) :start start :end (+ start count))
    (decf (left-of stream) count)
    (setf (column-of stream) (if newline (- end newline 1) (+ (column-of stream) (- end start))))
    (when (< count (- end start)) (throw 'bound-reached :cut))
    string))

(defmethod stream-write-char ((stream bounded-stream) char)
  (when (zerop (left-of stream)) (throw 'bound-reached :cut))
  (decf (left-of stream))
  (setf (column-of stream) (if (char= char #\Newline) 0 (1+ (column-of stream))))
  (write-char char (target-of stream)))

(defmethod stream-line-column ((stream bounded-stream))
  (column-of stream))

(define-implementation make-bounded-stream (limit)
  (make-instance 'bounded-stream :left limit))

(define-implementation bounded-writer (stream)
  stream)

(define-implementation bounded-text (stream)
  (get-output-stream-string (target-of stream)))

;;; Input from the caller.

(defclass caller-input (fundamental-character-input-stream)
  ((evaluation :initarg :evaluation :reader reading-evaluation)
   (line :initform "" :accessor line-of)
   (position :initform 0 :accessor position-of))
  (:documentation
   "The input stream of one EVALUATION. LINE is the last line received. POSITION is the number of its characters
already read."))

(defun more-input-p (stream)
  "Reports whether STREAM has a character. Requests the next line if it has none. False at the end of the file."
  (or (< (position-of stream) (length (line-of stream)))
      (let ((line (next-line (reading-evaluation stream))))
        (setf (line-of stream) (if line (format nil "~A~%" line) "")
              (position-of stream) 0)
        line)))

(defmethod stream-read-char ((stream caller-input))
  (if (more-input-p stream)
      (prog1 (char (line-of stream) (position-of stream))
        (incf (position-of stream)))
      :eof))

(defmethod stream-unread-char ((stream caller-input) char)
  (declare (ignore char))
  (decf (position-of stream))
  nil)

(defmethod stream-listen ((stream caller-input))
  (< (position-of stream) (length (line-of stream))))

(defmethod stream-read-char-no-hang ((stream caller-input))
  (if (listen stream) (read-char stream) nil))

(defmethod stream-clear-input ((stream caller-input))
  (setf (position-of stream) (length (line-of stream)))
  nil)

;; A two-way stream queries the column and the line length of both of its streams.
(defmethod stream-line-column ((stream caller-input))
  nil)

#+sbcl
(defmethod stream-line-length ((stream caller-input))
  nil)

(defmethod print-object ((stream caller-input) out)
  (print-unreadable-object (stream out)
    (write-string "the input of the evaluation" out)))

(define-implementation make-caller-input (evaluation)
  (make-instance 'caller-input :evaluation evaluation))
