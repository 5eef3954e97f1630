;;;; The flusher, a thread that sends output older than 30 ms. It can be stopped and restarted, because
;;;; a fork contains only one thread.

(in-package :lisp-harbor-agent)

(defun wait-for-text (buffer)
  "Waits until BUFFER has content. Returns false if its flusher must end instead."
  (with-mutex ((output-buffer-lock buffer))
    (loop while (and (zerop (output-buffer-fill buffer)) (not (output-buffer-ended buffer)))
          do (condition-wait (output-buffer-filled buffer) (output-buffer-lock buffer)))
    (not (output-buffer-ended buffer))))

(defun flush-until-ended ()
  "The main function of the flusher, which bounds the delay of output."
  (loop while (wait-for-text *output*)
        do (sb-thread:wait-on-semaphore (output-buffer-ending *output*) :timeout +flush-delay+)
           (flush-output)))

(defvar *output-thread* nil "The flusher thread. User code can end it like any other thread.")

(define-implementation ensure-output-thread ()
  (unless (and *output-thread* (thread-alive-p *output-thread*))
    (setf (output-buffer-ended *output*) nil
          (output-buffer-ending *output*) (sb-thread:make-semaphore :name "lisp-harbor output")
          *output-thread* (make-thread #'flush-until-ended :name "lisp-harbor output"))))

(defun end-output-thread ()
  "Sends all text written so far and makes the flusher end without delay. Returns the thread."
  (flush-output)
  (with-output-buffer (*output*)
    (setf (output-buffer-ended *output*) t)
    (condition-notify (output-buffer-filled *output*)))
  (when (output-buffer-ending *output*)
    (sb-thread:signal-semaphore (output-buffer-ending *output*)))
  *output-thread*)
