;;;; Output events, sent while the code still runs. stdout and stderr share one buffer, which preserves
;;;; their order. A flusher thread sends text that is older than 30 ms.

(in-package :lisp-harbor-agent)

(defconstant +buffer-size+ 4096 "Maximum number of characters in one event.")
(defconstant +flush-delay+ 0.03 "Maximum time that a character stays in the buffer, in seconds.")

(defstruct output-buffer
  "Text that was written and not yet sent. All of it belongs to one stream, named by KIND."
  (text (make-string +buffer-size+) :type (simple-array character (*)))
  (fill 0 :type fixnum)
  (kind "stdout" :type string)
  (sent-at 0 :type integer)
  (lock (make-mutex :name "lisp-harbor output"))
  (filled (make-waitqueue :name "lisp-harbor output"))
  (ended nil)                           ; true when the flusher must end
  (ending nil))                         ; a semaphore that ends the flusher's sleep

(defvar *output* (make-output-buffer))

(defmacro with-output-buffer ((buffer) &body body)
  "Runs BODY while this thread owns BUFFER. Defers interrupts, because an unwind would leave the buffer
inconsistent."
  `(without-interrupts
     (with-mutex ((output-buffer-lock ,buffer))
       ,@body)))

(defun send-buffer (buffer)
  "Sends and empties BUFFER. The caller owns its lock."
  (when (plusp (output-buffer-fill buffer))
    (let ((text (subseq (output-buffer-text buffer) 0 (output-buffer-fill buffer))))
      (setf (output-buffer-fill buffer) 0
            (output-buffer-sent-at buffer) (get-internal-real-time))
      (pass-output-on (output-buffer-kind buffer) text))))

(defun append-to-buffer (buffer kind string start end)
  "Appends a part of STRING for the stream KIND. Sends earlier text of the other stream first."
  (unless (string= kind (output-buffer-kind buffer))
    (send-buffer buffer)
    (setf (output-buffer-kind buffer) kind))
  (when (zerop (output-buffer-fill buffer))
    (condition-notify (output-buffer-filled buffer)))
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
  "Sends all text written so far, except text beyond the output limit."
  (flush-streams)
  (with-output-buffer (*output*)
    (send-buffer *output*)))

(defun deliver-output ()
  "Does the same as FLUSH-OUTPUT, and also sends the kept end beyond the limit. Called when the code stops or
waits."
  (flush-streams)
  (with-output-buffer (*output*)
    (send-buffer *output*)
    (send-kept-output)))

(defun use-allowance (allowance)
  "Makes further output count against ALLOWANCE. Returns the previous allowance."
  (flush-streams)
  (with-output-buffer (*output*)
    (send-buffer *output*)
    (send-kept-output)
    (shiftf *allowance* allowance)))
