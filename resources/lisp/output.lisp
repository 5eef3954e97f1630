;;;; Output reaches the harbor while the code still runs. What goes to stdout and to stderr shares one buffer, which
;;;; keeps the order; a flusher thread sends what is older than 30 ms.

(in-package :lisp-harbor-agent)

(defconstant +buffer-size+ 4096 "Characters that are sent in one event at most.")
(defconstant +flush-delay+ 0.03 "Seconds that a character waits in the buffer at most.")

(defstruct output-buffer
  "What was written and not yet sent; all of it belongs to one stream, KIND being its name."
  (text (make-string +buffer-size+) :type (simple-array character (*)))
  (fill 0 :type fixnum)
  (kind "stdout" :type string)
  (sent-at 0 :type integer)
  (lock (make-mutex :name "lisp-harbor output"))
  (filled (make-waitqueue :name "lisp-harbor output"))
  (ended nil)                           ; whether the flusher is to end
  (ending nil))                         ; a semaphore that ends its sleep

(defvar *output* (make-output-buffer))

(defmacro with-output-buffer ((buffer) &body body)
  "Runs BODY alone with BUFFER. An interrupt that unwinds in here would leave the buffer half written."
  `(without-interrupts
     (with-mutex ((output-buffer-lock ,buffer))
       ,@body)))

(defun send-buffer (buffer)
  "Sends and empties BUFFER; its lock is held."
  (when (plusp (output-buffer-fill buffer))
    (let ((text (subseq (output-buffer-text buffer) 0 (output-buffer-fill buffer))))
      (setf (output-buffer-fill buffer) 0
            (output-buffer-sent-at buffer) (get-internal-real-time))
      (pass-output-on (output-buffer-kind buffer) text))))

(defun append-to-buffer (buffer kind string start end)
  "Adds a part of STRING that belongs to the stream KIND; sends what came before it on the other stream."
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
  "Sends all that was written until now, but for what lies beyond the output limit."
  (flush-streams)
  (with-output-buffer (*output*)
    (send-buffer *output*)))

(defun deliver-output ()
  "As FLUSH-OUTPUT, with the end of what lies beyond the limit: for when the code stops or waits."
  (flush-streams)
  (with-output-buffer (*output*)
    (send-buffer *output*)
    (send-kept-output)))

(defun use-allowance (allowance)
  "What is printed from now on counts against ALLOWANCE. Answers the one before."
  (flush-streams)
  (with-output-buffer (*output*)
    (send-buffer *output*)
    (send-kept-output)
    (shiftf *allowance* allowance)))
