;;;; ABOUTME: Streams whose text reaches the harbor while the code still runs, stdout and stderr in the order written.
;;;; ABOUTME: Both share one buffer; a flusher thread sends what is older than 30 ms.

(in-package :lisp-harbor-agent)

(defconstant +buffer-size+ 4096 "Characters that are sent in one event at most.")
(defconstant +flush-delay+ 0.03 "Seconds that a character waits in the buffer at most.")

(defvar *current* nil
  "The id of the evaluation that runs, or NIL; output and interrupts name it.")

(defstruct output-buffer
  "What was written and not yet sent; all of it belongs to one stream, KIND being its name."
  (text (make-string +buffer-size+) :type (simple-array character (*)))
  (fill 0 :type fixnum)
  (kind "stdout" :type string)
  (sent-at 0 :type integer)
  (lock (sb-thread:make-mutex :name "lisp-harbor output"))
  (filled (sb-thread:make-waitqueue :name "lisp-harbor output"))
  (ended nil)                           ; whether the flusher is to end
  (ending (sb-thread:make-semaphore :name "lisp-harbor output")))

(defvar *output* (make-output-buffer))

(defmacro with-output-buffer ((buffer) &body body)
  "Runs BODY alone with BUFFER. An interrupt that unwinds in here would leave the buffer half written."
  `(sb-sys:without-interrupts
     (sb-thread:with-mutex ((output-buffer-lock ,buffer))
       ,@body)))

(defun send-buffer (buffer)
  "Sends and empties BUFFER; its lock is held."
  (when (plusp (output-buffer-fill buffer))
    (let ((text (subseq (output-buffer-text buffer) 0 (output-buffer-fill buffer))))
      (setf (output-buffer-fill buffer) 0
            (output-buffer-sent-at buffer) (get-internal-real-time))
      (send "output" "id" (or *current* :null) "stream" (output-buffer-kind buffer) "text" text))))

(defun append-to-buffer (buffer kind string start end)
  "Adds a part of STRING that belongs to the stream KIND; sends what came before it on the other stream."
  (unless (string= kind (output-buffer-kind buffer))
    (send-buffer buffer)
    (setf (output-buffer-kind buffer) kind))
  (when (zerop (output-buffer-fill buffer))
    (sb-thread:condition-notify (output-buffer-filled buffer)))
  (loop while (< start end)
        do (let ((count (min (- end start) (- +buffer-size+ (output-buffer-fill buffer)))))
             (replace (output-buffer-text buffer) string
                      :start1 (output-buffer-fill buffer) :start2 start :end2 (+ start count))
             (incf (output-buffer-fill buffer) count)
             (incf start count)
             (when (= (output-buffer-fill buffer) +buffer-size+) (send-buffer buffer)))))

(defun quiet-for-a-while-p (buffer)
  (> (- (get-internal-real-time) (output-buffer-sent-at buffer))
     (* +flush-delay+ internal-time-units-per-second)))

(defun flush-output ()
  "Sends all that was written until now."
  (with-output-buffer (*output*)
    (send-buffer *output*)))

(defun wait-for-text (buffer)
  "Waits until something is in BUFFER. False when its flusher is to end instead."
  (sb-thread:with-mutex ((output-buffer-lock buffer))
    (loop while (and (zerop (output-buffer-fill buffer)) (not (output-buffer-ended buffer)))
          do (sb-thread:condition-wait (output-buffer-filled buffer) (output-buffer-lock buffer)))
    (not (output-buffer-ended buffer))))

(defun flush-until-ended ()
  "The flusher thread: bounds how long written text may stay unseen."
  (loop while (wait-for-text *output*)
        do (sb-thread:wait-on-semaphore (output-buffer-ending *output*) :timeout +flush-delay+)
           (flush-output)))

(defvar *output-thread* nil "The flusher; user code can end it, as any other thread.")

(defun ensure-output-thread ()
  (unless (and *output-thread* (sb-thread:thread-alive-p *output-thread*))
    (setf (output-buffer-ended *output*) nil
          (output-buffer-ending *output*) (sb-thread:make-semaphore :name "lisp-harbor output")
          *output-thread* (sb-thread:make-thread #'flush-until-ended :name "lisp-harbor output"))))

(defun end-output-thread ()
  "Sends all that was written and has the flusher end, without delay. Answers it."
  (flush-output)
  (with-output-buffer (*output*)
    (setf (output-buffer-ended *output*) t)
    (sb-thread:condition-notify (output-buffer-filled *output*)))
  (sb-thread:signal-semaphore (output-buffer-ending *output*))
  *output-thread*)

;;; The streams that user code sees.

(defclass event-stream (sb-gray:fundamental-character-output-stream)
  ((kind :initarg :kind :reader kind-of)
   (column :initform 0 :accessor column-of))
  (:documentation "A character output stream whose text becomes output events of one KIND."))

(defun write-part (stream string start end)
  (let ((newline (position #\Newline string :start start :end end :from-end t))
        (buffer *output*))
    (setf (column-of stream) (if newline (- end newline 1) (+ (column-of stream) (- end start))))
    (with-output-buffer (buffer)
      (append-to-buffer buffer (kind-of stream) string start end)
      (when (and newline (quiet-for-a-while-p buffer)) (send-buffer buffer)))))

(defmethod sb-gray:stream-write-char ((stream event-stream) char)
  (write-part stream (string char) 0 1)
  char)

(defmethod sb-gray:stream-write-string ((stream event-stream) string &optional (start 0) end)
  (write-part stream string start (or end (length string)))
  string)

(defmethod sb-gray:stream-line-column ((stream event-stream))
  (column-of stream))

(defmethod sb-gray:stream-line-length ((stream event-stream))
  100)

(defmethod sb-gray:stream-force-output ((stream event-stream))
  (flush-output)
  nil)

(defmethod sb-gray:stream-finish-output ((stream event-stream))
  (flush-output)
  nil)

(defmethod stream-element-type ((stream event-stream))
  'character)
